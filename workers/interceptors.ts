import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory } from '@temporalio/worker';
import { AppError } from '../domain/errors';
import { withLogContext } from '../lib/context';
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
              logger.warn({ err: error, attempt }, 'Activity attempt failed');
              const repetition = classifyError(error);
              const isLast = attempts?.fail(repetition) ?? false;
              throw toFailure(error, isLast ? 'never' : repetition);
            }
          },
        );
      },
    };
    return { inbound };
  };
