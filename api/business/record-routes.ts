import { z } from 'zod';
import type { BusinessCaller } from '../../services/business/access/caller';
import type { ListPage, ListQuery } from '../../services/business/records/lists';
import type { IdempotentUse } from '../../services/platform/transactions/idempotency';
import type { Platform } from '../../services/platform/platform';
import { forbiddenError, invalidRequestError } from '../../domain/errors';
import { defineRoute } from '../http/route';
import type { Exact, Route, RouteContext } from '../http/route';
import { defineBatchRoute, parseRow } from './batches';
import type { BatchRow } from './batches';
import { getCaller } from './caller';
import { dryRunQuery, idPath, recordId } from './fields';
import { buildListResponse, buildListSchema, toListRequest } from './listing';
import type { ListParameters } from './listing';
import { serializeResponse } from './serialization';
import type { Serialized } from './serialization';
import { buildEtagHeader, omitFields, parseIfMatch, stripReadOnlyFields } from './revisions';
import type { RecordReference } from '../../services/business/records/records';

/** A record with the number by which the API addresses it and the versions that make its ETag. */
interface VersionedRecord {
  id: number;
  version: number;
  /** Version of figures that are derived for the record, such as the stock of a product. */
  derivedVersion?: number;
}

/** How a record is documented and presented in responses. */
export interface Presentation<R> {
  schema: z.ZodObject;
  example: object;
  present(record: R, caller: BusinessCaller): Record<string, unknown> | Promise<Record<string, unknown>>;
}

/** `Presented` if, once serialized, it has exactly the documented fields; else `never`. */
type Documented<Presented, S extends z.ZodObject> =
  Serialized<Presented> extends z.input<S> & Exact<Serialized<Presented>, z.input<S>> ? Presented : never;

/** Does not compile if the presenter returns anything but what the schema documents. */
export const definePresentation = <R, S extends z.ZodObject, P extends Record<string, unknown>>(
  schema: S,
  example: object,
  present: (record: R, caller: BusinessCaller) => (P & Documented<P, S>) | Promise<P & Documented<P, S>>,
): Presentation<R> => ({ schema, example, present });

/** What the routes of one resource have in common. */
interface Resource<R> extends Presentation<R> {
  path: string;
  tag: string;
  /** Singular and plural, as descriptions use them. */
  nouns: { one: string; many: string };
  permissions: { read: string; create: string; update: string };
  /** @throws AppError 404 */
  get(caller: BusinessCaller, id: number): Promise<R>;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  /** True if the operation is not in the contract. */
  addition?: boolean;
  errors?: Readonly<Record<number, string>>;
}

interface ListOperation<R, L extends z.ZodType<ListParameters>> extends Operation {
  query: L;
  /** @default by id, ascending */
  order?: { by: string; dir: 'asc' | 'desc' };
  /** @default the presentation of the resource */
  item?: Presentation<R>;
  read(this: void, caller: BusinessCaller, query: z.output<L>, listRequest: ListQuery): Promise<ListPage<R>>;
}

interface CreateOperation<R, C extends z.ZodType> extends Operation {
  body: C;
  bodyExample: object;
  /** @default the example of the resource */
  example?: object;
  message(this: void, record: R): string;
  exampleMessage: string;
  create(
    this: void,
    platform: Platform,
    caller: BusinessCaller,
    body: z.output<C>,
    use: IdempotentUse | undefined,
  ): Promise<R>;
  /** The record that `create` would write. If present, the route accepts `?dryRun=true`. */
  dryRun?(this: void, platform: Platform, caller: BusinessCaller, body: z.output<C>): Promise<R>;
}

interface UpdateOperation<R, U extends z.ZodType<object>> extends Operation {
  body: U;
  bodyExample: object;
  /** Fields of the body that a client may send back unchanged, but not change. */
  readOnly: readonly (keyof z.output<U> & string)[];
  /** Fields of the body that follow from other records and are ignored. @default none */
  derived?: readonly (keyof z.output<U> & string)[];
  update(
    this: void,
    platform: Platform,
    caller: BusinessCaller,
    at: RecordReference,
    input: z.output<U>,
    use?: IdempotentUse,
  ): Promise<R>;
  /** The record as `update` would change it. Needed by a batch. */
  dryRun?(this: void, platform: Platform, caller: BusinessCaller, id: number, input: z.output<U>): Promise<R>;
}

