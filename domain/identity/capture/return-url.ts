import type { SessionStatus } from '../sessions/session';

/**
 * The URL to which the capture page returns the person: the callback URL with `session_id` and `status` added to its
 * query. It contains nothing else about the session.
 */
export function buildReturnUrl(callbackUrl: string, session: { id: string; status: SessionStatus }): string {
  const url = new URL(callbackUrl);
  url.searchParams.set('session_id', session.id);
  url.searchParams.set('status', session.status);
  return url.href;
}
