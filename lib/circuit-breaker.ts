/** When a circuit breaker opens, and for how long. */
export interface CircuitOptions {
  /** Consecutive failures that open the circuit. */
  failuresToOpen: number;
  /** Time after which an open circuit lets one call through as a probe. */
  retryAfterMs: number;
  /** Monotonic time in milliseconds. @default performance.now */
  now?: () => number;
}

/**
 * Stops calls to a service that does not respond, so that callers do not wait for its deadline one after another. Closed
 * while calls succeed; open after consecutive failures; an open circuit lets one probe through at a time, and closes
 * once a call succeeds.
 */
export class CircuitBreaker {
  private failures = 0;
  private retryAt = 0;
  private readonly now: () => number;

  constructor(private readonly options: CircuitOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Whether the last calls have failed, as many as open the circuit; a probe may be under way. */
  get isOpen(): boolean {
    return this.failures >= this.options.failuresToOpen;
  }

  /** Whether a call may be made now. A caller that gets true makes one call and records its result. */
  tryEnter(): boolean {
    if (!this.isOpen) return true;
    if (this.now() < this.retryAt) return false;
    // A probe that never ends is followed by the next one after the same time.
    this.retryAt = this.now() + this.options.retryAfterMs;
    return true;
  }

  /** Closes the circuit. */
  recordSuccess(): void {
    this.failures = 0;
  }

  /** Counts a failure; the time until the next probe begins anew with each. */
  recordFailure(): void {
    this.failures += 1;
    this.retryAt = this.now() + this.options.retryAfterMs;
  }
}
