import { randomBytes } from 'node:crypto';
import { formatSecret, SECRET_BYTES } from '../../../domain/platform/webhooks/signature';
import type { MasterKey, SealedSecret } from '../../../lib/crypto/master-key';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';

/** A secret as the endpoint's record keeps it. */
export interface StoredSecret extends SealedSecret {
  createdAt: Date;
  /** Until then it still signs, beside its successor; null while it is the current one. */
  expiresAt: Date | null;
}

/** Binds a sealed secret to its endpoint, so that it opens nowhere else. */
const buildSecretAad = (organisationId: string, endpointId: string): string =>
  `webhook-secret:${organisationId}:${endpointId}`;

/** A new signing secret: as its owner is shown it, once, and as it is kept. */
export function createWebhookSecret(
  masterKey: MasterKey,
  organisationId: string,
  endpointId: string,
  now: Date,
): { secret: string; stored: StoredSecret } {
  const secret = formatSecret(randomBytes(SECRET_BYTES));
  const sealed = masterKey.seal(secret, buildSecretAad(organisationId, endpointId));
  return { secret, stored: { ...sealed, createdAt: now, expiresAt: null } };
}

/** A secret of a record that was read. */
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

/** How many may sign at once: the header grows with each, and receivers read only so long a header. */
export const MAX_ACTIVE_SECRETS = 5;

/**
 * The secrets of an endpoint after a rotation: the new one first, and those in force before it, each for `overlapMs`
 * longer at most; what has run out is dropped.
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

/** The secrets that sign at `now`, newest first: the current one and, for a while after a rotation, its predecessor. */
export const openActiveSecrets = (masterKey: MasterKey, endpoint: WebhookEndpointRecord, now: Date): string[] =>
  endpoint.secrets
    .filter(({ expiresAt }) => !(expiresAt instanceof Date) || expiresAt > now)
    .map(({ keyId, data }) =>
      masterKey.open({ keyId, data }, buildSecretAad(endpoint.organisationId, endpoint._id)).toString('utf8'),
    );