/** Names of the route that creates and changes many records. */
export interface BatchOperation {
  operationId: string;
  summary: string;
}

function defineList<R extends VersionedRecord, L extends z.ZodType<ListParameters>>(
  resource: Resource<R>,
  { item = resource, order = { by: 'id', dir: 'asc' }, read, ...operation }: ListOperation<R, L>,
): Route {
  return defineRoute({
    ...operation,
    method: 'get',
    path: resource.path,
    tag: resource.tag,
    permission: resource.permissions.read,
    replies: {
      200: {
        description: `A page of ${resource.nouns.many} and the exact total.`,
        schema: buildListSchema(item.schema),
        example: { data: [item.example], totalCount: 1, page: 1, pageSize: 20 },
      },
    },
    async handle(context, { query }) {
      const caller = await getCaller(context);
      const listRequest = toListRequest(query, order);
      const { rows, totalCount } = await read(caller, query, listRequest);
      const data = await Promise.all(rows.map(async (row) => item.present(row, caller)));
      const { timeZone } = caller.company;
      return { status: 200, body: serializeResponse(buildListResponse(data, totalCount, listRequest), timeZone) };
    },
  });
}

function defineDetail<R extends VersionedRecord>(resource: Resource<R>, operation: Operation): Route {
  return defineRoute({
    ...operation,
    method: 'get',
    path: `${resource.path}/:id`,
    tag: resource.tag,
    permission: resource.permissions.read,
    params: idPath,
    replies: {
      200: {
        description: `The ${resource.nouns.one}.`,
        schema: z.object({ data: resource.schema }),
        example: { data: resource.example },
      },
    },
    async handle(context, { params }) {
      const caller = await getCaller(context);
      const record = await resource.get(caller, params.id);
      return {
        status: 200,
        headers: buildEtagHeader(record.version, record.derivedVersion),
        body: serializeResponse({ data: await resource.present(record, caller) }, caller.company.timeZone),
      };
    },
  });
}

function defineCreate<R extends VersionedRecord, C extends z.ZodType>(
  resource: Resource<R>,
  { create, dryRun, message, example = resource.example, exampleMessage, ...operation }: CreateOperation<R, C>,
  hasDetail: boolean,
): Route {
  const spec = {
    ...operation,
    method: 'post',
    path: resource.path,
    tag: resource.tag,
    permission: resource.permissions.create,
    idempotent: true,
  } as const;
  const createdReply = {
    description: `The ${resource.nouns.one}.`,
    schema: z.object({ data: resource.schema, message: z.string() }),
    example: { data: example, message: exampleMessage },
  };
  const respondCreated = async (context: RouteContext, caller: BusinessCaller, body: z.output<C>) => {
    const record = await create(context.platform, caller, body, context.idempotency);
    const location = hasDetail ? { Location: `${resource.path}/${record.id}` } : {};
    const data = await resource.present(record, caller);
    return {
      status: 201,
      headers: { ...buildEtagHeader(record.version, record.derivedVersion), ...location },
      body: serializeResponse({ data, message: message(record) }, caller.company.timeZone),
    } as const;
  };
  if (dryRun === undefined)
    return defineRoute({
      ...spec,
      replies: { 201: createdReply },
      handle: async (context, { body }) => respondCreated(context, await getCaller(context), body),
    });
  return defineRoute({
    ...spec,
    query: dryRunQuery,
    replies: {
      201: createdReply,
      200: {
        description: `Dry run: the ${resource.nouns.one} as it would be created, without an id.`,
        schema: z.object({ data: resource.schema.extend({ id: z.null() }) }),
      },
    },
    async handle(context, { body, query }) {
      const caller = await getCaller(context);
      if (query.dryRun !== 'true') return respondCreated(context, caller, body);
      const data = { ...(await resource.present(await dryRun(context.platform, caller, body), caller)), id: null };
      return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
    },
  });
}

