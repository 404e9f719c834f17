import { IDENTITY_PERMISSIONS } from './permissions';
import type { IdentityPermission } from './permissions';

/** Roles of users in the identity API. A user's role in the business API is independent of it. */
export const IDENTITY_ROLES = ['admin', 'reviewer', 'developer', 'auditor', 'viewer'] as const;

export type IdentityRole = (typeof IDENTITY_ROLES)[number];

/** Whether a text is a role of the identity API. */
export const isIdentityRole = (text: string | null | undefined): text is IdentityRole =>
  IDENTITY_ROLES.some((role) => role === text);

type Rule = (resource: string, action: string) => boolean;

const isRead: Rule = (_resource, action) => action === 'read';
/** Resources of the installation's set-up rather than of the verified people. */
const SETUP: ReadonlySet<string> = new Set(['webhooks', 'keys', 'audit', 'operations']);
const isSetup = (resource: string): boolean => SETUP.has(resource);

/**
 * Permissions of each role in the identity API when signed in from a browser, as rules over `resource:action`, so that
 * a permission added later is assigned to roles by its name.
 */
const ROLE_RULES: Readonly<Record<IdentityRole, Rule>> = {
  admin: () => true,
  /** Works on the review queue: reads people and their results, decides, reviews hits. */
  reviewer: (resource, action) => !isSetup(resource) && ['read', 'decide', 'review'].includes(action),
  /** Integrates: manages webhooks and keys, creates and reads everything, but does not decide about people. */
  developer: (resource, action) => resource !== 'audit' && ['read', 'write'].includes(action),
  /** Reads everything, including the audit log. */
  auditor: isRead,
  viewer: (resource, action) => !isSetup(resource) && isRead(resource, action),
};

/** Permissions of a user's role in the order of the catalogue; empty without a role in the identity API. */
export const listIdentityRolePermissions = (role: string | null | undefined): IdentityPermission[] => {
  if (!isIdentityRole(role)) return [];
  const rule = ROLE_RULES[role];
  return IDENTITY_PERMISSIONS.filter((permission) => {
    const [resource = '', action = ''] = permission.split(':');
    return rule(resource, action);
  });
};
