/** Modules of the business API and their actions; a permission is `module:action`. */
export const MODULE_ACTIONS = {
  products: ['read', 'create', 'update', 'delete'],
  inventory: ['read', 'adjust', 'transfer'],
  customers: ['read', 'create', 'update'],
  vendors: ['read', 'create', 'update'],
  invoices: ['read', 'create', 'update', 'delete', 'issue', 'void'],
  'credit-notes': ['read', 'create'],
  'purchase-orders': ['read', 'create', 'update', 'receive'],
  receivables: ['read', 'create', 'update'],
  payables: ['read', 'create', 'update'],
  accounting: ['read', 'update'],
  banking: ['read', 'create', 'update'],
  crm: ['read', 'create', 'update'],
  config: ['read', 'update', 'lock'],
  messages: ['read', 'send', 'report'],
  exports: ['read', 'create'],
  admin: ['read', 'update'],
} as const;

type Actions = typeof MODULE_ACTIONS;
export type Permission = { [M in keyof Actions]: `${M}:${Actions[M][number]}` }[keyof Actions];

export const ROLES = ['admin', 'accountant', 'sales', 'warehouse', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a text is a role of the business API. */
export const isRole = (text: string): text is Role => ROLES.some((role) => role === text);

const PERMISSION_SET: ReadonlySet<string> = new Set(
  Object.entries(MODULE_ACTIONS).flatMap(([module, actions]) => actions.map((action) => `${module}:${action}`)),
);

/** Whether a text is a permission of the business API, `module:action`. */
export const isPermission = (text: string): text is Permission => PERMISSION_SET.has(text);

export const PERMISSIONS: readonly Permission[] = [...PERMISSION_SET].filter(isPermission);

const READ_ALL_BUT_ADMIN = PERMISSIONS.filter(
  (permission) => permission.endsWith(':read') && permission !== 'admin:read',
);

/** The permissions of each role, also listed in the OpenAPI document. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  admin: new Set(PERMISSIONS),
  accountant: new Set<Permission>([
    ...READ_ALL_BUT_ADMIN,
    'customers:create',
    'customers:update',
    'vendors:create',
    'vendors:update',
    'invoices:create',
    'invoices:update',
    'invoices:delete',
    'invoices:issue',
    'invoices:void',
    'credit-notes:create',
    'receivables:create',
    'receivables:update',
    'payables:create',
    'payables:update',
    'accounting:update',
    'banking:create',
    'banking:update',
    'config:lock',
    'messages:send',
    'exports:create',
  ]),
  sales: new Set<Permission>([
    'products:read',
    'inventory:read',
    'customers:read',
    'customers:create',
    'customers:update',
    'invoices:read',
    'invoices:create',
    'invoices:update',
    'invoices:delete',
    'invoices:issue',
    'credit-notes:read',
    'receivables:read',
    'crm:read',
    'crm:create',
    'crm:update',
    'config:read',
    'messages:read',
    'messages:send',
    'exports:read',
    'exports:create',
  ]),
  warehouse: new Set<Permission>([
    'products:read',
    'products:create',
    'products:update',
    'inventory:read',
    'inventory:adjust',
    'inventory:transfer',
    'vendors:read',
    'purchase-orders:read',
    'purchase-orders:create',
    'purchase-orders:update',
    'purchase-orders:receive',
    'config:read',
  ]),
  viewer: new Set<Permission>(READ_ALL_BUT_ADMIN),
};

/** Permissions of a role, in the order of the modules. */
export const listRolePermissions = (role: Role): Permission[] =>
  PERMISSIONS.filter((permission) => ROLE_PERMISSIONS[role].has(permission));
