import { z } from 'zod';
import { businessInfo, businessRoutes } from '../../../api/business';
import { buildOpenApiDocument } from '../../../api/http/openapi';
import { identityInfo, documentedIdentityRoutes } from '../../../api/identity';
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
  ['identity', buildOpenApiDocument('identity', documentedIdentityRoutes, identityInfo)],
  ['business', buildOpenApiDocument('business', businessRoutes, businessInfo)],
] as const;

type Schema = Record<string, unknown>;
interface RequestField {
  operation: string;
  name: string;
  inPath: boolean;
  schema: Schema;
}

const DATE_NAME = /(^date|Date|^since|^until|^asOf|^valid(From|To)|^lockedThrough|^date(From|To))$/;

const CODE_NAME = /^(currencyCode|baseCurrencyCode|country|nationality|issuingState|email)$/;

/** The fields of a schema and of the objects within it. */
function listFields(schema: unknown): [string, Schema][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.entries(schema.properties as Record<string, Schema>) : [];
  return [...own, ...Object.values(schema).flatMap(listFields)];
}

/** The parameters and the fields of the body of every operation. */
function listRequestFields(document: object): RequestField[] {
  const { paths } = document as { paths: Record<string, Record<string, Schema>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody }]) => {
      const operation = `${method} ${path}`;
      const sent = (parameters ?? []) as { name: string; in: string; schema: Schema }[];
      return [
        ...sent.map(({ name, in: place, schema }) => ({ operation, name, inPath: place === 'path', schema })),
        ...listFields(requestBody).map(([name, schema]) => ({ operation, name, inPath: false, schema })),
      ];
    }),
  );
}

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

  test('describes the form of every date in a request and of every id in a path', () => {
    const fields = listRequestFields(generated);
    expect(fields.length).toBeGreaterThan(50);
    const undescribed = fields.filter(({ name, inPath, schema }) => {
      const isFree =
        schema['pattern'] === undefined && schema['enum'] === undefined && schema['maxLength'] === undefined;
      if (inPath) return isFree && schema['type'] !== 'integer';
      // Read-only fields have no type: they may be sent back as they were read.
      return (
        schema['type'] !== undefined && DATE_NAME.test(name) && !/"(format|pattern|enum)":/.test(JSON.stringify(schema))
      );
    });
    expect(undescribed.map(({ operation, name }) => `${operation}: ${name}`)).toEqual([]);
  });

  test('describes the accepted currencies, countries and email addresses of a request', () => {
    const coded = listRequestFields(generated).filter(
      ({ operation, name }) => CODE_NAME.test(name) && !operation.endsWith('/auth/login'),
    );
    expect(coded.length).toBeGreaterThan(5);
    const undescribed = coded.filter(
      ({ schema }) => schema['readOnly'] !== true && schema['pattern'] === undefined && schema['enum'] === undefined,
    );
    expect(undescribed.map(({ operation, name }) => `${operation}: ${name}`)).toEqual([]);
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

/** The fields of a body, within objects and arrays, that accept null, such as `lines.unitPrice`. */
function listNullableFields(schema: unknown): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return listNullableFields(schema.unwrap());
  if (schema instanceof z.ZodArray) return listNullableFields(schema.element);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => [
    ...(field instanceof z.ZodType && field.safeParse(null).success ? [name] : []),
    ...listNullableFields(field).map((inner) => `${name}.${inner}`),
  ]);
}

const documentsNull = (schema: Schema | undefined): boolean => {
  if (schema === undefined) return false;
  const { type, anyOf } = schema as { type?: string | string[]; anyOf?: Schema[] };
  // Without a type, such as a read-only field, anything is documented.
  if (type === undefined && anyOf === undefined) return true;
  return [type].flat().includes('null') || (anyOf ?? []).some(documentsNull);
};

/** The schema of a field such as `lines.unitPrice`. */
function findField(schema: Schema | undefined, [name, ...rest]: readonly string[]): Schema | undefined {
  if (name === undefined || schema === undefined) return schema;
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, Schema>;
    items?: Schema;
    anyOf?: Schema[];
  };
  if (items !== undefined) return findField(items, [name, ...rest]);
  if (properties !== undefined) return findField(properties[name], rest);
  return anyOf?.map((each) => findField(each, [name, ...rest])).find((found) => found !== undefined);
}

test('null is documented wherever a field of a body accepts it', () => {
  const { paths } = buildOpenApiDocument('business', businessRoutes, businessInfo) as unknown as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  };
  const undocumented = businessRoutes.flatMap(({ method, path, body }) => {
    const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method];
    const schema = operation?.requestBody?.content['application/json']?.schema;
    return listNullableFields(body)
      .filter((name) => !documentsNull(findField(schema, name.split('.'))))
      .map((name) => `${method} ${path} ${name}`);
  });
  expect(undocumented).toEqual([]);
});
