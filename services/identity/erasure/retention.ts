import { AppError } from '../../../domain/errors';
import type { PersonRecordKind } from '../../../domain/identity/erasure/erasure';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import { Check } from '../../../models/identity/checks/check';
import { Face } from '../../../models/identity/biometrics/face';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import { RegisterImport } from '../../../models/identity/registers/register-import';
import { Session } from '../../../models/identity/sessions/session';
import type { Platform, Scope } from '../../platform/platform';
import { beginErasure } from './erase';
import { DAY_MS } from '../../../domain/durations';

/** Erased in one look; the Schedule's next look takes the rest. */
const BATCH_SIZE = 500;

interface OverdueRecord extends Scope {
  _id: string;
}

interface Retention {
  kind: PersonRecordKind;
  /** The records whose time is over, the oldest first. */
  overdue: (platform: Platform, now: Date) => Promise<OverdueRecord[]>;
}

/** Created before this, a record that stands alone has been kept as long as it may be. */
const computeStandaloneCutoff = ({ config }: Platform, now: Date): Date =>
  new Date(now.getTime() - config.CHECK_RETENTION_DAYS * DAY_MS);

/** How long each kind of person record is kept by itself; one without an entry is kept until it is deleted. */
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
    // Those of sessions go with their sessions.
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
    // What a monitor found since goes with the screening that began it.
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
    kind: 'kyb',
    overdue: (platform, now) =>
      KybCheck.find(
        { deletedAt: null, createdAt: { $lt: computeStandaloneCutoff(platform, now) } },
        { organisationId: 1, mode: 1 },
      )
        .sort({ createdAt: 1 })
        .limit(BATCH_SIZE)
        .lean<OverdueRecord[]>(),
  },
  {
    // Their rows went when they were replaced; the data key and the report of the file go with the version.
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

/**
 * Begins the erasure of every record whose time is over. Two that look at once erase a record once.
 * @returns how many it began
 */
export async function eraseOverdueRecords(platform: Platform): Promise<number> {
  let begun = 0;
  for (const { kind, overdue } of RETENTIONS) {
    for (const { _id: recordId, organisationId, mode } of await overdue(platform, platform.clock.now())) {
      try {
        const request = { kind, recordId, reason: 'retention', actor: 'system' } as const;
        await beginErasure(platform, { organisationId, mode }, request);
        begun += 1;
      } catch (error) {
        // Someone else was first.
        if (!(error instanceof AppError) || error.status !== 404) throw error;
      }
    }
  }
  return begun;
}
