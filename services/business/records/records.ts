import type { Model, QueryFilter, Types } from 'mongoose';
import { conflictError, notFoundError } from '../../../domain/errors';
import type { AppError } from '../../../domain/errors';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { reserveNumber } from '../../platform/transactions/counters';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { dryRunTransaction, runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { buildActiveRecordFilter, buildCreatedFilter, readPage } from './lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from './lists';
import { requireVersion } from '../../platform/transactions/versions';

/** Common fields of the records that users maintain, in contrast to posted documents. */
export interface ManagedRecord {
  _id: Types.ObjectId;
  organisationId: string;
  /** Id in the API, unique in the organisation. */
  id: number;
  /** Number of changes; the ETag. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The conditions by which records of any kind are found. */
interface RecordCondition {
  organisationId: string;
  id?: number;
  version?: number;
  code?: string;
  active?: boolean;
  createdAt?: Record<string, Date>;
}

/** A kind of managed record: how it is found, numbered and named. */
export interface RecordKind<T extends ManagedRecord> {
  model: Model<T>;
  /** Name in messages and audit rows, such as `tax_rate`. */
  name: string;
  /** Name of the counter of its ids, such as `tax-rates`. */
  counter: string;
  /** The field that is unique in the organisation; null if only the id is. */
  unique: (keyof T & string) | null;
  /** The condition as a filter of the collection: the compiler can check it only where `T` is known. */
  where(condition: RecordCondition): QueryFilter<T>;
}

/** The fields of the audit row of a change, in addition to actor, time and subject. */
export interface ChangeEntry {
  fields: string[];
  /** @default `<name>.updated` */
  action?: string;
  reason?: string;
}

const toWords = (name: string): string => name.replace(/_/g, ' ');

/** The subject of audit rows about a record, such as `tax_rate:4`. */
export const buildAuditSubject = <T extends ManagedRecord>(kind: RecordKind<T>, id: number): string =>
  `${kind.name}:${id}`;

/** The error for a record whose unique field has the value of another record. */
export function duplicateError<T extends ManagedRecord>({ unique, name }: RecordKind<T>): AppError {
  const field = unique ?? 'id';
  const problem = `another ${toWords(name)} has it already`;
  return conflictError(`${field}_taken`, `${field}: ${problem}.`, { fields: [{ field, problem }] });
}

/** Runs a write. @throws AppError 409 if a unique field has the value of another record */
export async function rejectDuplicates<T extends ManagedRecord, R>(
  kind: RecordKind<T>,
  write: () => Promise<R>,
): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (kind.unique === null || !isDuplicateKeyError(error)) throw error;
    throw duplicateError(kind);
  }
}

/** The fields that are not undefined. */
export const omitUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A field of a draft after a change: undefined leaves it as it is; null removes it, so that it gets its default. */
export const resolveChange = <T>(now: T | null, change: T | null | undefined): T | undefined =>
  (change === undefined ? now : change) ?? undefined;

/** Writes a new record and its audit row in a transaction. */
export async function insertRecord<T extends ManagedRecord>(
  unit: UnitOfWork,
  caller: BusinessCaller,
  kind: RecordKind<T>,
  record: T,
): Promise<void> {
  await new kind.model(record).save({ session: unit.mongoSession });
  await unit.audit(caller, {
    actor: caller.id,
    action: `${kind.name}.created`,
    subject: buildAuditSubject(kind, record.id),
  });
}

/** Returns the record for its id. */
type BuildRecord<T> = (id: number, now: Date) => T;

/**
 * Creates a record with the next id.
 * @param also further writes in the same transaction
 * @throws AppError 409 `<unique field>_taken`
 */
export const createRecord = <T extends ManagedRecord>(
  platform: Platform,
  caller: BusinessCaller,
  kind: RecordKind<T>,
  use: IdempotentUse | undefined,
  build: BuildRecord<T>,
  also?: (unit: UnitOfWork, record: T) => Promise<void>,
): Promise<T> => prepareAndCreateRecord(platform, caller, kind, use, () => Promise.resolve(build), also);

/**
 * {@link createRecord} for a record that refers to others.
 * @param prepare checks the references before an id is reserved. A repeated request does not run it: it returns its
 * record also after what the record refers to has changed.
 * @throws AppError 409 `<unique field>_taken`; errors of `prepare`
 */
