import { ApplicationFailure, CancelledFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory } from '@temporalio/worker';
import { AppError } from '../domain/errors';
import { withLogContext } from '../lib/context';
import { summariseError } from '../lib/logger';
import type { Logger } from '../lib/logger';
import { readRequestId } from '../lib/temporal-headers';
import { AttemptCounter, classifyError } from './attempts';
import type { Repetition } from './attempts';

/**
 * Converts an activity's error into a Temporal failure. Histories are stored for long and visible to operators, so they
 * contain only codes and messages of AppErrors; the details of other errors are written to the worker's log.
 */
function toFailure(error: unknown, repetition: Repetition): Error {
  const nonRetryable = repetition === 'never';
  if (error instanceof TemporalFailure && !(nonRetryable && error instanceof ApplicationFailure)) return error;
  if (error instanceof ApplicationFailure) {
    return ApplicationFailure.create({ message: error.message, type: error.type ?? 'unknown', nonRetryable });
  }
  if (error instanceof AppError) {
    const { retryAfterSeconds } = error.details ?? {};
    return ApplicationFailure.create({
      message: error.message,
      type: error.code,
      nonRetryable,
      // A delay that a register or the decoders ask for replaces the interval of the retry policy; outages use its back-off.
      ...(retryAfterSeconds === undefined || repetition === 'unlimited'
        ? {}
        : { nextRetryDelay: retryAfterSeconds * 1000 }),
    });
  }
  const type = error instanceof Error ? error.name : 'UnknownError';
  return ApplicationFailure.create({ message: `${type}; see the worker's log for details`, type, nonRetryable });
}

/** Codes of attempts that wait their turn, which a loaded service expects. */
const WAITING_CODES: ReadonlySet<string> = new Set(['busy', 'egress_busy', 'decoding_delayed']);

const isExpected = (error: unknown, repetition: Repetition): boolean =>
  repetition === 'never' ||
  error instanceof CancelledFailure ||
  (error instanceof AppError && WAITING_CODES.has(error.code));

/**
 * Logs a failed attempt on one line: `info` if it was expected, such as an input that cannot be processed, else `warn`,
 * or `error` if it is not repeated. An unexpected error is logged with its stack once, and again when it is final.
 */
function logAttempt(
  logger: Logger,
  error: unknown,
  { attempt, repetition, isLast }: { attempt: number; repetition: Repetition; isLast: boolean },
): void {
  const reason = summariseError(error);
  if (isExpected(error, repetition)) {
    logger.info({ reason, attempt }, 'Activity attempt ended without a result');
    return;
  }
  const isUnknown = repetition === 'limited' && !(error instanceof AppError);
  const details = isUnknown && (attempt === 1 || isLast) ? { err: error, attempt } : { reason, attempt };
  if (isLast) logger.error(details, 'Activity failed');
  else logger.warn(details, 'Activity attempt failed; it is repeated');
}

/**
 * Sets the log context of every activity, logs and converts its errors, and decides whether it is attempted again.
 * @param options.retriesFaults whether the activities are repeated until they succeed, whatever the error; else a few
 *   times only, unless an outage is the cause
 */
export const createActivityInterceptors =
  (logger: Logger, { retriesFaults }: { retriesFaults: boolean }): ActivityInterceptorsFactory =>
  (context) => {
    const inbound: ActivityInboundCallsInterceptor = {
      execute(input, next) {
        const requestId = readRequestId(input.headers);
        const { workflowExecution, activityType, attempt } = context.info;
        return withLogContext(
          {
            ...(requestId === undefined ? {} : { requestId }),
            ...(workflowExecution === undefined ? {} : { workflowId: workflowExecution.workflowId }),
            activity: activityType,
          },
          async () => {
            const attempts = retriesFaults ? null : new AttemptCounter(context);
            attempts?.begin();
            try {
              return await next(input);
            } catch (error) {
              const repetition = classifyError(error);
              const isLast = attempts?.fail(repetition) ?? false;
              logAttempt(logger, error, { attempt, repetition, isLast });
              throw toFailure(error, isLast ? 'never' : repetition);
            }
          },
        );
      },
    };
    return { inbound };
  };
