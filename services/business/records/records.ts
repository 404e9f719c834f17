import type { Model, QueryFilter, Types } from 'mongoose';
import { conflictError, notFoundError } from '../../../domain/errors';
import type { AppError } from '../../../domain/errors';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { reserveNumber } from '../../platform/transactions/counters';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { buildActiveRecordFilter, buildCreatedFilter, readPage } from './lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from './lists';
import { requireVersion } from './versions';

/** What every record that people keep (and no document posts) has. */
export interface ManagedRecord {
  _id: Types.ObjectId;
  organisationId: string;
  /** The number the contract shows, unique within the organisation. */
  id: number;
  /** Counts changes; the ETag. */
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

/** A kind of kept record: how it is found, numbered and named. */
export interface RecordKind<T extends ManagedRecord> {
  model: Model<T>;
  /** As messages and audit rows call it, such as `tax_rate`. */
  name: string;
  /** Its counter of numbers, such as `tax-rates`. */
  counter: string;
  /** The field that no two records of an organisation share; null where only the number is. */
  unique: (keyof T & string) | null;
  /** The condition as a filter of the collection: the compiler can check it only where `T` is known. */
  where(condition: RecordCondition): QueryFilter<T>;
}

/** What an audit row says of a change beside who, when and which record. */
export interface ChangeEntry {
  fields: string[];
  /** @default `<name>.updated` */
  action?: string;
  reason?: string;
}

const toWords = (name: string): string => name.replace(/_/g, ' ');

export const buildAuditSubject = <T extends ManagedRecord>(kind: RecordKind<T>, id: number): string =>
  `${kind.name}:${id}`;

/** The refusal of a record whose unique field another one has. */
export function duplicateError<T extends ManagedRecord>({ unique, name }: RecordKind<T>): AppError {
  const field = unique ?? 'id';
  const problem = `another ${toWords(name)} has it already`;
  return conflictError(`${field}_taken`, `${field}: ${problem}.`, { fields: [{ field, problem }] });
}

/** Runs a write; one that meets the unique field of another record is a 409 naming it. */
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

/** The fields that were sent. */
export const omitUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Writes a new record and its audit row within a transaction. */
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

/**
 * Creates a record under the next number.
 * @param build the whole record for its number.
 * @param also what is written in the same transaction.
 * @throws AppError 409 `<unique field>_taken`.
 */
export async function createRecord<T extends ManagedRecord>(
  platform: Platform,
  caller: BusinessCaller,
  kind: RecordKind<T>,
  use: IdempotentUse | undefined,
  build: (id: number, now: Date) => T,
  also?: (unit: UnitOfWork, record: T) => Promise<void>,
): Promise<T> {
  return runIdempotently(
    platform,
    use,
    async (claim) => {
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

/** @throws AppError 404, also for another organisation's number. */
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

/** Puts a changed record in place of the version it was made from, within a transaction, with its audit row. */
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

/**
 * Reads a record, changes it and writes it in one transaction.
 * @param ifMatch version the client has seen; undefined: any.
 * @param change the record as it is to be; null leaves it as it is.
 * @throws AppError 404; 409 `<unique field>_taken`; 412 when the record has changed since; what `change` throws.
 */
export async function updateRecord<T extends ManagedRecord>(
  platform: Platform,
  caller: BusinessCaller,
  kind: RecordKind<T>,
  at: { id: number; ifMatch: number | undefined },
  entry: ChangeEntry,
  change: (current: T, now: Date, unit: UnitOfWork) => T | null | Promise<T | null>,
): Promise<T> {
  return rejectDuplicates(kind, () =>
    runTransaction(platform, async (unit) => {
      const current = await getRecord(caller, kind, at.id, unit);
      requireVersion(current.version, at.ifMatch);
      const changed = await change(current, platform.clock.now(), unit);
      return changed === null ? current : replaceRecord(unit, caller, kind, changed, entry);
    }),
  );
}
