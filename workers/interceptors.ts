import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory } from '@temporalio/worker';
import { TemporalFailure } from '@temporalio/common';
import { AppError } from '../domain/errors';
import { withLogContext } from '../lib/context';
import type { Logger } from '../lib/logger';
import { readRequestId } from '../lib/temporal-headers';

/** Errors that a retry cannot fix: invalid input, authorisation, unknown records and business rules. */
const isFinal = (error: AppError): boolean => error.status < 500 && error.status !== 429;

/**
 * Converts an activity's error into a Temporal failure. Histories are stored for long and visible to operators, so they
 * contain only codes and messages of AppErrors; the details of other errors are written to the worker's log.
 */
export function toFailure(error: unknown): Error {
  if (error instanceof TemporalFailure) return error;
  if (error instanceof AppError) {
    const { retryAfterSeconds } = error.details ?? {};
    return ApplicationFailure.create({
      message: error.message,
      type: error.code,
      nonRetryable: isFinal(error),
      // A delay requested by the error replaces the interval of the retry policy.
      ...(retryAfterSeconds === undefined ? {} : { nextRetryDelay: retryAfterSeconds * 1000 }),
    });
  }
  const type = error instanceof Error ? error.name : 'UnknownError';
  return ApplicationFailure.create({ message: `${type}; see the worker's log for details`, type });
}

/** Sets the log context of every activity, and logs and converts its errors. */
export const createActivityInterceptors =
  (logger: Logger): ActivityInterceptorsFactory =>
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
            try {
              return await next(input);
            } catch (error) {
              logger.warn({ err: error, attempt }, 'Activity attempt failed');
              throw toFailure(error);
            }
          },
        );
      },
    };
    return { inbound };
  };
