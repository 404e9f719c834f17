import { isRole, ROLE_PERMISSIONS, ROLES } from '../../../domain/business/access/permissions';
import type { Role } from '../../../domain/business/access/permissions';
import { invalidFieldError } from '../../../domain/errors';
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

export const readUserRoles = ({ role, identityRole }: Pick<UserRecord, 'role' | 'identityRole'>): UserRoles => ({
  business: typeof role === 'string' && isRole(role) ? role : null,
  identity: isIdentityRole(identityRole) ? identityRole : null,
});

/** @throws AppError 400 for a user without any role */
export function requireAnyRole({ business, identity }: UserRoles): void {
  if (business === null && identity === null)
    throw invalidFieldError('role', 'is required, unless the user has an identityRole');
}

/** The permissions of a user in each API. */
export const listUserPermissions = ({ business, identity }: UserRoles): Record<keyof UserRoles, readonly string[]> => ({
  business: business === null ? [] : [...ROLE_PERMISSIONS[business]],
  identity: listIdentityRolePermissions(identity),
});
