import { convertRows, getRawCollection } from './batches';
import type { Migration } from './migration';

/** Roles that belong to the identity API only; versions with one role for both APIs stored them in `role`. */
const IDENTITY_ONLY_ROLES = ['reviewer', 'developer', 'auditor'];

/**
 * Users had one role for both APIs. Administrators and the roles of the identity API keep their access to it; no other
 * role opens it any more.
 */
export const userRoles: Migration = {
  version: 1,
  name: 'user-roles',
  summary: 'gives users of versions with one role for both APIs a role in each',
  run: (context) =>
    convertRows(context, {
      collection: 'users',
      filter: { identityRole: { $exists: false } },
      async convert(users, session) {
        const updates = users.map(({ _id, role }) => {
          const isIdentityOnly = IDENTITY_ONLY_ROLES.includes(String(role));
          const identityRole = isIdentityOnly || role === 'admin' ? String(role) : null;
          const changed = { identityRole, ...(isIdentityOnly ? { role: null } : {}) };
          return { updateOne: { filter: { _id }, update: { $set: changed } } };
        });
        await getRawCollection('users').bulkWrite(updates, { session });
        return updates.length;
      },
    }),
};
