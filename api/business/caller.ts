import { AppError, unauthorizedError } from '../../domain/errors';
import { authenticateApiKey } from '../../services/platform/access/api-keys';
import { findRestriction } from '../../services/platform/access/restrictions';
import type { Platform } from '../../services/platform/platform';
import type { BusinessCaller, BusinessRequest } from '../../services/business/access/caller';
import { getOrCreateCompany } from '../../services/business/settings/company';
import { authenticateToken } from '../../services/business/access/sign-in';
import { authenticateBrowser, createConsoleCookieJar } from '../http/browser';
import { buildCredentialFromBrowser, buildCredentialFromKey, isBrowserRequest } from '../http/credentials';
import type { Credential, PresentedCredentials } from '../http/credentials';
import type { RouteContext } from '../http/route';

async function authenticateUser(platform: Platform, token: string): Promise<Credential> {
  const user = await authenticateToken(platform, token);
  return {
    id: user.record._id,
    kind: 'user',
    organisationId: user.record.organisationId,
    mode: 'live',
    permissions: user.permissions,
    key: null,
    browser: null,
    userId: user.record._id,
    sessionId: user.sessionId,
    restriction: findRestriction(user.record),
  };
}

/** @throws AppError 401 or 403 as {@link authenticateBrowser}; 403 for a session in test mode */
async function authenticateBrowserUser(platform: Platform, { browser }: PresentedCredentials): Promise<Credential> {
  const jar = createConsoleCookieJar(platform.config);
  const credential = buildCredentialFromBrowser(await authenticateBrowser(platform, jar, browser), 'business');
  // Someone who believes to be testing must not issue a real invoice.
  if (credential.mode !== 'live')
    throw new AppError(
      'live_mode_required',
      403,
      'Business records have only live mode: switch the session with POST /v1/auth/mode.',
    );
  return credential;
}

/**
 * Authenticates a bearer token from login, an API key, or the cookie of a browser session. If a request has token and
 * key, both must be valid, and the key is used; the cookie counts only without either.
 * @throws AppError 401, 403
 */
export async function authenticateBusiness(platform: Platform, presented: PresentedCredentials): Promise<Credential> {
  if (isBrowserRequest(presented, createConsoleCookieJar(platform.config)))
    return authenticateBrowserUser(platform, presented);
  const { apiKey, bearer, address } = presented;
  const user = bearer === null ? null : await authenticateUser(platform, bearer);
  const credential =
    apiKey === null ? user : buildCredentialFromKey(await authenticateApiKey(platform, 'business', apiKey, address));
  if (credential === null)
    throw unauthorizedError('Send a token as Authorization: Bearer, or an API key as X-API-Key.');
  return credential;
}

/** The caller, with the company that determines the time zone and defaults. */
export async function getCaller({ platform, credential }: RouteContext): Promise<BusinessCaller> {
  const { id, organisationId, mode, permissions } = credential;
  const company = await getOrCreateCompany(platform, organisationId);
  return { id, organisationId, mode, permissions, company, key: credential.key?.record ?? null };
}

/** The request of a caller as services expect it, with the Idempotency-Key of the route. */
export const buildRequest = (
  { platform, idempotency: use }: RouteContext,
  caller: BusinessCaller,
): BusinessRequest => ({
  platform,
  caller,
  use,
});
