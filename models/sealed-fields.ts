import mongoose, { mongo } from 'mongoose';
import type { ClientSession, Query, Schema } from 'mongoose';

/**
 * Personal fields of a collection are encrypted when they are written and decrypted when they are read, in middleware of
 * its schema, so that no read or write can bypass it. They are encrypted with the data key of the person record that the
 * row belongs to.
 */
export interface FieldOwner {
  organisationId: string;
  mode: 'live' | 'test';
  /** The record whose data key encrypts the field. */
  recordId: string;
}

/** A field of a row; `name` binds the ciphertext to row and field. */
export interface FieldValue<T> {
  owner: FieldOwner;
  name: string;
  value: T;
}

export interface FieldCipher {
  /** @throws AppError 404 if the data key of a record has been destroyed */
  seal(fields: readonly FieldValue<Buffer>[], mongoSession: ClientSession | null): Promise<Buffer[]>;
  /** Null for a field whose data key has been destroyed. */
  open(fields: readonly FieldValue<Buffer>[], mongoSession: ClientSession | null): Promise<(Buffer | null)[]>;
}

/** Like the models, it belongs to the one connection of the process. */
let fieldCipher: FieldCipher | null = null;

/** Sets the cipher of the process, before its first query; null once the connection is closed. */
export function setFieldCipher(cipher: FieldCipher | null): void {
  fieldCipher = cipher;
}

function requireCipher(): FieldCipher {
  if (fieldCipher === null) throw new Error('Personal fields were used before the field cipher was set.');
  return fieldCipher;
}

type Row = Record<string, unknown>;

