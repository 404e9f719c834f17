import { unauthorizedError } from '../../domain/errors';
import { authenticateApiKey } from '../../services/platform/access/api-keys';
import { findRestriction } from '../../services/platform/access/restrictions';
import type { Platform } from '../../services/platform/platform';
import type { BusinessCaller } from '../../services/business/access/caller';
import { getOrCreateCompany } from '../../services/business/settings/company';
import { authenticateToken } from '../../services/business/access/sign-in';
import { buildCredentialFromKey } from '../http/credentials';
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

/**
 * Authenticates a bearer token from login, or an API key. If a request has both, both must be valid, and the API key is
 * used.
 * @throws AppError 401
 */
export async function authenticateBusiness(
  platform: Platform,
  { apiKey, bearer, address }: PresentedCredentials,
): Promise<Credential> {
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
  return { id, organisationId, mode, permissions, company: await getOrCreateCompany(platform, organisationId) };
}
