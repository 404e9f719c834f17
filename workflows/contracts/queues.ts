/** Task queues, one for each worker pool. */
export const QUEUES = {
  orchestration: 'vouch-orchestration',
  vision: 'vouch-vision',
  rendering: 'vouch-rendering',
  delivery: 'vouch-delivery',
  screening: 'vouch-screening',
  exports: 'vouch-exports',
} as const;

export type Pool = keyof typeof QUEUES;

export const isPool = (name: string): name is Pool => Object.hasOwn(QUEUES, name);

/** Every worker pool. */
export const POOL_NAMES: readonly Pool[] = Object.keys(QUEUES).filter(isPool);

/** A second queue of a pool, whose activities have slots of their own in each process. */
export const SECOND_QUEUES = {
  rendering: 'vouch-rendering-bulk',
  screening: 'vouch-screening-registers',
} as const satisfies Partial<Record<Pool, string>>;
