import type { Route } from '../../http/route';
import { apiKeyRoutes } from './api-keys';
import { auditLogRoutes } from './audit-log';
import { invariantRoutes } from '../invariants/invariants';
import { userRoutes } from './users';
import { webhookRoutes } from './webhooks';

/** Every route under /api/admin. */
export const administrationRoutes: readonly Route[] = [
  ...userRoutes,
  ...apiKeyRoutes,
  ...auditLogRoutes,
  ...invariantRoutes,
  ...webhookRoutes,
];
