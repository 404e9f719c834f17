import { IDENTITY_PERMISSIONS } from '../../domain/identity/access/permissions';
import { unauthorizedError } from '../../domain/errors';
import { createRateLimiter } from '../../lib/rate-limiter';
import { VERSION } from '../../lib/version';
import { authenticateApiKey } from '../../services/platform/access/api-keys';
import type { Platform } from '../../services/platform/platform';
import { authenticateBrowser, createConsoleCookieJar } from '../http/browser';
import { buildCredentialFromBrowser, buildCredentialFromKey } from '../http/credentials';
import type { Credential } from '../http/credentials';
import { renderIdentityError } from '../http/errors';
import type { DocumentInfo } from '../http/openapi';
import { auditRoutes } from '../platform/audit/audit';
import { keyRoutes } from '../platform/access/keys';
import { statisticsRoutes } from '../platform/statistics/statistics';
import { webhookRoutes } from '../platform/webhooks/webhooks';
import { countCaller, createOrganisationLimit } from '../http/rate-limits';
import type { Route } from '../http/route';
import type { ApiDefinition } from '../http/router';
import { authRoutes } from './access/auth';
import { secondFactorRoutes } from './access/second-factor';
import { signInSessionRoutes } from './access/sessions';
import { blocklistRoutes } from './documents/blocklist';
import { amlRoutes } from './aml/aml';
import { amlListRoutes } from './aml/lists';
import { capturePageRoutes } from './capture';
import { captureLinkRoutes } from './capture/access';
import { brandingRoutes } from './capture/branding';
import { checkRoutes } from './checks/checks';
import { databaseRoutes } from './database-validation/database-validation';
import { decisionRoutes } from './sessions/decisions';
import { sessionNoteRoutes } from './sessions/session-notes';
import { erasureRoutes } from './erasure/erasures';
import { kybRoutes } from './kyb/kyb';
import { registerRoutes } from './registers/registers';
import { evidenceRoutes } from './checks/evidence';
import { ageRoutes } from './biometrics/ages';
import { faceSearchRoutes } from './biometrics/face-search';
import { livenessRoutes } from './biometrics/liveness';
import { sessionChangeRoutes } from './sessions/session-changes';
import { sessionRoutes } from './sessions/sessions';
import { simulationRoutes } from './sessions/template-simulation';
import { templateRoutes } from './sessions/session-templates';
import { identitySetupRoutes } from './setup/setup';
import { shareRoutes } from './sharing/shares';
import { trustedOrganisationRoutes } from './sharing/trusted-organisations';
import { sharingRoutes } from './sharing/sharing';
import { checkStatisticsRoutes } from './statistics/checks';
import { sessionStatisticsRoutes } from './statistics/sessions';
import examples from '../examples/identity.json';

/** The routes under /v1 for API keys and signed-in users. */
export const identityRoutes: readonly Route[] = [
  ...sessionRoutes,
  ...sessionChangeRoutes,
  ...captureLinkRoutes,
  ...brandingRoutes,
  ...decisionRoutes,
  ...sessionNoteRoutes,
  ...templateRoutes,
  ...simulationRoutes,
  ...checkRoutes,
  ...livenessRoutes,
  ...ageRoutes,
  ...faceSearchRoutes,
  ...databaseRoutes,
  ...blocklistRoutes,
  ...erasureRoutes,
  ...kybRoutes,
  ...amlRoutes,
  ...amlListRoutes,
  ...registerRoutes,
  ...authRoutes,
  ...signInSessionRoutes,
  ...secondFactorRoutes,
  ...evidenceRoutes,
  ...sharingRoutes,
  ...shareRoutes,
  ...trustedOrganisationRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...webhookRoutes,
  ...sessionStatisticsRoutes,
  ...checkStatisticsRoutes,
  ...statisticsRoutes,
  ...identitySetupRoutes,
];

