import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../durations';

/** How failures that count together delay further attempts. */
export interface FailurePolicy {
  /** Number of failures from which on attempts are delayed. */
  readonly limit: number;
  /** Failures are forgotten after this long without another one. */
  readonly memoryMs: number;
  /** The delay after a number of failures of at least the limit. */
  computeDelayMs(failures: number): number;
}

export const MAX_ADDRESS_FAILURES = 5;
const MAX_ACCOUNT_FAILURES = 20;
const MAX_CODE_FAILURES = 10;
export const MAX_DELAY_MINUTES = 15;

const MIN_DELAY_MS = 30 * SECOND_MS;
const MAX_DELAY_MS = MAX_DELAY_MINUTES * MINUTE_MS;

/** Doubles with every failure from the first delay to the maximum. */
const buildGrowingPolicy = (limit: number): FailurePolicy => ({
  limit,
  memoryMs: DAY_MS,
  computeDelayMs: (failures) => Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** (failures - limit)),
});

/** Attempts for one account from one client address or one known device: the lock of the contract. */
export const ADDRESS_POLICY: FailurePolicy = {
  limit: MAX_ADDRESS_FAILURES,
  memoryMs: MAX_DELAY_MS,
  computeDelayMs: () => MAX_DELAY_MS,
};

/** Attempts for one account from all client addresses together. */
export const ACCOUNT_POLICY = buildGrowingPolicy(MAX_ACCOUNT_FAILURES);

/** Comparisons of a password with that of an account while it is right for another one with the same address. */
export const COMPARISON_POLICY = buildGrowingPolicy(MAX_ADDRESS_FAILURES);

/** Wrong codes of the second factor after the right password. */
export const CODE_POLICY = buildGrowingPolicy(MAX_CODE_FAILURES);
