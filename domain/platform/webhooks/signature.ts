import { Webhook } from 'standardwebhooks';

/** Prefix of a symmetric signing secret in the Standard Webhooks specification. */
export const SECRET_PREFIX = 'whsec_';

/** Length of the random key; the specification allows 24 to 64 bytes. */
export const SECRET_BYTES = 32;

/** The secret as shown to its owner: prefix and base64 of the key. */
export const formatSecret = (key: Buffer): string => SECRET_PREFIX + key.toString('base64');

export interface SignedHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * The three headers of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 over `id.timestamp.body`, one
 * signature for each valid secret, separated by spaces.
 *
 * @param id - id of the event, the same for every attempt, so that the receiver can ignore repetitions
 * @param sentAt - time of this attempt; receivers reject signatures older than a few minutes
 * @param secrets - at least one, newest first
 */
export const buildSignedHeaders = (
  id: string,
  sentAt: Date,
  body: string,
  secrets: readonly string[],
): SignedHeaders => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
});
