import { MINUTE_MS } from '../../domain/durations';

/**
 * Every transaction has ended within this time: it is not repeated after 30 seconds, and MongoDB ends it after 60 by
 * default, or up to half as much again (`transactionLifetimeLimitSeconds`).
 */
export const MAX_OPEN_TRANSACTION_MS = 3 * MINUTE_MS;
