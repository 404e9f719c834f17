/** Timeout of a delivery attempt. Receivers should queue the event and respond immediately. */
export const ATTEMPT_TIMEOUT_SECONDS = 15;

/** Number of bytes of the receiver's response that are stored with the attempt. */
export const RESPONSE_EXCERPT_BYTES = 1024;

/**
 * Meaning of a response status for the delivery.
 * - `accepted`: any 2xx;
 * - `gone`: 410, the receiver wants no more events at this URL;
 * - `busy`: 429 or 503, optionally with `Retry-After`;
 * - `rejected`: any other status, including redirects, since their targets are not registered.
 */
export type ResponseVerdict = 'accepted' | 'gone' | 'busy' | 'rejected';

/** What the HTTP status of a receiver means for the delivery. */
export const classifyResponse = (status: number): ResponseVerdict => {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 410) return 'gone';
  return status === 429 || status === 503 ? 'busy' : 'rejected';
};
