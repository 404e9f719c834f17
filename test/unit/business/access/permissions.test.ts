import {
  isPermission,
  isRole,
  PERMISSIONS,
  listRolePermissions,
  ROLES,
} from '../../../../domain/business/access/permissions';
import type { Permission } from '../../../../domain/business/access/permissions';

test('permissions are module:action and each is listed once', () => {
  expect(new Set(PERMISSIONS).size).toBe(PERMISSIONS.length);
  expect(PERMISSIONS.every((permission) => /^[a-z-]+:[a-z]+$/.test(permission))).toBe(true);
  expect(isPermission('invoices:create')).toBe(true);
  for (const text of ['invoices', 'invoices:fly', 'toString', 'read:invoices']) expect(isPermission(text)).toBe(false);
  expect(isRole('sales')).toBe(true);
  expect(isRole('constructor')).toBe(false);
});

test('an administrator has every permission and every other role only the listed ones', () => {
  expect(listRolePermissions('admin')).toEqual(PERMISSIONS);
  for (const role of ROLES) expect(listRolePermissions(role).every(isPermission)).toBe(true);
});

test('a viewer only reads, and reads no administration', () => {
  expect(listRolePermissions('viewer').every((permission) => permission.endsWith(':read'))).toBe(true);
  for (const role of ROLES.filter((each) => each !== 'admin'))
    expect(listRolePermissions(role).some((permission) => permission.startsWith('admin:'))).toBe(false);
});

test.each<[Permission, string[]]>([
  ['invoices:create', ['admin', 'accountant', 'sales']],
  ['invoices:void', ['admin', 'accountant']],
  ['products:create', ['admin', 'warehouse']],
  ['products:delete', ['admin']],
  ['customers:create', ['admin', 'accountant', 'sales']],
  ['inventory:adjust', ['admin', 'warehouse']],
  ['config:update', ['admin']],
  ['config:lock', ['admin', 'accountant']],
])('%s belongs to %p', (permission, roles) => {
  expect(ROLES.filter((role) => listRolePermissions(role).includes(permission))).toEqual(roles);
});
