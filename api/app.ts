import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import pinoHttp from 'pino-http';
import { AppError } from '../domain/errors';
import { withLogContext } from '../lib/context';
import { newId } from '../lib/ids';
import { keepHealthChecks } from '../lib/http-health';
import { pingMongo } from '../lib/mongo';
import { pingTemporal } from '../lib/temporal';
import type { Platform } from '../services/platform/platform';
import { checkKeyStore } from '../services/platform/evidence/wrapping-keys';
import { checkVisionWorkers } from '../services/platform/readiness';
import { BodyIntake } from './http/body-intake';
import { createCorsHandler } from './http/browser';
import { normaliseForwardedAddresses } from './http/forwarded-addresses';
import { buildRefusalBody } from './http/malformed-requests';
import { answerNotModified } from './http/not-modified';
import { createPageLimit } from './http/page-limit';
import { createBusinessApi } from './business';
import { createInvoicePageRouter } from './business/messages/invoice-page';
import { createIdentityApi } from './identity';
import { createCaptureApi } from './identity/capture';
import { createDocsRouter } from './platform/docs';
import { createWebRouter } from './web/pages';
import { createHttpMetrics, createMetricsRouter } from './platform/metrics';
import { traceRequests } from './platform/tracing';
import { createFilesRouter } from './platform/evidence/files';
import { createWellKnownRouter } from './platform/well-known';
import { createApiRouter } from './http/router';

const REQUEST_ID_PATTERN = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Sets the request id (from the client if valid), which is part of the response, of log lines and of workflows. */
function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const sent = request.get('x-request-id');
  const requestId = sent !== undefined && REQUEST_ID_PATTERN.test(sent) ? sent : newId('req');
  response.locals['requestId'] = requestId;
  response.set('X-Request-Id', requestId);
  withLogContext({ requestId }, next);
}

/** Paths that are polled within the network, also over plain HTTP; a log line for each would hide the others. */
const QUIET_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Rejects plain HTTP in production, also behind a proxy that terminates TLS. */
const requireHttps =
  (platform: Platform) =>
  (request: Request, response: Response, next: NextFunction): void => {
    if (platform.config.NODE_ENV !== 'production' || request.secure || QUIET_PATHS.has(request.path)) return next();
    response.status(403).json(buildRefusalBody({ code: 'https_required', message: 'Use https.' }));
  };

/** The methods of everything outside the two APIs: health, documentation, metrics and files are only read. */
const PAGE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

function requirePageMethod(request: Request, response: Response, next: NextFunction): void {
  if (/^\/(v1|api)(\/|$)/.test(request.path) || PAGE_METHODS.includes(request.method)) return next();
  const error = { code: 'method_not_allowed', message: `This path accepts ${PAGE_METHODS.join(', ')}.` };
  response.status(405).set('Allow', PAGE_METHODS.join(', ')).json({ ok: false, error });
}

function createHealthRouter(platform: Platform, state: ProcessState): express.Router {
  const router = express.Router();
  const check = keepHealthChecks({
    mongodb: () => pingMongo(),
    temporal: () => pingTemporal(platform.temporal, platform.config.TEMPORAL_NAMESPACE),
    objects: () => platform.objects.health(),
    keys: () => checkKeyStore(platform),
    models: () => checkVisionWorkers(platform),
  });
  router.get('/healthz', (_request, response) => {
    response.json({ ok: true });
  });
  router.get('/readyz', async (_request, response) => {
    if (state.isDraining()) {
      response.status(503).json({ ok: false, checks: { accepting: 'failed' } });
      return;
    }
    const { ready, checks } = await check();
    response.status(ready ? 200 : 503).json({ ok: ready, checks });
  });
  return router;
}

/** What the application reports about its process. */
export interface ProcessState {
  /** Whether the process is shutting down, so that load balancers should send requests elsewhere. */
  isDraining: () => boolean;
}

/** The Express application: health, documentation, metrics, `/v1` and `/api`. */
export function createApp(platform: Platform, state: ProcessState = { isDraining: () => false }): Express {
  const app = express();
  app.disable('x-powered-by');
  answerNotModified(app);
  app.set('trust proxy', platform.config.TRUSTED_PROXIES.length > 0 ? [...platform.config.TRUSTED_PROXIES] : false);
  app.set('query parser', 'simple');
  if (platform.config.TRUSTED_PROXIES.length > 0) app.use(normaliseForwardedAddresses);
  app.use(assignRequestId);
  app.use(createHttpMetrics(platform));
  if (platform.config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) app.use(traceRequests);
  app.use(
    pinoHttp({
      logger: platform.logger,
      quietReqLogger: true,
      autoLogging: { ignore: (request) => QUIET_PATHS.has(request.url ?? '') },
      // Errors are logged where they are handled; this line says what the client got.
      customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'warn' : 'info'),
      customErrorObject: (_request, _response, _error, values: object) => ({ ...values, err: undefined }),
      serializers: {
        // Omits query strings, which can contain names, and the tokens in paths of files and pages.
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          path: request.url.split('?')[0]?.replace(/^\/(files|invoice)\/.*/, '/$1/…'),
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      },
    }),
  );
  // Nothing here is embedded in other pages.
  const directives = { baseUri: ["'none'"], frameAncestors: ["'none'"] };
  app.use(helmet({ hsts: platform.config.NODE_ENV === 'production', contentSecurityPolicy: { directives } }));
  app.use(requireHttps(platform));
  app.use(requirePageMethod);
  app.use(
    ['/readyz', '/openapi', '/docs', '/.well-known', '/verify', '/console', '/invoice'],
    createPageLimit(platform.config, platform.logger),
  );
  app.use(createHealthRouter(platform, state));
  app.use(createMetricsRouter(platform));
  app.use(createDocsRouter());
  app.use(createWebRouter(platform.config));
  const apis = [createCaptureApi(platform), createIdentityApi(platform), createBusinessApi(platform)];
  app.use(['/v1', '/api'], createCorsHandler(platform.config, apis));
  app.use(createFilesRouter(platform));
  app.use(createInvoicePageRouter(platform));
  app.use(createWellKnownRouter(platform));
  const bodies = new BodyIntake(platform.config);
  for (const definition of apis) app.use(createApiRouter(platform, definition, bodies));
  app.use((_request: Request, response: Response) => {
    const error = new AppError(
      'not_found',
      404,
      'No such page; the console is at /console, the documentation at /docs.',
    );
    response.status(404).json({ ok: false, error: { code: error.code, message: error.message } });
  });
  return app;
}
