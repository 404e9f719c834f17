import { extendZodWithOpenApi, OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { MAX_FILE_SIZE } from '../../domain/file-size';
import { EVENT_TYPES } from '../../domain/platform/webhooks/event-types';
import type { EventType } from '../../domain/platform/webhooks/event-types';
import { EVENT_PAYLOAD_SCHEMAS } from '../../services/platform/webhooks/event-payloads';
import { EVENT_DOCS } from '../platform/webhooks/event-docs';
import type { ReplyDoc, Route } from './route';

extendZodWithOpenApi(z);

type ApiName = 'identity' | 'business';

/** The parts of a document that are not derived from routes. */
export interface DocumentInfo {
  title: string;
  description: string;
  version: string;
  /** Description of every tag, in the order of the documentation. */
  tags: Readonly<Record<string, string>>;
  /** Recorded responses by operation and status, for replies without an example of their own. */
  examples: RecordedExamples;
}

export type RecordedExamples = Readonly<Record<string, Readonly<Record<string, object>>>>;

const identityErrorSchema = z.object({
  ok: z.literal(false),
  error: z.object({
    code: z.string().meta({ description: 'Stable error code in snake_case.' }),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    requestId: z.string(),
  }),
});

const businessErrorSchema = z.object({
  ok: z.literal(false),
  message: z.string(),
  errors: z.array(z.string()).optional(),
  code: z.string().meta({ description: 'Stable error code in snake_case.' }),
  details: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string(),
});

const COMMON_ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is invalid; the response names every wrong field.',
  401: 'The credential is missing or invalid.',
  403: 'The credential lacks the required permission.',
  404: 'The record does not exist or is not accessible to this credential.',
  429: 'A rate limit is exceeded: `details.limit` names whose requests it counts (`address`, `key`, `user` or `organisation`), `Retry-After` contains the number of seconds to wait.',
  500: 'Internal error; the request id identifies it in the logs.',
  503: 'A required store does not respond, the query took too long, or too many requests are being processed; try again.',
};

const BODY_TIMEOUT = 'The body did not arrive in time or arrived too slowly; the connection is closed.';

function collectErrors(route: Route): Record<number, string> {
  const own = { ...route.errors };
  const isPublic = route.permission === 'public';
  const common = Object.entries(COMMON_ERRORS).filter(([status]) => !(isPublic && ['401', '403'].includes(status)));
  const bodyErrors =
    route.files !== undefined
      ? {
          408: BODY_TIMEOUT,
          413: `A file is larger than ${MAX_FILE_SIZE}.`,
          415: 'The body is not multipart/form-data, or the type of a file is not accepted.',
        }
      : route.body !== undefined
        ? { 408: BODY_TIMEOUT, 413: 'The body is larger than 1 MB.', 415: 'The body is not JSON.' }
        : {};
  const idempotency =
    route.idempotent === true
      ? {
          409: 'A request with the same Idempotency-Key is still running.',
          422: 'The Idempotency-Key was used with a different body.',
        }
      : {};
  return { ...Object.fromEntries(common), ...bodyErrors, ...idempotency, ...own };
}

function buildReplyContent(reply: ReplyDoc, recordedExample: object | undefined) {
  if ('contentType' in reply) {
    const bytes = { schema: z.string().meta({ format: 'binary' }) };
    return Object.fromEntries([reply.contentType].flat().map((contentType) => [contentType, bytes]));
  }
  const schema = z.object({ ok: z.literal(true), ...reply.schema.shape });
  const example = reply.example ?? recordedExample;
  return {
    'application/json': { schema, ...(example === undefined ? {} : { example: { ok: true, ...example } }) },
  };
}

function buildRequestBody(route: Route) {
  if (route.files !== undefined) {
    const fields = route.body instanceof z.ZodObject ? route.body.shape : {};
    const files = Object.fromEntries(
      Object.entries(route.files).map(([name, file]) => {
        const fileSchema = z.string().meta({ format: 'binary', description: file.description });
        const schema = (file.maxCount ?? 1) > 1 ? z.array(fileSchema).max(file.maxCount ?? 1) : fileSchema;
        return [name, file.required ? schema : schema.optional()];
      }),
    );
    return { content: { 'multipart/form-data': { schema: z.strictObject({ ...fields, ...files }) } }, required: true };
  }
  if (route.body === undefined) return undefined;
  return {
    content: {
      'application/json': {
        schema: route.body,
        ...(route.bodyExample === undefined ? {} : { example: route.bodyExample }),
      },
    },
    // A missing body counts as {}.
    required: !route.body.safeParse({}).success,
  };
}

const IDEMPOTENCY_KEY = z.string().max(255).optional().meta({
  pattern: '^[!-~]+$',
  description:
    'Unique key of the request, chosen by the client. A retry with the same key within 24 hours returns the first response.',
});

