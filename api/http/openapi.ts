import { extendZodWithOpenApi, OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { ReplyDoc, Route } from './route';

extendZodWithOpenApi(z);

type ApiName = 'identity' | 'business';

/** Title and prose of one document. */
export interface DocumentInfo {
  title: string;
  description: string;
  version: string;
}

const identityErrorSchema = z.object({
  ok: z.literal(false),
  error: z.object({
    code: z.string().meta({ description: 'Stable, lower_snake.' }),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    requestId: z.string(),
  }),
});

const businessErrorSchema = z.object({
  ok: z.literal(false),
  message: z.string(),
  errors: z.array(z.string()).optional(),
  code: z.string().meta({ description: 'An addition: stable, lower_snake.' }),
  details: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string(),
});

const COMMON_ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is not valid; every wrong field is named.',
  401: 'No valid credential.',
  403: 'The credential lacks the permission.',
  404: 'No such record for this credential.',
  429: 'Rate limit exceeded; Retry-After says for how long.',
  500: 'Our fault; the request id finds it in the logs.',
  503: 'A store does not answer; try again.',
};

function collectErrors(route: Route): Record<number, string> {
  const own = { ...route.errors };
  const isPublic = route.permission === 'public';
  const common = Object.entries(COMMON_ERRORS).filter(([status]) => !(isPublic && ['401', '403'].includes(status)));
  const bodyErrors =
    route.files !== undefined
      ? { 413: 'A file is larger than 15 MB.', 415: 'The body is not multipart, or a file is of no accepted type.' }
      : route.body !== undefined
        ? { 413: 'The body is larger than 1 MB.', 415: 'The body is not JSON.' }
        : {};
  const idempotency =
    route.idempotent === true
      ? {
          409: 'A request with the same Idempotency-Key still runs.',
          422: 'The Idempotency-Key was used with another body.',
        }
      : {};
  return { ...Object.fromEntries(common), ...bodyErrors, ...idempotency, ...own };
}

function buildReplyContent(reply: ReplyDoc) {
  if ('contentType' in reply) {
    const bytes = { schema: z.string().meta({ format: 'binary' }) };
    return Object.fromEntries([reply.contentType].flat().map((contentType) => [contentType, bytes]));
  }
  const schema = z.object({ ok: z.literal(true), ...reply.schema.shape });
  return {
    'application/json': { schema, ...(reply.example === undefined ? {} : { example: { ok: true, ...reply.example } }) },
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
    return { content: { 'multipart/form-data': { schema: z.object({ ...fields, ...files }) } }, required: true };
  }
  if (route.body === undefined) return undefined;
  return {
    content: {
      'application/json': {
        schema: route.body,
        ...(route.bodyExample === undefined ? {} : { example: route.bodyExample }),
      },
    },
    // A body left out counts as {}.
    required: !route.body.safeParse({}).success,
  };
}

const IDEMPOTENCY_KEY = z.string().max(255).optional().meta({ description: 'Makes a retry safe for 24 hours.' });

/** The headers a route reads; undefined where it reads none of its own. */
function buildRequestHeaders(route: Route): { headers: z.ZodObject } | undefined {
  const own = Object.entries(route.headers ?? {}).map(
    ([name, description]) => [name, z.string().optional().meta({ description })] as const,
  );
  const all = { ...(route.idempotent === true ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}) };
  const shape: Record<string, z.ZodType> = { ...all, ...Object.fromEntries(own) };
  return Object.keys(shape).length === 0 ? undefined : { headers: z.object(shape) };
}

function registerRoute(registry: OpenAPIRegistry, api: ApiName, route: Route): void {
  const errorSchema = api === 'identity' ? 'IdentityError' : 'BusinessError';
  const body = buildRequestBody(route);
  const errorContent = { 'application/json': { schema: { $ref: `#/components/schemas/${errorSchema}` } } };
  const responses: RouteConfig['responses'] = {};
  for (const [status, reply] of Object.entries(route.replies)) {
    responses[status] = { description: reply.description, content: buildReplyContent(reply) };
  }
  for (const [status, description] of Object.entries(collectErrors(route))) {
    responses[status] = { description, content: errorContent };
  }
  const permission =
    route.permission === 'public'
      ? 'Public.'
      : route.permission === 'any'
        ? 'Any credential.'
        : `Permission: \`${route.permission}\`.`;
  registry.registerPath({
    method: route.method,
    path: route.path.replace(/:([A-Za-z]+)/g, '{$1}'),
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, permission].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: route.permission === 'public' ? [] : [{ bearer: [] }, { apiKey: [] }],
    request: {
      ...(route.params instanceof z.ZodObject ? { params: route.params } : {}),
      ...(route.query instanceof z.ZodObject ? { query: route.query } : {}),
      ...buildRequestHeaders(route),
      ...(body === undefined ? {} : { body }),
    },
    responses,
    ...(route.addition === true ? { 'x-addition': true } : {}),
    ...(route.permission === 'public' || route.permission === 'any' ? {} : { 'x-permission': route.permission }),
  });
}

/** The OpenAPI 3.1 document of one API, made from the schemas its routes check requests with. */
export function buildOpenApiDocument(api: ApiName, routes: readonly Route[], info: DocumentInfo): object {
  const registry = new OpenAPIRegistry();
  registry.register('IdentityError', identityErrorSchema);
  registry.register('BusinessError', businessErrorSchema);
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  registry.registerComponent('securitySchemes', 'apiKey', { type: 'apiKey', in: 'header', name: 'X-API-Key' });
  for (const route of routes) registerRoute(registry, api, route);
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { ...info },
    servers: [{ url: '/' }],
  });
}
