import type { Route } from '../../http/route';
import { apiKeyRoutes } from './api-keys';
import { auditLogRoutes } from './audit-log';
import { invariantRoutes } from '../invariants/invariants';
import { signInPolicyRoutes } from './sign-in-policy';
import { userSessionRoutes } from './sessions';
import { userRoutes } from './users';
import { webhookRoutes } from './webhooks';

/** Every route under /api/admin. */
export const administrationRoutes: readonly Route[] = [
  ...userRoutes,
  ...userSessionRoutes,
  ...signInPolicyRoutes,
  ...apiKeyRoutes,
  ...auditLogRoutes,
  ...invariantRoutes,
  ...webhookRoutes,
];
