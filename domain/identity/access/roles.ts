import { IDENTITY_PERMISSIONS } from './permissions';
import type { IdentityPermission } from './permissions';

/** User roles that only give access to the identity API. */
export const IDENTITY_ROLES = ['reviewer', 'developer', 'auditor'] as const;

export type IdentityRole = (typeof IDENTITY_ROLES)[number];

type Rule = (resource: string, action: string) => boolean;

const isRead: Rule = (_resource, action) => action === 'read';
/** Resources of the installation's set-up rather than of the verified people. */
const SETUP: ReadonlySet<string> = new Set(['webhooks', 'keys', 'audit']);
const isSetup = (resource: string): boolean => SETUP.has(resource);

/**
 * Permissions of each role in the identity API when signed in from a browser, as rules over `resource:action`, so that
 * a permission added later is assigned to roles by its name.
 */
const ROLE_RULES: Readonly<Record<string, Rule>> = {
  admin: () => true,
  /** Works on the review queue: reads people and their results, decides, reviews hits. */
  reviewer: (resource, action) => !isSetup(resource) && ['read', 'decide', 'review'].includes(action),
  /** Integrates: manages webhooks and keys, creates and reads everything, but does not decide about people. */
  developer: (resource, action) => resource !== 'audit' && ['read', 'write'].includes(action),
  /** Reads everything, including the audit log. */
  auditor: isRead,
  viewer: (resource, action) => !isSetup(resource) && isRead(resource, action),
};

/** Permissions of a role in the order of the catalogue; empty for a role without access to the identity API. */
export const listIdentityRolePermissions = (role: string): IdentityPermission[] => {
  const rule = Object.hasOwn(ROLE_RULES, role) ? ROLE_RULES[role] : undefined;
  if (rule === undefined) return [];
  return IDENTITY_PERMISSIONS.filter((permission) => {
    const [resource = '', action = ''] = permission.split(':');
    return rule(resource, action);
  });
};

/** Roles with access to the identity API, for the documentation. */
export const ROLES_WITH_ACCESS: readonly string[] = Object.keys(ROLE_RULES);
