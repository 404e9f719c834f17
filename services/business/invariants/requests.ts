import { InvariantCheck } from '../../../models/business/invariants/invariant-check';
import type { InvariantCheckRecord } from '../../../models/business/invariants/invariant-check';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { viewOf } from './check';
import type { InvariantsView } from './check';

/** A look asked for longer ago than this is asked for again: its workflow may have been terminated. */
const ASK_AGAIN_AFTER_MS = 30 * 60_000;

/** Whether a look that was asked for has begun and ended since. */
const answered = ({ requestedAt, startedAt }: InvariantCheckRecord): boolean =>
  requestedAt === null || (startedAt !== null && startedAt >= requestedAt);

const isRunning = (record: InvariantCheckRecord | null, now: Date): boolean =>
  record?.requestedAt != null && !answered(record) && now.getTime() - record.requestedAt.getTime() < ASK_AGAIN_AFTER_MS;

const find = (organisationId: string): Promise<InvariantCheckRecord | null> =>
  InvariantCheck.findById(organisationId).lean<InvariantCheckRecord>().exec();

/** What the latest look at the company's invariants found. */
export async function latestInvariants(platform: Platform, caller: BusinessCaller): Promise<InvariantsView> {
  const record = await find(caller.organisationId);
  return viewOf(record, isRunning(record, platform.clock.now()));
}

/** Records the wish and owes the workflow a start; one that runs already is joined. */
async function ask(platform: Platform, caller: BusinessCaller): Promise<void> {
  const { organisationId } = caller;
  await transact(platform, async (unit) => {
    const { session } = unit;
    const now = platform.clock.now();
    const before = await InvariantCheck.findById(organisationId).session(session).lean<InvariantCheckRecord>();
    if (isRunning(before, now)) return;
    await InvariantCheck.updateOne(
      { _id: organisationId },
      { $set: { requestedAt: now }, $setOnInsert: { startedAt: null, checkedAt: null, results: [] } },
      { session, upsert: true },
    );
    await unit.start(organisationId, {
      workflow: 'companyInvariants',
      workflowId: workflowIds.companyInvariants(organisationId, now.getTime()),
      argument: { organisationId },
      summary: `invariants of ${organisationId}`,
    });
    await unit.audit(caller, { actor: caller.id, action: 'invariants.checked', subject: organisationId });
  });
}

/**
 * Looks at the company's invariants now, and waits for the end of it.
 * @returns what was found; `running` when it takes longer than `waitMs`
 */
export async function runInvariants(
  platform: Platform,
  caller: BusinessCaller,
  waitMs: number,
): Promise<InvariantsView> {
  await ask(platform, caller);
  const { organisationId } = caller;
  const done = await platform.changes.waitFor('invariant_checks', organisationId, waitMs, async () => {
    const record = await find(organisationId);
    return record !== null && answered(record) ? record : null;
  });
  return done === null ? latestInvariants(platform, caller) : viewOf(done, false);
}
