/** What an identity API key may do: `resource:action`. */
export const IDENTITY_PERMISSIONS = [
  'sessions:read',
  'sessions:write',
  'sessions:decide',
  'workflows:read',
  'workflows:write',
  'sessions:delete',
  'checks:read',
  'checks:delete',
  'erasures:read',
  'evidence:read',
  'documents:write',
  'biometrics:write',
  'kyb:read',
  'kyb:write',
  'registers:read',
  'registers:write',
  'faces:read',
  'faces:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
  'keys:read',
  'keys:write',
] as const;

export type IdentityPermission = (typeof IDENTITY_PERMISSIONS)[number];
