import { isRole, listRolePermissions, PERMISSIONS, ROLES } from '../../../domain/business/access/permissions';
import type { Permission, Role } from '../../../domain/business/access/permissions';
import { invalidFieldError } from '../../../domain/errors';
import { IDENTITY_PERMISSIONS } from '../../../domain/identity/access/permissions';
import type { IdentityPermission } from '../../../domain/identity/access/permissions';
import { IDENTITY_ROLES, isIdentityRole, listIdentityRolePermissions } from '../../../domain/identity/access/roles';
import type { IdentityRole } from '../../../domain/identity/access/roles';
import type { UserRecord } from '../../../models/platform/access/user';

/** What a user may do in each API; null gives no access to it. */
export interface UserRoles {
  business: Role | null;
  identity: IdentityRole | null;
}

/** The roles of each API. */
export const USER_ROLES = { business: ROLES, identity: IDENTITY_ROLES } as const;

/** The permissions of each API. */
export const USER_PERMISSIONS = { business: PERMISSIONS, identity: IDENTITY_PERMISSIONS } as const;

/** The permissions of a user in each API; none without a role in it. */
export interface UserPermissions {
  business: readonly Permission[];
  identity: readonly IdentityPermission[];
}

/** The roles of a user in each API; null for none, also for a role that no longer exists. */
export const readUserRoles = ({ role, identityRole }: Pick<UserRecord, 'role' | 'identityRole'>): UserRoles => ({
  business: typeof role === 'string' && isRole(role) ? role : null,
  identity: isIdentityRole(identityRole) ? identityRole : null,
});

/** Whether a user may do anything in one of the APIs. */
export const hasAnyRole = ({ business, identity }: UserRoles): boolean => business !== null || identity !== null;

/** @throws AppError 400 for a user without any role */
export function requireAnyRole(roles: UserRoles): void {
  if (!hasAnyRole(roles)) throw invalidFieldError('role', 'is required, unless the user has an identityRole');
}

/** The permissions of a user in each API, in the order of their catalogues. */
export const listUserPermissions = ({ business, identity }: UserRoles): UserPermissions => ({
  business: business === null ? [] : listRolePermissions(business),
  identity: listIdentityRolePermissions(identity),
});
