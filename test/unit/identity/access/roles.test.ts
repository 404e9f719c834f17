import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import { IDENTITY_ROLES, listIdentityRolePermissions } from '../../../../domain/identity/access/roles';

describe('permissions of a role from a browser', () => {
  test('an administrator has all permissions, a role of only the business API has none', () => {
    expect(listIdentityRolePermissions('admin')).toEqual(IDENTITY_PERMISSIONS);
    for (const role of ['sales', 'accountant', 'warehouse', 'constructor', '', null]) {
      expect(listIdentityRolePermissions(role)).toEqual([]);
    }
  });

  test('a reviewer reads and decides about people, but accesses neither keys nor webhooks', () => {
    const permissions = listIdentityRolePermissions('reviewer');
    expect(permissions).toEqual(expect.arrayContaining(['sessions:read', 'sessions:decide', 'checks:read']));
    expect(permissions.filter((permission) => /^(keys|webhooks|audit):|:write$/.test(permission))).toEqual([]);
  });

  test('only an administrator both writes and decides', () => {
    for (const role of IDENTITY_ROLES.filter((each) => each !== 'admin')) {
      const permissions = listIdentityRolePermissions(role);
      const both = permissions.includes('sessions:decide') && permissions.some((each) => each.endsWith(':write'));
      expect([role, both]).toEqual([role, false]);
    }
  });

  test('read-only roles write nothing', () => {
    for (const role of ['auditor', 'viewer']) {
      expect(listIdentityRolePermissions(role).every((permission) => permission.endsWith(':read'))).toBe(true);
    }
  });

  test('every role of the identity API gives access to it', () => {
    for (const role of IDENTITY_ROLES) expect(listIdentityRolePermissions(role).length).toBeGreaterThan(0);
  });
});