export async function prepareAndCreateRecord<T extends ManagedRecord>(
  platform: Platform,
  caller: BusinessCaller,
  kind: RecordKind<T>,
  use: IdempotentUse | undefined,
  prepare: () => Promise<BuildRecord<T>>,
  also?: (unit: UnitOfWork, record: T) => Promise<void>,
): Promise<T> {
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      const build = await prepare();
      const id = await reserveNumber(caller.organisationId, kind.counter);
      const record = build(id, platform.clock.now());
      await rejectDuplicates(kind, () =>
        runTransaction(platform, async (unit) => {
          await insertRecord(unit, caller, kind, record);
          await also?.(unit, record);
          await claim(unit, String(id), 201);
        }),
      );
      return record;
    },
    (recordId) => getRecord(caller, kind, Number(recordId)),
  );
}

/** @throws AppError 404, also for the id of another organisation */
export async function getRecord<T extends ManagedRecord>(
  caller: BusinessCaller,
  kind: RecordKind<T>,
  id: number,
  unit?: UnitOfWork,
): Promise<T> {
  const query = kind.model.findOne(kind.where({ organisationId: caller.organisationId, id }));
  const record = await (unit === undefined ? query : query.session(unit.mongoSession)).lean<T>();
  if (record === null) throw notFoundError(toWords(kind.name));
  return record;
}

/** One page of the records of a kind that can be deactivated. */
export const listRecords = <T extends ManagedRecord>(
  caller: BusinessCaller,
  kind: RecordKind<T>,
  filter: ActiveFilter & CreatedFilter,
  query: ListQuery,
): Promise<ListPage<T>> => {
  const { organisationId } = caller;
  return readPage(
    kind.model,
    kind.where({ organisationId, ...buildActiveRecordFilter(filter), ...buildCreatedFilter(filter) }),
    query,
  );
};

/** Replaces the previous version of a changed record and writes its audit row, in a transaction. */
export async function replaceRecord<T extends ManagedRecord>(
  unit: UnitOfWork,
  caller: BusinessCaller,
  kind: RecordKind<T>,
  changed: T,
  entry: ChangeEntry,
): Promise<T> {
  const { organisationId, id, version } = changed;
  const next = { ...changed, version: version + 1 };
  const written = await kind.model.replaceOne(kind.where({ organisationId, id, version }), next, {
    session: unit.mongoSession,
  });
  if (written.matchedCount === 0)
    throw new Error(`a ${toWords(kind.name)} changed within the transaction that read it`);
  const action = entry.action ?? `${kind.name}.updated`;
  await unit.audit(caller, { ...entry, actor: caller.id, action, subject: buildAuditSubject(kind, id) });
  return next;
}

/** A record, and the version that the client has read; undefined: any version. */
export interface RecordReference {
  id: number;
  ifMatch: number | undefined;
}

/** Returns the changed record; null leaves it unchanged. */
export type RecordChange<T> = (current: T, now: Date, unit: UnitOfWork) => T | null | Promise<T | null>;

/**
 * Reads, changes and writes a record in a transaction.
 * @throws AppError 404; 412 if the record has changed since; errors of `change`
 */
export async function changeRecord<T extends ManagedRecord>(
  unit: UnitOfWork,
  caller: BusinessCaller,
  kind: RecordKind<T>,
  at: RecordReference,
  entry: ChangeEntry,
  change: RecordChange<T>,
): Promise<T> {
  const current = await getRecord(caller, kind, at.id, unit);
  requireVersion(current.version, at.ifMatch);
  const changed = await change(current, unit.platform.clock.now(), unit);
  return changed === null ? current : replaceRecord(unit, caller, kind, changed, entry);
}

/**
 * Runs {@link changeRecord} in a transaction of its own.
 * @param use the Idempotency-Key, if a repeated request must not change the record again
 * @throws AppError 404; 409 `<unique field>_taken`; 412 if the record has changed since; errors of `change`
 */
export async function updateRecord<T extends ManagedRecord>(
  platform: Platform,
  caller: BusinessCaller,
  kind: RecordKind<T>,
  at: RecordReference,
  entry: ChangeEntry,
  change: RecordChange<T>,
  use?: IdempotentUse,
): Promise<T> {
  return runIdempotently(
    platform,
    use,
    (claim) =>
      rejectDuplicates(kind, () =>
        runTransaction(platform, async (unit) => {
          const record = await changeRecord(unit, caller, kind, at, entry, change);
          await claim(unit, String(at.id), 200);
          return record;
        }),
      ),
    () => getRecord(caller, kind, at.id),
  );
}

/** The record that {@link updateRecord} would write, with the same errors; writes nothing. */
export const dryRunUpdate = <T extends ManagedRecord>(
  platform: Platform,
  caller: BusinessCaller,
  kind: RecordKind<T>,
  id: number,
  change: RecordChange<T>,
): Promise<T> =>
  rejectDuplicates(kind, () =>
    dryRunTransaction(platform, (unit) =>
      changeRecord(unit, caller, kind, { id, ifMatch: undefined }, { fields: [] }, change),
    ),
  );