function defineUpdate<R extends VersionedRecord, U extends z.ZodType<object>>(
  resource: Resource<R>,
  { readOnly, derived = [], update, ...operation }: UpdateOperation<R, U>,
): Route {
  return defineRoute({
    ...operation,
    method: 'put',
    path: `${resource.path}/:id`,
    tag: resource.tag,
    permission: resource.permissions.update,
    params: idPath,
    replies: {
      200: {
        description: `The updated ${resource.nouns.one}.`,
        schema: z.object({ data: resource.schema }),
        example: { data: resource.example },
      },
    },
    errors: { 412: 'The record has changed since the version that If-Match names.', ...operation.errors },
    async handle(context, { params, body }) {
      const caller = await getCaller(context);
      const { timeZone } = caller.company;
      const current = await resource.present(await resource.get(caller, params.id), caller);
      const input = stripReadOnlyFields(omitFields(body, derived), serializeResponse(current, timeZone), readOnly);
      const at = { id: params.id, ifMatch: parseIfMatch(context) };
      const record = await update(context.platform, caller, at, input);
      return {
        status: 200,
        headers: buildEtagHeader(record.version, record.derivedVersion),
        body: serializeResponse({ data: await resource.present(record, caller) }, timeZone),
      };
    },
  });
}

/** A row without `id` creates a record like POST; a row with `id` changes one like PUT. */
function defineRecordBatch<R extends VersionedRecord, C extends z.ZodType, U extends z.ZodType<object>>(
  resource: Resource<R>,
  operation: BatchOperation,
  create: CreateOperation<R, C>,
  update: UpdateOperation<R, U>,
): Route {
  const { nouns, path, permissions } = resource;
  const createRow = async ({ platform }: RouteContext, caller: BusinessCaller, { row, use, dryRun }: BatchRow) => {
    const body = parseRow(create.body, row);
    if (!dryRun) {
      const record = await create.create(platform, caller, body, use);
      return { status: 'created', id: record.id, data: await resource.present(record, caller) } as const;
    }
    const record = await create.dryRun?.(platform, caller, body);
    const data = record === undefined ? null : { ...(await resource.present(record, caller)), id: null };
    return { status: 'valid', id: null, data } as const;
  };
  const updateRow = async ({ platform }: RouteContext, caller: BusinessCaller, { row, use, dryRun }: BatchRow) => {
    if (!caller.permissions.has(permissions.update)) throw forbiddenError(permissions.update);
    const { id } = parseRow(z.looseObject({ id: recordId }), row);
    const body = omitFields(parseRow(update.body, row), update.derived ?? []);
    // They cannot be compared with the record as in a PUT: a repeated request finds the record already changed.
    const sent = update.readOnly.filter((name) => name !== 'id' && row[name] !== undefined);
    if (sent.length > 0)
      throw invalidRequestError(sent.map((field) => ({ field, problem: 'is read-only; leave it out of a batch' })));
    const input = omitFields(body, update.readOnly);
    if (dryRun) {
      const record = await update.dryRun?.(platform, caller, id, input);
      return {
        status: 'valid',
        id,
        data: record === undefined ? null : await resource.present(record, caller),
      } as const;
    }
    const record = await update.update(platform, caller, { id, ifMatch: undefined }, input, use);
    return { status: 'updated', id, data: await resource.present(record, caller) } as const;
  };
  return defineBatchRoute({
    ...operation,
    path: `${path}/batch`,
    tag: resource.tag,
    permission: permissions.create,
    nouns,
    rows: `A row without \`id\` is a body of \`POST ${path}\`; one with \`id\` is a body of \`PUT ${path}/:id\` and needs \`${permissions.update}\`.`,
    data: resource.schema.extend({ id: z.number().int().nullable() }),
    exampleRow: create.bodyExample,
    exampleData: resource.example,
    concurrency: 1,
    run: (context, caller, row) => (row.row['id'] === undefined ? createRow : updateRow)(context, caller, row),
  });
}

/** List, read, create and update of one kind of small record: idempotency, dry run, ETag and If-Match included. */
export function defineRecordRoutes<
  R extends VersionedRecord,
  L extends z.ZodType<ListParameters>,
  C extends z.ZodType,
  U extends z.ZodType<object>,
>(
  resource: Resource<R> & {
    list: ListOperation<R, L>;
    /** Absent if a record can only be read from the list. */
    detail?: Operation;
    create: CreateOperation<R, C>;
    update: UpdateOperation<R, U>;
    batch?: BatchOperation;
  },
): readonly Route[] {
  const { list, detail, create, update, batch } = resource;
  return [
    defineList(resource, list),
    ...(detail === undefined ? [] : [defineDetail(resource, detail)]),
    defineCreate(resource, create, detail !== undefined),
    defineUpdate(resource, update),
    ...(batch === undefined ? [] : [defineRecordBatch(resource, batch, create, update)]),
  ];
}