/** The request headers that a route documents; undefined if there are none. */
function buildRequestHeaders(route: Route): { headers: z.ZodObject } | undefined {
  const own = Object.entries(route.headers ?? {}).map(
    ([name, description]) => [name, z.string().optional().meta({ description })] as const,
  );
  const all = { ...(route.idempotent === true ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}) };
  const shape: Record<string, z.ZodType> = { ...all, ...Object.fromEntries(own) };
  return Object.keys(shape).length === 0 ? undefined : { headers: z.object(shape) };
}

/** What a request to a route must contain; the capture page has a credential of its own. */
function listSecurity({ permission }: Route): Record<string, string[]>[] {
  if (permission === 'public') return [];
  return permission === 'capture' ? [{ captureCookie: [] }] : [{ bearer: [] }, { apiKey: [] }];
}

function describePermission({ permission, alternativePermissions = [] }: Route): string {
  if (permission === 'capture') return 'Requires the cookie of the capture page.';
  if (permission === 'public') return 'No credential is required.';
  if (permission === 'any') return 'Any valid credential is accepted.';
  const accepted = [permission, ...alternativePermissions].map((each) => `\`${each}\``);
  return `Requires the permission ${accepted.join(' or ')}.`;
}

function registerRoute(registry: OpenAPIRegistry, api: ApiName, route: Route, examples: RecordedExamples): void {
  const recordedExamples = examples[route.operationId] ?? {};
  const errorSchema = api === 'identity' ? 'IdentityError' : 'BusinessError';
  const body = buildRequestBody(route);
  const errorContent = { 'application/json': { schema: { $ref: `#/components/schemas/${errorSchema}` } } };
  const responses: RouteConfig['responses'] = {};
  for (const [status, reply] of Object.entries(route.replies)) {
    responses[status] = { description: reply.description, content: buildReplyContent(reply, recordedExamples[status]) };
  }
  for (const [status, description] of Object.entries(collectErrors(route))) {
    responses[status] = { description, content: errorContent };
  }
  registry.registerPath({
    method: route.method,
    path: route.path.replace(/:([A-Za-z]+)/g, '{$1}'),
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, describePermission(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: listSecurity(route),
    request: {
      ...(route.params instanceof z.ZodObject ? { params: route.params } : {}),
      ...(route.query instanceof z.ZodObject ? { query: route.query } : {}),
      ...buildRequestHeaders(route),
      ...(body === undefined ? {} : { body }),
    },
    responses,
    ...(route.addition === true ? { 'x-addition': true } : {}),
    ...(['public', 'any', 'capture'].includes(route.permission) ? {} : { 'x-permission': route.permission }),
  });
}

const webhookHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'Id of the delivery, the same for every attempt.' }),
  'webhook-timestamp': z.string().meta({ description: 'Time of the attempt in Unix seconds.' }),
  'webhook-signature': z.string().meta({
    description: 'Standard Webhooks signatures (`v1,…`), one for each valid secret, separated by spaces.',
  }),
});

/** Documents the request that delivers events of one type. */
function registerEvent(registry: OpenAPIRegistry, type: EventType): void {
  const { summary, example } = EVENT_DOCS[type];
  const schema = z.object({
    type: z.literal(type),
    mode: z.enum(['live', 'test']).meta({ description: 'Mode of the record; business records have only live mode.' }),
    timestamp: z.iso.datetime().meta({ description: 'Time of the event, the same for every attempt.' }),
    data: EVENT_PAYLOAD_SCHEMAS[type],
  });
  const content = {
    'application/json': {
      schema,
      example: { type, mode: 'live', timestamp: '2026-11-21T10:00:05.000Z', data: example },
    },
  };
  registry.registerWebhook({
    method: 'post',
    path: type,
    operationId: `on ${type}`.replace(/[ ._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary,
    tags: ['Webhooks'],
    request: { headers: webhookHeaders, body: { required: true, content } },
    responses: {
      '2XX': { description: 'The delivery is accepted.' },
      '410': { description: 'The endpoint is gone: the webhook is disabled.' },
      default: { description: 'The delivery is retried with increasing delays.' },
    },
  });
}

/** Builds the OpenAPI 3.1 document of one API from its routes and from the webhook events. */
export function buildOpenApiDocument(
  api: ApiName,
  routes: readonly Route[],
  { tags, examples, ...info }: DocumentInfo,
): object {
  const registry = new OpenAPIRegistry();
  registry.register('IdentityError', identityErrorSchema);
  registry.register('BusinessError', businessErrorSchema);
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  registry.registerComponent('securitySchemes', 'apiKey', { type: 'apiKey', in: 'header', name: 'X-API-Key' });
  if (routes.some(({ permission }) => permission === 'capture')) {
    registry.registerComponent('securitySchemes', 'captureCookie', {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-vouch_capture',
      description: 'Set by `POST /v1/capture/exchange`. Requests other than GET also need `Origin` and `X-CSRF-Token`.',
    });
  }
  for (const route of routes) registerRoute(registry, api, route, examples);
  for (const type of EVENT_TYPES) registerEvent(registry, type);
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  });
}
