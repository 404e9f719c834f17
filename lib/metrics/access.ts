import { constantTimeEqual } from '../crypto/secrets';

/** Whether an Authorization header presents the bearer token for metrics. */
export function isMetricsToken(authorization: string | undefined, token: string): boolean {
  const presented = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  return presented !== undefined && constantTimeEqual(presented, token);
}

/** The body of a response to a request without the token. */
export const METRICS_TOKEN_REQUIRED = 'Send METRICS_TOKEN as a bearer token.\n';

export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
