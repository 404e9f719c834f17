import { concludeKyb } from '../../../domain/identity/kyb/conclusion';
import type { SourceResponse } from '../../../domain/identity/kyb/conclusion';
import type { KybProviderName, KybStatus } from '../../../domain/identity/kyb/company';
import type { RiskCode } from '../../../domain/identity/checks/risks';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import type { KybCheckRecord } from '../../../models/identity/kyb/kyb-check';
import { emitEvent } from '../../platform/webhooks/events';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { toScope } from '../sessions/session-store';

/** How a business check ended, in codes: what a workflow and its history may know. */
export interface KybSummary {
  /** `erased` once the check is deleted */
  status: KybStatus | 'erased';
  risks: RiskCode[];
}

const ERASED: KybSummary = { status: 'erased', risks: [] };

const summariseKyb = ({ status, risks }: Pick<KybCheckRecord, 'status' | 'risks'>): KybSummary => ({
  status,
  risks: risks.map(({ code }) => code),
});

/** The check a workflow runs, in whatever scope it lies; null once it is deleted. Never call it for a request. */
export const findKybCheckForWorkflow = (id: string): Promise<KybCheckRecord | null> =>
  KybCheck.findOne({ _id: id, deletedAt: null }).lean<KybCheckRecord>();

export const findKybSource = (check: KybCheckRecord, provider: KybProviderName): SourceResponse | undefined =>
  check.sources.find((source) => source.provider === provider);

/** Keeps what a register answered, once: a second answer of the same register changes nothing. */
export async function recordAnswer(
  kybId: string,
  answer: Extract<SourceResponse, { status: 'answered' | 'unavailable' }>,
): Promise<void> {
  await KybCheck.updateOne(
    {
      _id: kybId,
      status: 'processing',
      deletedAt: null,
      sources: { $elemMatch: { provider: answer.provider, status: 'pending' } },
    },
    { $set: { 'sources.$': answer } },
  );
}

/** Failures that came without a code of ours, such as an error of the runtime. */
export const toErrorCode = (reason: string): string => (/^[a-z][a-z0-9_]*$/.test(reason) ? reason : 'internal_error');

/** Notes that a register could not be asked, after every attempt; `reason` is an error code. */
export const recordOutage = (
  platform: Platform,
  kybId: string,
  provider: KybProviderName,
  reason: string,
): Promise<void> =>
  recordAnswer(kybId, { provider, status: 'unavailable', reason: toErrorCode(reason), at: platform.clock.now() });

/** Concludes a check from what its registers answered, once, with its event in the same transaction. */
export const completeKyb = (platform: Platform, kybId: string): Promise<KybSummary> =>
  runTransaction(platform, async (unit) => {
    const check = await KybCheck.findOne({ _id: kybId, deletedAt: null })
      .session(unit.mongoSession)
      .lean<KybCheckRecord>();
    if (check === null) return ERASED;
    if (check.status !== 'processing') return summariseKyb(check);
    const { status, provider, detail, matches, risks, failure } = concludeKyb(
      check.query,
      check.sources,
      check.screening ?? null,
    );
    const completedAt = platform.clock.now();
    const ended = await KybCheck.updateOne(
      { _id: kybId, status: 'processing', deletedAt: null },
      { $set: { status, provider, detail, matches, risks, failure, completedAt } },
      { session: unit.mongoSession },
    );
    if (ended.matchedCount === 0) return ERASED;
    await emitEvent(unit, toScope(check), {
      type: 'kyb.completed',
      key: `kyb.completed:${kybId}`,
      subjectId: kybId,
      data: { kybId, status, provider },
      at: completedAt,
    });
    return summariseKyb({ status, risks });
  });
