import { AppError } from '../domain/errors';
import { isLocalShortage } from './local-shortages';
import { isMongoUnavailable } from './mongo-errors';
import { isNetworkError } from './network-errors';

/**
 * Whether an error is no fault of what was processed: a store that the service depends on does not respond, the service
 * answers 503, or this machine has exhausted a resource. The same work succeeds once the outage has ended.
 */
export const isOutage = (error: unknown): boolean =>
  isMongoUnavailable(error) ||
  isNetworkError(error) ||
  isLocalShortage(error) ||
  (error instanceof AppError && error.status === 503);
