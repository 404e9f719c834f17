import { randomBytes } from 'node:crypto';
import { formatSecret, SECRET_BYTES } from '../../../domain/platform/webhooks/signature';
import type { MasterKey, SealedSecret } from '../../../lib/crypto/master-key';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';

/** A secret as stored in the endpoint's record. */
export interface StoredSecret extends SealedSecret {
  createdAt: Date;
  /** Until this time it signs in addition to its successor; null for the current secret. */
  expiresAt: Date | null;
}

/** Binds an encrypted secret to its endpoint. */
export const buildWebhookSecretAad = (organisationId: string, endpointId: string): string =>
  `webhook-secret:${organisationId}:${endpointId}`;

/** Creates a signing secret: in plain text for its owner, and encrypted for storage. */
export function createWebhookSecret(
  masterKey: MasterKey,
  organisationId: string,
  endpointId: string,
  now: Date,
): { secret: string; stored: StoredSecret } {
  const secret = formatSecret(randomBytes(SECRET_BYTES));
  const sealed = masterKey.seal(secret, buildWebhookSecretAad(organisationId, endpointId));
  return { secret, stored: { ...sealed, createdAt: now, expiresAt: null } };
}

/** Converts a secret of an endpoint's record. */
export const toStoredSecret = ({
  keyId,
  data,
  createdAt,
  expiresAt,
}: WebhookEndpointRecord['secrets'][number]): StoredSecret => ({
  keyId,
  data,
  createdAt,
  expiresAt: expiresAt ?? null,
});

/** Maximum number of valid secrets: each adds a signature to a header whose length receivers limit. */
export const MAX_ACTIVE_SECRETS = 5;

/**
 * The secrets of an endpoint after a rotation: the new one first, then the previous ones, which stay valid for at most
 * `overlapMs`. Expired secrets are removed.
 */
export const rotateSecrets = <S extends Pick<StoredSecret, 'expiresAt'>>(
  secrets: readonly S[],
  next: S,
  now: Date,
  overlapMs: number,
): S[] => {
  const until = new Date(now.getTime() + overlapMs);
  const retired = secrets.map((secret) => ({
    ...secret,
    expiresAt: secret.expiresAt instanceof Date && secret.expiresAt < until ? secret.expiresAt : until,
  }));
  return [next, ...retired.filter(({ expiresAt }) => expiresAt > now)];
};

/** The secrets that are valid at `now`, newest first. */
export const openActiveSecrets = (masterKey: MasterKey, endpoint: WebhookEndpointRecord, now: Date): string[] =>
  endpoint.secrets
    .filter(({ expiresAt }) => !(expiresAt instanceof Date) || expiresAt > now)
    .map(({ keyId, data }) =>
      masterKey.open({ keyId, data }, buildWebhookSecretAad(endpoint.organisationId, endpoint._id)).toString('utf8'),
    );
