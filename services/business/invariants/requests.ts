import { InvariantCheck } from '../../../models/business/invariants/invariant-check';
import type { InvariantCheckRecord } from '../../../models/business/invariants/invariant-check';
import { workflowIds } from '../../../workflows/contracts';
import { awaitRecord } from '../../platform/await-record';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { buildCheckSummary } from './check';
import type { InvariantCheckSummary } from './check';
import { MINUTE_MS } from '../../../domain/durations';

/** After this time a check can be requested again, because its workflow may have been terminated. */
const STALE_REQUEST_AFTER_MS = 30 * MINUTE_MS;

/** Whether no check has been requested since the start of the last finished one. */
const isCompleted = ({ requestedAt, startedAt }: InvariantCheckRecord): boolean =>
  requestedAt === null || (startedAt !== null && startedAt >= requestedAt);

const isRunning = (record: InvariantCheckRecord | null, now: Date): boolean =>
  record?.requestedAt != null &&
  !isCompleted(record) &&
  now.getTime() - record.requestedAt.getTime() < STALE_REQUEST_AFTER_MS;

const findCheck = (organisationId: string): Promise<InvariantCheckRecord | null> =>
  InvariantCheck.findById(organisationId).lean<InvariantCheckRecord>().exec();

/** The results of the latest check of the company. */
export async function getLatestInvariants(platform: Platform, caller: BusinessCaller): Promise<InvariantCheckSummary> {
  const record = await findCheck(caller.organisationId);
  return buildCheckSummary(record, isRunning(record, platform.clock.now()));
}

/** Records the request and enqueues the start of the workflow, unless a check is running already. */
async function requestCheck(platform: Platform, caller: BusinessCaller): Promise<void> {
  const { organisationId } = caller;
  await runTransaction(platform, async (unit) => {
    const now = platform.clock.now();
    const before = await InvariantCheck.findById(organisationId)
      .session(unit.mongoSession)
      .lean<InvariantCheckRecord>();
    if (isRunning(before, now)) return;
    await InvariantCheck.updateOne(
      { _id: organisationId },
      { $set: { requestedAt: now }, $setOnInsert: { startedAt: null, checkedAt: null, results: [] } },
      { session: unit.mongoSession, upsert: true },
    );
    unit.start(organisationId, {
      workflow: 'companyInvariants',
      workflowId: workflowIds.companyInvariants(organisationId, now.getTime()),
      argument: { organisationId },
      summary: `invariants of ${organisationId}`,
    });
    await unit.audit(caller, { actor: caller.id, action: 'invariants.checked', subject: organisationId });
  });
}

/**
 * Checks the invariants of the company and waits for the end of the check.
 * @returns the results; `running` if the check takes longer than `waitMs`
 */
export async function runInvariantCheck(
  platform: Platform,
  caller: BusinessCaller,
  waitMs: number,
): Promise<InvariantCheckSummary> {
  await requestCheck(platform, caller);
  const { organisationId } = caller;
  const latest = await awaitRecord(platform, {
    collection: 'invariant_checks',
    id: organisationId,
    waitMs,
    read: () => findCheck(organisationId),
    isFinished: (record) => record !== null && isCompleted(record),
  });
  return buildCheckSummary(latest, isRunning(latest, platform.clock.now()));
}