/** Every route under /v1, also those of the capture page. */
export const documentedIdentityRoutes: readonly Route[] = [...identityRoutes, ...capturePageRoutes];

export const identityInfo: DocumentInfo = {
  title: 'Vouch identity verification API',
  version: VERSION,
  examples,
  description: [
    'Verification sessions, identity documents, biometrics, webhooks and API keys.',
    'Send an API key as `Authorization: Bearer vk_…` or `X-API-Key: vk_…`; pages sign in with `POST /v1/auth/login` and send a cookie instead. Every response body has `ok`; an error response has `error`. No text in a request may contain U+0000.',
    `Permissions: ${IDENTITY_PERMISSIONS.map((name) => `\`${name}\``).join(', ')}.`,
  ].join('\n\n'),
  tags: {
    Sessions: 'Verification of one person in steps, from creation to a decision.',
    'Session workflows': 'Templates with the settings of sessions: features, thresholds, actions and rules.',
    Checks: 'Results of single checks, standalone or as a step of a session.',
    Capture: 'The hosted page on which a person completes a session; its routes accept only its own cookie.',
    Documents: 'Verification of identity documents, proofs of address and data of national registers.',
    Biometrics: 'Liveness, face comparison, age estimation and face search.',
    Blocklist: 'Identity documents that fail verification.',
    AML: 'Screening of names against sanctions and watch lists, reviews and ongoing monitoring.',
    'Business checks': 'Verification of companies with public registers (KYB).',
    Registers: "The organisation's own registers of persons and companies.",
    Erasures: 'Receipts of erased personal data.',
    'Browser sessions': 'Sign-in of users from a browser.',
    Keys: 'API keys and their permissions.',
    'Audit log': 'Records of every change, sealed in a hash chain.',
    Statistics: 'Figures of sessions, checks, deliveries and worker pools, and the first-run checklist.',
    Webhooks: 'Subscriptions to events, deliveries and recovery of missed events.',
  },
};

/**
 * The identity API: API keys or browser sessions, rate limits per key or user, and per organisation. If a request has a key in both
 * headers, both must be valid, and the one in X-API-Key is used.
 */
export function createIdentityApi(platform: Platform): ApiDefinition {
  const { config } = platform;
  const createLimits = (name: string, perMinute: number) => {
    const caller = createRateLimiter(name, perMinute);
    const countOrganisation = createOrganisationLimit(name, perMinute, config);
    return (credential: Credential) => [countCaller(caller, credential), countOrganisation(credential)];
  };
  const general = createLimits('identity', config.RATE_LIMIT_IDENTITY_PER_MINUTE);
  const creation = createLimits('identity-sessions', config.RATE_LIMIT_SESSION_CREATION_PER_MINUTE);
  const authentication = createRateLimiter('identity-auth', config.RATE_LIMIT_AUTH_PER_MINUTE);
  const jar = createConsoleCookieJar(config);
  return {
    name: 'identity',
    prefix: '/v1',
    routes: identityRoutes,
    renderError: renderIdentityError,
    async authenticate(_platform, { apiKey, bearer, browser, address }) {
      const authenticateKey = async (key: string) =>
        buildCredentialFromKey(await authenticateApiKey(platform, 'identity', key, address));
      const bearerCredential = bearer === null ? null : await authenticateKey(bearer);
      if (apiKey !== null) return authenticateKey(apiKey);
      if (bearerCredential !== null) return bearerCredential;
      if (jar.read(browser.cookie) !== null)
        return buildCredentialFromBrowser(await authenticateBrowser(platform, jar, browser), 'identity');
      throw unauthorizedError('Send an API key as Authorization: Bearer or X-API-Key.');
    },
    limits: {
      before: (route, address) =>
        route?.limit === 'authentication' ? [{ limiter: authentication, counts: 'address', key: address }] : [],
      after: (route, credential) => (route.limit === 'session_creation' ? creation : general)(credential),
    },
  };
}
