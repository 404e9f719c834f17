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

/** Records that are read at a time; as many are erased well before MongoDB closes a cursor that is not read from. */
const BATCH_SIZE = 100;
/** Ids of records that the error of a run names; all are in the log. */
const MAX_NAMED = 20;

interface OverdueRecord extends Scope {
  _id: string;
}

interface Retention {
  kind: PersonRecordKind;
  /** Records whose retention period has ended, oldest first. */
  overdue: (platform: Platform, now: Date) => AsyncIterable<OverdueRecord>;
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
        .lean<OverdueRecord>()
        .cursor({ batchSize: BATCH_SIZE }),
  },
  {
    kind: 'session',
    overdue: (_platform, now) =>
      Session.find({ retainUntil: { $type: 'date', $lte: now }, deletedAt: null }, { organisationId: 1, mode: 1 })
        .sort({ retainUntil: 1 })
        .lean<OverdueRecord>()
        .cursor({ batchSize: BATCH_SIZE }),
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
        .lean<OverdueRecord>()
        .cursor({ batchSize: BATCH_SIZE }),
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
        .lean<OverdueRecord>()
        .cursor({ batchSize: BATCH_SIZE }),
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
        .lean<OverdueRecord>()
        .cursor({ batchSize: BATCH_SIZE }),
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
        .lean<OverdueRecord>()
        .cursor({ batchSize: BATCH_SIZE }),
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

/** What a run over the overdue records has done. */
export interface RetentionRun {
  /** Number of started erasures. */
  begun: number;
  /** Whether the time was over before every record had its turn. */
  more: boolean;
}

/** A run while it goes on. */
interface RunProgress extends RetentionRun {
  failed: string[];
  /** Set once MongoDB is not available, which ends the run for all kinds. */
  isEnding: boolean;
}

/** Starts the erasure of the overdue records of one kind; one that cannot be erased is noted and passed over. */
async function eraseOverdueOfKind(
  platform: Platform,
  { kind, overdue }: Retention,
  run: RunProgress,
  isTimeOver: () => boolean,
): Promise<void> {
  for await (const record of overdue(platform, platform.clock.now())) {
    if (run.isEnding) return;
    if (isTimeOver()) {
      run.more = true;
      return;
    }
    try {
      if (await startOverdueErasure(platform, kind, record)) run.begun += 1;
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      platform.logger.error(
        { kind, recordId: record._id, reason: summariseError(error) },
        'A record whose retention period has ended could not be erased',
      );
      run.failed.push(record._id);
    }
  }
}

function describeFailed(failed: readonly string[]): string {
  const others = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} others` : '';
  return `Records that could not be erased: ${failed.slice(0, MAX_NAMED).join(', ')}${others}.`;
}

/**
 * Starts the erasure of every record whose retention period has ended, of all kinds side by side, so that many records
 * of one kind do not delay the others. Concurrent runs erase a record only once. A record that cannot be erased does not
 * hold up the others; the run fails after them, so that it is repeated.
 * @param isTimeOver asked before each record; from then on the rest is left to the next run
 * @throws Error naming the records that could not be erased, unless there are more; the error of MongoDB at once if it is
 * not available
 */
export async function eraseOverdueRecords(
  platform: Platform,
  isTimeOver = (): boolean => false,
): Promise<RetentionRun> {
  const run: RunProgress = { begun: 0, more: false, failed: [], isEnding: false };
  const kinds = RETENTIONS.map((retention) =>
    eraseOverdueOfKind(platform, retention, run, isTimeOver).catch((error: unknown) => {
      run.isEnding = true;
      throw error;
    }),
  );
  await Promise.allSettled(kinds);
  await Promise.all(kinds);
  const { begun, more, failed } = run;
  if (failed.length > 0 && !more) throw new Error(describeFailed(failed));
  return { begun, more };
}
