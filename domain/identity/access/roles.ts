import { IDENTITY_PERMISSIONS } from './permissions';
import type { IdentityPermission } from './permissions';

/** Roles of a user that the business API does not know: they open the identity API alone. */
export const IDENTITY_ROLES = ['reviewer', 'developer', 'auditor'] as const;

export type IdentityRole = (typeof IDENTITY_ROLES)[number];

type Rule = (resource: string, action: string) => boolean;

const isRead: Rule = (_resource, action) => action === 'read';
/** What concerns the installation's set-up rather than the people verified. */
const SETUP: ReadonlySet<string> = new Set(['webhooks', 'keys', 'audit']);
const isSetup = (resource: string): boolean => SETUP.has(resource);

/**
 * What each role may do with the identity API when signed in from a browser, as a rule over `resource:action`, so that
 * a permission added later falls to the right roles by its name.
 */
const ROLE_RULES: Readonly<Record<string, Rule>> = {
  admin: () => true,
  /** Works the queue: sees people and their results, decides, reviews hits. */
  reviewer: (resource, action) => !isSetup(resource) && ['read', 'decide', 'review'].includes(action),
  /** Integrates: webhooks and keys, and everything that creates and reads, but no decision about a person. */
  developer: (resource, action) => resource !== 'audit' && ['read', 'write'].includes(action),
  /** Looks on: reads everything, the audit log too. */
  auditor: isRead,
  viewer: (resource, action) => !isSetup(resource) && isRead(resource, action),
};

/** Permissions of a role, in the order of the catalogue; none for a role of the business API alone. */
export const listIdentityRolePermissions = (role: string): IdentityPermission[] => {
  const rule = Object.hasOwn(ROLE_RULES, role) ? ROLE_RULES[role] : undefined;
  if (rule === undefined) return [];
  return IDENTITY_PERMISSIONS.filter((permission) => {
    const [resource = '', action = ''] = permission.split(':');
    return rule(resource, action);
  });
};

/** Roles that open the identity API, for the documentation. */
export const ROLES_WITH_ACCESS: readonly string[] = Object.keys(ROLE_RULES);
