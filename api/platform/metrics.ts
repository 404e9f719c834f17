import { Router } from 'express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { cacheResult } from '../../lib/cached-result';
import { isMetricsToken, METRICS_CONTENT_TYPE, METRICS_TOKEN_REQUIRED } from '../../lib/metrics/access';
import { Metrics } from '../../lib/metrics/metrics';
import type { Platform } from '../../services/platform/platform';
import { isIncomplete } from '../http/stream-reply';
import { readInstallationMetrics } from './installation-metrics';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The template of the route that handled a request, such as `/v1/sessions/:id`; never the path, which contains ids. */
export function getRouteLabel(request: Request): string {
  const route: unknown = request.route;
  const path = typeof route === 'object' && route !== null && 'path' in route ? route.path : undefined;
  return typeof path === 'string' ? path : 'unmatched';
}

/** What the client received: a status, or none of ours if the client disconnected or the response could not be ended. */
function getStatusLabel(response: Response): string {
  if (response.writableFinished) return String(response.statusCode);
  return isIncomplete(response) ? 'incomplete' : 'aborted';
}

/** Counts requests by route and status, and measures their time. */
export function createHttpMetrics(platform: Platform): RequestHandler {
  const { httpRequests, httpDuration, httpInProgress } = platform.singletons.get(Metrics).instruments;
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    httpInProgress.inc();
    response.once('close', () => {
      httpInProgress.dec();
      const method = METHODS.has(request.method) ? request.method : 'other';
      const route = getRouteLabel(request);
      httpRequests.inc({ method, route, status: getStatusLabel(response) });
      httpDuration.observe({ method, route }, (performance.now() - startedAt) / 1000);
    });
    next();
  };
}

/**
 * `/metrics` in the Prometheus text format, protected by METRICS_TOKEN: the metrics of this process, followed by those of
 * the installation. Without a token the route does not exist.
 */
export function createMetricsRouter(platform: Platform): Router {
  const router = Router();
  const token = platform.config.metricsToken;
  if (token === undefined) return router;
  const { registry } = platform.singletons.get(Metrics);
  // Scrapes at the same time share one reading.
  const readInstallation = cacheResult(0, () => readInstallationMetrics(platform));
  router.get('/metrics', async (request, response) => {
    if (!isMetricsToken(request.get('authorization'), token)) {
      response.status(401).set('WWW-Authenticate', 'Bearer').type('text').send(METRICS_TOKEN_REQUIRED);
      return;
    }
    const [own, installation] = await Promise.all([registry.metrics(), readInstallation()]);
    response.set('Cache-Control', 'no-store').type(METRICS_CONTENT_TYPE).send(`${own}${installation}`);
  });
  return router;
}
