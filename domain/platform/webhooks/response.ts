/** How long a receiver may take to answer; it should queue the event and answer at once. */
export const ATTEMPT_TIMEOUT_SECONDS = 15;

/** How much of the receiver's answer is kept with the attempt. */
export const RESPONSE_EXCERPT_BYTES = 1024;

/**
 * What an answer's status means for the delivery.
 * - `accepted`: any 2xx;
 * - `gone`: 410, the receiver wants no more events at this address;
 * - `busy`: 429 or 503, which may name a time to come back (`Retry-After`);
 * - `rejected`: all else, redirects among it: following one would send a signed body where nobody registered.
 */
export type ResponseVerdict = 'accepted' | 'gone' | 'busy' | 'rejected';

export const classifyResponse = (status: number): ResponseVerdict => {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 410) return 'gone';
  return status === 429 || status === 503 ? 'busy' : 'rejected';
};
