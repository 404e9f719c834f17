import { z } from 'zod';
import { businessInfo, businessRoutes } from '../../../api/business';
import { buildOpenApiDocument } from '../../../api/http/openapi';
import { identityInfo, identityRoutes } from '../../../api/identity';
import { EVENT_DOCS } from '../../../api/platform/webhooks/event-docs';
import { EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import { EVENT_PAYLOAD_SCHEMAS } from '../../../services/platform/webhooks/event-payloads';

const operationSchema = z.object({
  tags: z.array(z.string()),
  description: z.string().optional(),
  summary: z.string(),
});
const documentSchema = z.object({
  info: z.object({ license: z.object({ identifier: z.literal('Apache-2.0') }) }),
  tags: z.array(z.object({ name: z.string(), description: z.string().min(1) })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  webhooks: z.record(z.string(), z.object({ post: operationSchema })),
});

const documents = [
  ['identity', buildOpenApiDocument('identity', identityRoutes, identityInfo)],
  ['business', buildOpenApiDocument('business', businessRoutes, businessInfo)],
] as const;

describe.each(documents)('OpenAPI document of the %s API', (_name, generated) => {
  const document = documentSchema.parse(generated);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  test('describes every tag it uses, and no other', () => {
    const used = new Set(
      [...operations, ...Object.values(document.webhooks).map(({ post }) => post)].flatMap(({ tags }) => tags),
    );
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
  });

  test('has every event type as a webhook', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_TYPES].sort());
  });

  test('does not mention internal extensions in its descriptions', () => {
    const texts = operations.flatMap(({ summary, description }) => [summary, description ?? '']);
    expect(texts.filter((text) => /x-(addition|permission)/.test(text))).toEqual([]);
  });
});

test.each(EVENT_TYPES)('the example of %s has exactly the fields of its schema', (type) => {
  const { example } = EVENT_DOCS[type];
  expect(EVENT_PAYLOAD_SCHEMAS[type].parse(example)).toEqual(example);
});
