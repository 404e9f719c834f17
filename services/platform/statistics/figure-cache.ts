import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '../../../domain/durations';

/** Figures are kept for so many times as long as it took to compute them. */
const KEEP_FACTOR = 20;
const MAX_KEEP_MS = 60 * SECOND_MS;
/** Figures that are computed faster than this are never kept. */
const MIN_COST_MS = 50;
const MAX_KEPT = 1000;

/**
 * Bounds the load of figures over many records: requests at the same time share one computation, and its result is kept
 * in proportion to its cost. However often a page is loaded, a process computes one figure for at most about a
 * twentieth of the time; figures that cost little are always current.
 */
export class FigureCache {
  private readonly running = new Map<string, Promise<object>>();
  private readonly kept = new LRUCache<string, object>({ max: MAX_KEPT });

  /** @param key names the figure with organisation, mode and period */
  async get<T extends object>(key: string, compute: () => Promise<T>): Promise<T> {
    const known = this.kept.get(key) ?? this.running.get(key);
    // A key names one figure, whose type is that of its computation.
    if (known !== undefined) return known as T | Promise<T>;
    const computing = this.computeAndKeep(key, compute);
    this.running.set(key, computing);
    try {
      return await computing;
    } finally {
      this.running.delete(key);
    }
  }

  private async computeAndKeep<T extends object>(key: string, compute: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const figures = await compute();
    const costMs = performance.now() - startedAt;
    if (costMs >= MIN_COST_MS) this.kept.set(key, figures, { ttl: Math.min(MAX_KEEP_MS, costMs * KEEP_FACTOR) });
    return figures;
  }
}
