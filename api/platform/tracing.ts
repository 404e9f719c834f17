import type { NextFunction, Request, Response } from 'express';
import { startRequestSpan } from '../../lib/trace-context';
import { getRouteLabel } from './metrics';

const UNTRACED_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Records each request as a span, which continues the trace of a `traceparent` header. It has method, route template and
 * status; never the path or what the request contains.
 */
export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  if (UNTRACED_PATHS.has(request.path)) return next();
  const span = startRequestSpan(request.method, request.get('traceparent'), next);
  response.once('close', () => {
    const route = getRouteLabel(request);
    span.updateName(`${request.method} ${route}`);
    span.setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': response.statusCode,
      'vouch.request_id': String(response.locals['requestId'] ?? ''),
    });
    span.end();
  });
}
