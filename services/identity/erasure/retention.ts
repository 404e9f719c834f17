import { AppError } from '../../../domain/errors';
import type { PersonRecordKind } from '../../../domain/identity/erasure/erasure';
import { summariseError } from '../../../lib/logger';
import { isMongoUnavailable } from '../../../lib/mongo-errors';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import { Check } from '../../../models/identity/checks/check';
import { Face } from '../../../models/identity/biometrics/face';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import { RegisterImport } from '../../../models/identity/registers/register-import';
import { Session } from '../../../models/identity/sessions/session';
import type { Platform, Scope } from '../../platform/platform';
import { beginErasure } from './erase';
import { DAY_MS } from '../../../domain/durations';

/** Maximum number of erasures per kind and run; the next scheduled run continues. */
const BATCH_SIZE = 500;

interface OverdueRecord extends Scope {
  _id: string;
}

interface Retention {
  kind: PersonRecordKind;
  /** Records whose retention period has ended, oldest first. */
  overdue: (platform: Platform, now: Date) => Promise<OverdueRecord[]>;
}

/** Standalone records created before this time have reached the end of their retention period. */
const computeStandaloneCutoff = ({ config }: Platform, now: Date): Date =>
  new Date(now.getTime() - config.CHECK_RETENTION_DAYS * DAY_MS);

/** Retention of each kind of person record; records of other kinds are kept until they are deleted. */
const RETENTIONS: readonly Retention[] = [
  {
    kind: 'check',
    overdue: (platform, now) =>
      Check.find(
        { sessionId: null, deletedAt: null, createdAt: { $lt: computeStandaloneCutoff(platform, now) } },
        { organisationId: 1, mode: 1 },
      )
        .sort({ createdAt: 1 })
        .limit(BATCH_SIZE)
        .lean<OverdueRecord[]>(),
  },
  {
    kind: 'session',
    overdue: (_platform, now) =>
      Session.find({ retainUntil: { $type: 'date', $lte: now }, deletedAt: null }, { organisationId: 1, mode: 1 })
        .sort({ retainUntil: 1 })
        .limit(BATCH_SIZE)
        .lean<OverdueRecord[]>(),
  },
  {
    // Checks of sessions are erased with their sessions.
    kind: 'face',
    overdue: (_platform, now) =>
      Face.find(
        { retainUntil: { $type: 'date', $lte: now }, source: 'index', deletedAt: null },
        { organisationId: 1, mode: 1 },
      )
        .sort({ retainUntil: 1 })
        .limit(BATCH_SIZE)
        .lean<OverdueRecord[]>(),
  },
  {
    // Screenings of a monitor are erased with the screening that started it.
    kind: 'screening',
    overdue: (platform, now) =>
      AmlScreening.find(
        {
          origin: 'client',
          monitored: false,
          deletedAt: null,
          createdAt: { $lt: computeStandaloneCutoff(platform, now) },
        },
        { organisationId: 1, mode: 1 },
      )
        .sort({ createdAt: 1 })
        .limit(BATCH_SIZE)
        .lean<OverdueRecord[]>(),
  },
  {
    // A monitored check has the subjects of its monitors.
    kind: 'kyb',
    overdue: (platform, now) =>
      KybCheck.find(
        { monitored: { $ne: true }, deletedAt: null, createdAt: { $lt: computeStandaloneCutoff(platform, now) } },
        { organisationId: 1, mode: 1 },
      )
        .sort({ createdAt: 1 })
        .limit(BATCH_SIZE)
        .lean<OverdueRecord[]>(),
  },
  {
    // The rows were removed when the version was replaced; the data key and the import report are erased with the
    // version.
    kind: 'register',
    overdue: (platform, now) =>
      RegisterImport.find(
        { deletedAt: null, retiredAt: { $type: 'date', $lt: computeStandaloneCutoff(platform, now) } },
        { organisationId: 1, mode: 1 },
      )
        .sort({ retiredAt: 1 })
        .limit(BATCH_SIZE)
        .lean<OverdueRecord[]>(),
  },
];

/** @returns whether this run started the erasure; false if another run was first */
async function startOverdueErasure(
  platform: Platform,
  kind: PersonRecordKind,
  { _id: recordId, organisationId, mode }: OverdueRecord,
): Promise<boolean> {
  try {
    await beginErasure(platform, { organisationId, mode }, { kind, recordId, reason: 'retention', actor: 'system' });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return false;
    throw error;
  }
}

/**
 * Starts the erasure of every record whose retention period has ended. Concurrent runs erase a record only once. A
 * record that cannot be erased does not hold up the others; the run fails after them, so that it is repeated.
 * @returns the number of started erasures
 * @throws Error naming the records that could not be erased; the error of MongoDB at once if it is not available
 */
export async function eraseOverdueRecords(platform: Platform): Promise<number> {
  let begun = 0;
  const failed: string[] = [];
  for (const { kind, overdue } of RETENTIONS) {
    for (const record of await overdue(platform, platform.clock.now())) {
      try {
        if (await startOverdueErasure(platform, kind, record)) begun += 1;
      } catch (error) {
        if (isMongoUnavailable(error)) throw error;
        platform.logger.error(
          { kind, recordId: record._id, reason: summariseError(error) },
          'A record whose retention period has ended could not be erased',
        );
        failed.push(record._id);
      }
    }
  }
  if (failed.length > 0) throw new Error(`Records that could not be erased: ${failed.join(', ')}.`);
  return begun;
}