/** The personal fields of a collection. */
export interface SealedFields {
  collection: string;
  fields: readonly string[];
  /** The field with the id of the record that owns the data key. */
  owner: '_id' | 'recordId' | 'sessionId';
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const toBuffer = (value: unknown): Buffer | null => {
  if (value instanceof mongo.Binary) return Buffer.from(value.buffer);
  return Buffer.isBuffer(value) ? value : null;
};

const encode = (value: unknown): Buffer => Buffer.from(mongo.BSON.serialize({ value }));

const decode = (bytes: Buffer): unknown => mongo.BSON.deserialize(bytes)['value'];

const isMode = (value: unknown): value is 'live' | 'test' => value === 'live' || value === 'test';

/** The ids of a row, which a projection may have left out, completed from the filter that found it. */
const withFilter = (row: Row, filter: Row, { owner }: SealedFields): Row => ({
  organisationId: row['organisationId'] ?? filter['organisationId'],
  mode: row['mode'] ?? filter['mode'],
  _id: row['_id'],
  [owner]: row[owner] ?? filter[owner],
});

function findOwner(context: Row, { owner, collection }: SealedFields): FieldOwner & { rowId: string } {
  const { organisationId, mode, _id: rowId, [owner]: recordId } = context;
  if (
    typeof organisationId !== 'string' ||
    !isMode(mode) ||
    typeof recordId !== 'string' ||
    typeof rowId !== 'string'
  ) {
    throw new Error(`${collection}: personal fields need organisationId, mode, _id and ${owner} in the row or filter.`);
  }
  return { organisationId, mode, recordId, rowId };
}

/** The fields among `values`; `context` has the ids of their row. */
function listFields<T>(
  values: Row,
  context: Row,
  sealed: SealedFields,
  select: (value: unknown) => T | null,
): (FieldValue<T> & { values: Row; field: string })[] {
  const found = sealed.fields.flatMap((field) => {
    const value = select(values[field]);
    return value === null ? [] : [{ field, value }];
  });
  if (found.length === 0) return [];
  const { rowId, ...owner } = findOwner(context, sealed);
  return found.map(({ field, value }) => ({
    owner,
    name: `${sealed.collection}.${rowId}.${field}`,
    value,
    values,
    field,
  }));
}

/** Encrypts fields in place. */
async function sealValues(
  rows: readonly { values: Row; context: Row }[],
  sealed: SealedFields,
  mongoSession: ClientSession | null,
): Promise<void> {
  const select = (value: unknown): Buffer | null => (isEmpty(value) || toBuffer(value) !== null ? null : encode(value));
  const fields = rows.flatMap(({ values, context }) => listFields(values, context, sealed, select));
  if (fields.length === 0) return;
  const encrypted = await requireCipher().seal(fields, mongoSession);
  for (const [index, { values, field }] of fields.entries()) values[field] = encrypted[index];
}

/** Decrypts the fields of rows in place. @returns the rows whose data key has been destroyed */
export async function openRows(
  rows: readonly object[],
  filter: Row,
  sealed: SealedFields,
  mongoSession: ClientSession | null,
): Promise<ReadonlySet<unknown>> {
  const fields = rows
    .filter(isRow)
    .flatMap((row) => listFields(row, withFilter(row, filter, sealed), sealed, toBuffer));
  const destroyed = new Set<unknown>();
  if (fields.length === 0) return destroyed;
  const opened = await requireCipher().open(fields, mongoSession);
  for (const [index, { values: row, field }] of fields.entries()) {
    const bytes = opened[index] ?? null;
    if (bytes === null) destroyed.add(row);
    else row[field] = decode(bytes);
  }
  return destroyed;
}

const UPDATE_OPERATORS = ['$set', '$setOnInsert'] as const;

const getSession = (query: Query<unknown, unknown>): ClientSession | null => query.getOptions().session ?? null;

async function sealUpdate(query: Query<unknown, unknown>, sealed: SealedFields): Promise<void> {
  const update: unknown = query.getUpdate();
  if (!isRow(update)) return;
  const inserted = isRow(update['$setOnInsert']) ? update['$setOnInsert'] : {};
  const context: Row = { ...inserted, ...query.getFilter() };
  const rows = UPDATE_OPERATORS.flatMap((operator) => {
    const values = update[operator];
    return isRow(values) ? [{ values, context }] : [];
  });
  await sealValues(rows, sealed, getSession(query));
}

/** Like the models, one list per process: the collections whose schemas were loaded. */
const sealedCollections: SealedFields[] = [];

/** Every collection with personal fields. */
export const listSealedCollections = (): readonly SealedFields[] => sealedCollections;

/**
 * Encrypts the personal fields of rows that were read without middleware, and hold clear text of an earlier version.
 * @returns for each row its encrypted fields
 * @throws AppError 404 if a data key has been destroyed
 */
export async function sealRows(
  rows: readonly object[],
  sealed: SealedFields,
  mongoSession: ClientSession,
): Promise<Row[]> {
  const copies = rows.map((row): Row => ({ ...row }));
  await sealValues(
    copies.map((values) => ({ values, context: values })),
    sealed,
    mongoSession,
  );
  return copies.map((values) => {
    const present = sealed.fields.filter((field) => values[field] !== undefined);
    return Object.fromEntries(present.map((field): [string, unknown] => [field, values[field]]));
  });
}

/** Registers the middleware that encrypts and decrypts the personal fields of a schema; their type is `Mixed`. */
export function sealFields<T>(schema: Schema<T>, sealed: SealedFields): void {
  sealedCollections.push(sealed);
  schema.pre('save', async function () {
    const names = ['_id', 'organisationId', 'mode', sealed.owner, ...sealed.fields];
    const row: Row = Object.fromEntries(names.map((name): [string, unknown] => [name, this.get(name)]));
    await sealValues([{ values: row, context: row }], sealed, this.$session());
    for (const field of sealed.fields) if (toBuffer(row[field]) !== null) this.set(field, row[field]);
  });
  schema.pre('insertMany', async function (rows: unknown) {
    const list = (Array.isArray(rows) ? rows : [rows]).filter(isRow);
    await sealValues(
      list.map((row) => ({ values: row, context: row })),
      sealed,
      null,
    );
  });
  schema.pre(['updateOne', 'updateMany', 'findOneAndUpdate'], async function () {
    await sealUpdate(this, sealed);
  });
  schema.post('find', async function (rows: unknown) {
    if (!Array.isArray(rows)) return;
    const destroyed = await openRows(rows.filter(isRow), this.getFilter(), sealed, getSession(this));
    // A row whose key was destroyed is being erased, or was restored from a backup from before its erasure.
    for (let index = rows.length - 1; index >= 0; index -= 1) if (destroyed.has(rows[index])) rows.splice(index, 1);
  });
  schema.post(['findOne', 'findOneAndUpdate'], async function (row: unknown) {
    if (!isRow(row)) return undefined;
    const destroyed = await openRows([row], this.getFilter(), sealed, getSession(this));
    return destroyed.size === 0 ? undefined : mongoose.overwriteMiddlewareResult(null);
  });
}
