import { Webhook, WebhookVerificationError } from 'standardwebhooks';

type EventValue = string | number | boolean | null | readonly EventValue[] | { readonly [name: string]: EventValue };

/** An event as it is posted. It has ids and codes only; a receiver reads the record with its own key. */
export interface VouchEvent {
  type: string;
  mode: 'live' | 'test';
  /** Time of the event, ISO 8601. */
  timestamp: string;
  data: Record<string, EventValue>;
}

type HeaderValue = string | string[] | undefined;

/** The headers of a request, of Node or of the fetch API. */
export type WebhookHeaders = Headers | Record<string, HeaderValue>;

const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

function pickSignatureHeaders(headers: WebhookHeaders): Record<string, string> {
  const read = (name: string): HeaderValue =>
    headers instanceof Headers
      ? (headers.get(name) ?? undefined)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Object.fromEntries(SIGNATURE_HEADERS.map((name) => [name, [read(name)].flat()[0] ?? '']));
}

function isSignedWith(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

/**
 * Checks that an event comes from the service and is fresh (five minutes either way), in constant time.
 *
 * @param body - the raw body, byte for byte: JSON that was parsed and serialised again does not verify
 * @param secrets - `whsec_…`, or the old and the new secret during a rotation
 * @returns the event with its id; ignore ids that you have seen, since an event may be delivered twice
 * @throws WebhookVerificationError when no signature was made with any of the secrets, or the timestamp is more than five minutes off
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): VouchEvent & { id: string } {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signatureHeaders = pickSignatureHeaders(headers);
  if (![secrets].flat().some((secret) => isSignedWith(secret, text, signatureHeaders))) {
    throw new WebhookVerificationError(
      'The signature matches none of the secrets, or the timestamp is more than five minutes off.',
    );
  }
  return { ...(JSON.parse(text) as VouchEvent), id: signatureHeaders['webhook-id'] ?? '' };
}

export { WebhookVerificationError };
