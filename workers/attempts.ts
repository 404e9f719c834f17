import { ApplicationFailure } from '@temporalio/common';
import type { Context } from '@temporalio/activity';
import { keepHeartbeatDetails } from '../activities/heartbeat';
import { AppError } from '../domain/errors';
import { isOutage } from '../lib/outages';

/**
 * What may be tried again: `never` what the input caused, `limited` what may be caused by the input or by chance, such
 * as a crash of an engine, `delayed` what was not attempted because its turn comes after the time that the error states,
 * and `unlimited` an outage of a store that the service depends on, or a shortage of the machine.
 */
export type Repetition = 'never' | 'limited' | 'delayed' | 'unlimited';

/** Codes of errors that say nothing about the input: the same attempt succeeds once the outage has ended. */
const OUTAGE_CODES: ReadonlySet<string> = new Set(['unavailable', 'busy', 'egress_busy', 'vision_closed']);

/** How often an activity may be attempted again after this error. */
export function classifyError(error: unknown): Repetition {
  if (error instanceof AppError) {
    if (OUTAGE_CODES.has(error.code)) return 'unlimited';
    if (error.code === 'decoding_delayed') return 'delayed';
    return error.status < 500 && error.status !== 429 ? 'never' : 'limited';
  }
  if (error instanceof ApplicationFailure && error.nonRetryable === true) return 'never';
  return isOutage(error) ? 'unlimited' : 'limited';
}

/** Attempts that may fail for a reason other than an outage or a delay. */
export const MAX_FAULTS = 4;

/** Attempts that may end without a report, because their process was killed or they took too long. */
export const MAX_LOST_ATTEMPTS = 8;

/** Counts over the attempts of one activity, in its heartbeat details, which Temporal passes to the next attempt. */
interface AttemptCounts {
  faults: number;
  lost: number;
}

const isCounts = (details: unknown): details is AttemptCounts =>
  typeof details === 'object' && details !== null && 'faults' in details && 'lost' in details;

/** Counts the failed attempts of one activity, without those that an outage ended and those that were delayed. */
export class AttemptCounter {
  private readonly before: AttemptCounts;

  constructor(private readonly context: Context) {
    const details: unknown = context.info.heartbeatDetails;
    this.before = isCounts(details) ? details : { faults: 0, lost: 0 };
  }

  /**
   * Notes that an attempt begins. A repeated one counts as lost until it reports its end, so that an input that ends its
   * worker is not tried for ever.
   * @throws ApplicationFailure `timed_out`, not retried, after too many lost attempts
   */
  begin(): void {
    const { faults, lost } = this.before;
    if (lost >= MAX_LOST_ATTEMPTS) {
      throw ApplicationFailure.nonRetryable(`${lost} attempts ended without a report.`, 'timed_out');
    }
    if (this.context.info.attempt > 1) keepHeartbeatDetails(this.context, { faults, lost: lost + 1 });
  }

  /** Notes that the attempt failed. @returns whether it was the last one */
  fail(repetition: Repetition): boolean {
    const { faults, lost } = this.before;
    const after = { faults: faults + (repetition === 'limited' ? 1 : 0), lost };
    keepHeartbeatDetails(this.context, after);
    return after.faults >= MAX_FAULTS;
  }
}
