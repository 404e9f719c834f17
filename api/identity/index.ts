import { IDENTITY_PERMISSIONS } from '../../domain/identity/permissions';
import { unauthorized } from '../../domain/errors';
import { createRateLimiter } from '../../lib/rate-limiter';
import { authenticateApiKey } from '../../services/platform/api-keys';
import type { Platform } from '../../services/platform/platform';
import { credentialOfKey } from '../credentials';
import { renderIdentityError } from '../errors';
import type { DocumentInfo } from '../openapi';
import { keyRoutes } from '../platform/keys';
import { webhookRoutes } from '../platform/webhooks';
import type { Route } from '../route';
import type { ApiDefinition } from '../router';
import { checkRoutes } from './checks';
import { decisionRoutes } from './decisions';
import { erasureRoutes } from './erasures';
import { registerRoutes } from './registers';
import { sessionRoutes } from './sessions';

/** Every route under /v1. */
export const identityRoutes: readonly Route[] = [
  ...sessionRoutes,
  ...decisionRoutes,
  ...checkRoutes,
  ...erasureRoutes,
  ...registerRoutes,
  ...keyRoutes,
  ...webhookRoutes,
];

export const identityInfo: DocumentInfo = {
  title: 'Vouch identity verification API',
  version: '1.0.0',
  description: [
    'Verification sessions, identity documents, biometrics, webhooks and API keys.',
    'Send an API key as `Authorization: Bearer vk_…` or `X-API-Key: vk_…`. Every body has `ok`; a failure has `error`.',
    `Permissions: ${IDENTITY_PERMISSIONS.map((name) => `\`${name}\``).join(', ')}.`,
    'Operations marked `x-addition` are not in the contract.',
  ].join('\n\n'),
};

/** The identity API: API keys, budgets per organisation and key. */
export function identityApi(platform: Platform): ApiDefinition {
  const { config } = platform;
  const general = createRateLimiter('identity', config.RATE_LIMIT_IDENTITY_PER_MINUTE);
  const creation = createRateLimiter('identity-sessions', config.RATE_LIMIT_SESSION_CREATION_PER_MINUTE);
  return {
    name: 'identity',
    prefix: '/v1',
    routes: identityRoutes,
    renderError: renderIdentityError,
    async authenticate(_platform, presented) {
      const key = presented.apiKey ?? presented.bearer;
      if (key === null) throw unauthorized('Send an API key as Authorization: Bearer or X-API-Key.');
      return credentialOfKey(await authenticateApiKey(platform, 'identity', key, presented.address));
    },
    limits: {
      after: (route, credential) => [
        {
          limiter: route.limit === 'session_creation' ? creation : general,
          key: `${credential.organisationId}:${credential.id}`,
        },
      ],
    },
  };
}
