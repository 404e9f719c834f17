/** Permissions of an identity API key: `resource:action`. */
export const IDENTITY_PERMISSIONS = [
  'sessions:read',
  'sessions:write',
  'sessions:decide',
  'workflows:read',
  'workflows:write',
  'sessions:delete',
  'sessions:share',
  'sessions:import',
  'sessions:trust-import',
  'sharing:read',
  'sharing:trust',
  'checks:read',
  'checks:delete',
  'erasures:read',
  'evidence:read',
  'documents:write',
  'biometrics:write',
  'blocklist:read',
  'blocklist:write',
  'kyb:read',
  'kyb:write',
  'aml:read',
  'aml:screen',
  'aml:review',
  'aml:delete',
  'registers:read',
  'registers:write',
  'faces:read',
  'faces:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
  'operations:read',
  'keys:read',
  'keys:write',
] as const;

/** Whether `/v1` has a permission of this name. */
export const isIdentityPermission = (permission: string): permission is (typeof IDENTITY_PERMISSIONS)[number] =>
  IDENTITY_PERMISSIONS.some((known) => known === permission);

export type IdentityPermission = (typeof IDENTITY_PERMISSIONS)[number];
