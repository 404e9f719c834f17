import { toFailureCode } from '../../../domain/errors';
import { concludeKyb } from '../../../domain/identity/kyb/conclusion';
import type { SourceResponse } from '../../../domain/identity/kyb/conclusion';
import type { KybProviderName, KybStatus } from '../../../domain/identity/kyb/company';
import type { RiskCode } from '../../../domain/identity/checks/risks';
import { withMongoTransaction } from '../../../lib/mongo';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import type { KybCheckRecord } from '../../../models/identity/kyb/kyb-check';
import { emitEvent } from '../../platform/webhooks/events';
import { toScope } from '../../platform/platform';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { rescreenForMissedVersions } from '../aml/monitors';
import { applyEarlierPartyReviews, recordPartyHits } from './hits';
import { startMonitoring } from './monitoring';

/** Result of a business check in codes, as workflow histories may contain it. */
export interface KybSummary {
  /** `erased` once the check is deleted. */
  status: KybStatus | 'erased';
  risks: RiskCode[];
}

const ERASED: KybSummary = { status: 'erased', risks: [] };

const summariseKyb = ({ status, risks }: Pick<KybCheckRecord, 'status' | 'risks'>): KybSummary => ({
  status,
  risks: risks.map(({ code }) => code),
});

/** The check of a workflow; null once it is deleted. Not for requests: it ignores the scope. */
export const findKybCheckForWorkflow = (id: string): Promise<KybCheckRecord | null> =>
  KybCheck.findOne({ _id: id, deletedAt: null }).lean<KybCheckRecord>();

/** What a register answered so far; undefined if the check does not query it. */
export const findKybSource = (check: KybCheckRecord, provider: KybProviderName): SourceResponse | undefined =>
  check.sources.find((source) => source.provider === provider);

/** Records the response of a register once: a second response of the same register changes nothing. */
export async function recordAnswer(
  kybId: string,
  answer: Extract<SourceResponse, { status: 'answered' | 'unavailable' }>,
): Promise<void> {
  await withMongoTransaction(async (mongoSession) => {
    const processing = { _id: kybId, status: 'processing' as const, deletedAt: null };
    const check = await KybCheck.findOne(processing).session(mongoSession).lean<KybCheckRecord>();
    if (check === null || findKybSource(check, answer.provider)?.status !== 'pending') return;
    const sources = check.sources.map((source) => (source.provider === answer.provider ? answer : source));
    await KybCheck.updateOne({ ...processing, ...toScope(check) }, { $set: { sources } }, { session: mongoSession });
  });
}

/** Records that a register was unavailable after all attempts; `reason` is an error code. */
export const recordOutage = (
  platform: Platform,
  kybId: string,
  provider: KybProviderName,
  reason: string,
): Promise<void> =>
  recordAnswer(kybId, { provider, status: 'unavailable', reason: toFailureCode(reason), at: platform.clock.now() });

/** Concludes a check once from the responses of its registers, and emits its event in the same transaction. */
const concludeCheck = (platform: Platform, kybId: string): Promise<KybCheckRecord | null> =>
  runTransaction(platform, async (unit) => {
    const check = await KybCheck.findOne({ _id: kybId, deletedAt: null })
      .session(unit.mongoSession)
      .lean<KybCheckRecord>();
    if (check?.status !== 'processing') return check;
    const screening = await applyEarlierPartyReviews(unit, check);
    const { status, provider, detail, matches, risks, failure } = concludeKyb(check.query, check.sources, screening);
    const completedAt = platform.clock.now();
    const ended = await KybCheck.updateOne(
      { _id: kybId, ...toScope(check), status: 'processing', deletedAt: null },
      { $set: { screening, status, provider, detail, matches, risks, failure, completedAt } },
      { session: unit.mongoSession },
    );
    if (ended.matchedCount === 0) return null;
    await recordPartyHits(unit, check, screening);
    await startMonitoring(unit, { ...check, screening }, completedAt);
    await emitEvent(unit, toScope(check), {
      type: 'kyb.completed',
      key: `kyb.completed:${kybId}`,
      subjectId: kybId,
      data: { kybId, status, provider },
      at: completedAt,
    });
    return { ...check, screening, status, risks };
  });

/** Concludes a check and starts its monitors; repeated calls change nothing. */
export async function completeKyb(platform: Platform, kybId: string): Promise<KybSummary> {
  const check = await concludeCheck(platform, kybId);
  if (check === null) return ERASED;
  if (check.monitored === true && check.screening?.status === 'completed') {
    const searched = check.screening.listsSearched.map(({ version }) => version);
    await rescreenForMissedVersions(platform, check, kybId, searched);
  }
  return summariseKyb(check);
}
