import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory } from '@temporalio/worker';
import { TemporalFailure } from '@temporalio/common';
import { AppError } from '../domain/errors';
import { withLogContext } from '../lib/context';
import type { Logger } from '../lib/logger';
import { readRequestId } from '../lib/temporal-headers';

/** Bad input, authorisation, not found and business rules do not change by trying again. */
const isFinal = (error: AppError): boolean => error.status < 500 && error.status !== 429;

/**
 * The one place where an activity's error becomes a Temporal failure. Histories outlive requests and are read by
 * operators, so only codes and our own messages go in; what else an error says stays in the worker's log.
 */
export function toFailure(error: unknown): Error {
  if (error instanceof TemporalFailure) return error;
  if (error instanceof AppError) {
    const { retryAfterSeconds } = error.details ?? {};
    return ApplicationFailure.create({
      message: error.message,
      type: error.code,
      nonRetryable: isFinal(error),
      // Whoever asked for time is given it, in place of the retry policy's own interval.
      ...(retryAfterSeconds === undefined ? {} : { nextRetryDelay: retryAfterSeconds * 1000 }),
    });
  }
  const type = error instanceof Error ? error.name : 'UnknownError';
  return ApplicationFailure.create({ message: `${type}; the worker's log has the details`, type });
}

/** Gives every activity its log context, logs its failure once and converts it. */
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
              logger.warn({ err: error, attempt }, 'An activity attempt failed');
              throw toFailure(error);
            }
          },
        );
      },
    };
    return { inbound };
  };
