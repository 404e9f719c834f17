import { egressError } from './failure';

export interface LookupLimits {
  /** Lookups of one tenant at the same time. */
  perTenant: number;
  /** Lookups of all tenants at the same time. */
  total: number;
  /** A lookup that has no slot after this long is refused. */
  maxWaitMs: number;
}

interface Waiter {
  tenant: string;
  admit: () => void;
}

/**
 * Bounds the lookups that run at the same time. A tenant with many host names that never resolve occupies its own slots
 * only, and its further lookups are refused soon, so that its callers do not occupy the worker either.
 */
export class LookupSlots {
  private readonly runningByTenant = new Map<string, number>();
  private running = 0;
  private waiters: Waiter[] = [];

  constructor(private readonly limits: LookupLimits) {}

  /** @throws AppError `egress_busy` without a slot in time */
  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    await this.acquire(tenant);
    try {
      return await work();
    } finally {
      this.release(tenant);
    }
  }

  private hasSlot(tenant: string): boolean {
    return this.running < this.limits.total && (this.runningByTenant.get(tenant) ?? 0) < this.limits.perTenant;
  }

  private take(tenant: string): void {
    this.running += 1;
    this.runningByTenant.set(tenant, (this.runningByTenant.get(tenant) ?? 0) + 1);
  }

  private acquire(tenant: string): Promise<void> {
    if (this.hasSlot(tenant)) {
      this.take(tenant);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        tenant,
        admit: () => {
          clearTimeout(timer);
          this.take(tenant);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((each) => each !== waiter);
        reject(egressError('dns_busy'));
      }, this.limits.maxWaitMs);
      this.waiters.push(waiter);
    });
  }

  private release(tenant: string): void {
    const count = (this.runningByTenant.get(tenant) ?? 1) - 1;
    if (count === 0) this.runningByTenant.delete(tenant);
    else this.runningByTenant.set(tenant, count);
    this.running -= 1;
    const next = this.waiters.findIndex((waiter) => this.hasSlot(waiter.tenant));
    if (next !== -1) this.waiters.splice(next, 1)[0]?.admit();
  }
}
