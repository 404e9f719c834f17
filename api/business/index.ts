import { unauthorized } from '../../domain/errors';
import { createRateLimiter } from '../../lib/rate-limiter';
import { authenticateApiKey } from '../../services/platform/api-keys';
import type { Platform } from '../../services/platform/platform';
import { credentialOfKey } from '../credentials';
import { renderBusinessError } from '../errors';
import type { DocumentInfo } from '../openapi';
import type { Route } from '../route';
import type { ApiDefinition } from '../router';
import { invoicePdfRoutes } from './invoice-pdf';

/** Every route under /api. */
export const businessRoutes: readonly Route[] = [...invoicePdfRoutes];

export const businessInfo: DocumentInfo = {
  title: 'Vouch business management API',
  version: '1.0.0',
  description: 'Catalogue, customers and invoices. Operations marked `x-addition` are not in the contract.',
};

/** The business API: bearer tokens or API keys, budgets per client address. */
export function businessApi(platform: Platform): ApiDefinition {
  const { config } = platform;
  const general = createRateLimiter('business', config.RATE_LIMIT_BUSINESS_PER_MINUTE);
  const authentication = createRateLimiter('business-auth', config.RATE_LIMIT_AUTH_PER_MINUTE);
  return {
    name: 'business',
    prefix: '/api',
    routes: businessRoutes,
    renderError: renderBusinessError,
    async authenticate(_platform, presented) {
      if (presented.apiKey !== null) return credentialOfKey(await authenticateApiKey(platform, 'business', presented.apiKey, presented.address));
      throw unauthorized();
    },
    limits: {
      before: (route, address) => [
        { limiter: general, key: address },
        ...(route?.limit === 'authentication' ? [{ limiter: authentication, key: address }] : []),
      ],
    },
  };
}
