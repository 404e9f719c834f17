import { RegisterImport } from '../../../models/identity/registers/register-import';
import type { RegisterImportRecord } from '../../../models/identity/registers/register-import';
import { toScope } from '../../platform/platform';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/**
 * An attempt at an import. Temporal begins another one when heartbeats are missing, while the process of the earlier one
 * may still be running: only the latest attempt may write rows, remove them and activate the version.
 */
export interface ImportAttempt {
  version: RegisterImportRecord;
  number: number;
}

/** The import has ended, was deleted or is continued by a later attempt. */
export class AttemptEndedError extends Error {
  override readonly name = 'AttemptEndedError';
}

/** Begins an attempt; earlier ones can write nothing from now on. @returns null if the import has ended or was deleted */
export async function beginAttempt(id: string): Promise<ImportAttempt | null> {
  const version = await RegisterImport.findOneAndUpdate(
    { _id: id, status: 'importing', deletedAt: null },
    { $inc: { attempts: 1 } },
    { returnDocument: 'after' },
  ).lean<RegisterImportRecord>();
  return version === null ? null : { version, number: version.attempts ?? 0 };
}

/**
 * Runs a transaction of an attempt, which does not commit once a later attempt has begun.
 * @throws AttemptEndedError
 */
export const runInAttempt = <T>(
  platform: Platform,
  { version, number }: ImportAttempt,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<T> =>
  runTransaction(platform, async (unit) => {
    const held = await RegisterImport.updateOne(
      { _id: version._id, ...toScope(version), status: 'importing', attempts: number, deletedAt: null },
      { $inc: { writes: 1 } },
      { session: unit.mongoSession },
    );
    if (held.matchedCount === 0) throw new AttemptEndedError(`Attempt ${number} at ${version._id} has ended.`);
    return work(unit);
  });
