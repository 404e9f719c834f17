import { AppError } from '../../domain/errors';
import { toVatNumber } from '../../domain/business/parties/tax-id-verification';
import type { Egress } from '../../lib/egress/egress';
import { getEgressReason } from '../../lib/egress/failure';
import { isMongoUnavailable } from '../../lib/mongo-errors';
import { RegisterClient } from '../../lib/registers/register-client';
import { ViesClient } from '../../lib/registers/vies';
import type { TaxIdVerificationRecord } from '../../models/business/parties/tax-id-verification';
import {
  beginQuery,
  findRequester,
  findSecondsToNextVerification,
  postponeQuery,
  readDueVerifications,
  recordQueryOutcome,
} from '../../services/business/parties/tax-id-queries';
import type { QueryOutcome } from '../../services/business/parties/tax-id-queries';
import type { Platform } from '../../services/platform/platform';
import { BacklogReader } from '../../services/platform/transactions/backlog-readers';
import { workflowIds } from '../../workflows/contracts';
import { BACKLOG_HEARTBEAT_MS, workOffBacklog } from '../backlog';
import { withHeartbeatEvery } from '../heartbeat';

/** Queries of one organisation at the same time: VIES refuses clients that send many. */
const MAX_IN_PROGRESS = 2;
/** New verifications are taken for this long; then other organisations have their turn. */
const MAX_READ_MS = 20_000;
/** Delay of a query that failed for an unexpected reason on this side. */
const FAULT_DELAY_MS = 60_000;

/** What an activity has found, for its workflow and the Temporal UI. */
export interface VerificationProgress {
  /** Number of queries by `valid`, `invalid` or the reason without a result. */
  answers: Record<string, number>;
  /** Seconds until the next query, 0 if one is due; null if none is left. */
  nextAttemptInSeconds: number | null;
}

/** Queries VIES. An outage, of VIES or on the way to it, is an outcome; other errors are thrown. */
async function queryVies(vies: ViesClient, { organisationId, taxId }: TaxIdVerificationRecord): Promise<QueryOutcome> {
  const vat = toVatNumber(taxId);
  if (vat === null) return { valid: false, name: null, address: null, consultationNumber: null };
  try {
    return await vies.check(vat, await findRequester(organisationId));
  } catch (error) {
    if (error instanceof AppError) return { reason: error.code, retryAfterSeconds: error.details?.retryAfterSeconds };
    const reason = getEgressReason(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}

/**
 * The activities that query VIES.
 * @param stopping aborted when the process begins to stop
 */
export const createTaxIdActivities = (platform: Platform, egress: Egress, stopping: AbortSignal) => {
  const client = new RegisterClient(egress, platform.clock, platform.config.VIES_URL, { accept: 'application/json' });
  const vies = new ViesClient(client);

  const verify = async (
    row: TaxIdVerificationRecord,
    isCurrent: () => Promise<boolean>,
    results: Record<string, number>,
  ): Promise<void> => {
    try {
      if (!(await isCurrent()) || !(await beginQuery(platform, row))) return;
      const outcome = await queryVies(vies, row);
      await recordQueryOutcome(platform, row, outcome);
      const name = 'reason' in outcome ? outcome.reason : outcome.valid ? 'valid' : 'invalid';
      results[name] = (results[name] ?? 0) + 1;
    } catch (error) {
      if (isMongoUnavailable(error)) throw error;
      platform.logger.error({ err: error, verificationId: row._id }, 'A VAT identifier could not be queried');
      await postponeQuery(platform, row, FAULT_DELAY_MS);
    }
  };

  return {
    /** Queries the VAT identifiers of an organisation that are due, and records each result. */
    verifyTaxIds: ({ organisationId }: { organisationId: string }): Promise<VerificationProgress> =>
      withHeartbeatEvery(BACKLOG_HEARTBEAT_MS, async () => {
        const reader = new BacklogReader({
          workflow: 'taxIdVerifications',
          workflowId: workflowIds.taxIdVerifications(organisationId),
          organisationId,
          argument: { organisationId },
        });
        const results: Record<string, number> = {};
        const work = {
          maxInProgress: MAX_IN_PROGRESS,
          maxReadMs: MAX_READ_MS,
          read: (limit: number, exceptIds: readonly string[]) =>
            readDueVerifications(platform, organisationId, limit, exceptIds),
          getId: ({ _id }: TaxIdVerificationRecord) => _id,
          process: (row: TaxIdVerificationRecord, isCurrent: () => Promise<boolean>) => verify(row, isCurrent, results),
        };
        await workOffBacklog(reader, work, stopping);
        return {
          answers: results,
          nextAttemptInSeconds: await findSecondsToNextVerification(platform, organisationId),
        };
      }),
  };
};

export type TaxIdActivities = ReturnType<typeof createTaxIdActivities>;
