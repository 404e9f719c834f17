import type { Config } from '../lib/config';
import type { Machine } from '../lib/machine';
import type { Pool } from '../workflows/contracts';

/** How much each pool that occupies processors does at once. */
export interface SlotPlan {
  /** Documents and faces: inference threads. */
  vision: number;
  /** Pages of Chromium. */
  rendering: number;
  /** Threads that search watch lists. */
  screening: number;
}

/** Memory in MB for the process itself, and for each slot. Vision: measured with the largest accepted images. */
const PROCESS_MEGABYTES = 512;
const SLOT_MEGABYTES: SlotPlan = { vision: 320, rendering: 150, screening: 100 };
const MAX_SLOTS: SlotPlan = { vision: 64, rendering: 16, screening: 64 };
/** A page waits for the object store and the database part of the time. */
const LEAST_PAGES = 2;

type SlotSettings = Pick<Config, 'VISION_THREADS' | 'RENDERING_PAGES' | 'SCREENING_THREADS'>;

/** Vision takes at most this share of the memory that other pools of its process leave: engines may run next to it. */
const SHARED_VISION_MEMORY = 0.5;

/**
 * Plans the slots of a process from the machine, no more than memory suffices for. A pool that is alone gets all cores;
 * where pools share a process, vision does too, since it is what work waits for, and the others a part of them. A setting
 * takes precedence.
 */
export function planSlots(pools: readonly Pool[], machine: Machine, settings: SlotSettings): SlotPlan {
  const sharing = pools.filter((pool) => pool in SLOT_MEGABYTES).length > 1;
  let megabytes = machine.memoryMegabytes - PROCESS_MEGABYTES;
  const plan = (pool: keyof SlotPlan, setting: number | undefined, wanted: number): number => {
    if (!pools.includes(pool)) return 0;
    const possible = Math.min(wanted, MAX_SLOTS[pool], megabytes / SLOT_MEGABYTES[pool]);
    const slots = setting ?? Math.max(1, Math.floor(possible));
    megabytes -= slots * SLOT_MEGABYTES[pool];
    return slots;
  };
  const { cores } = machine;
  const rendering = plan('rendering', settings.RENDERING_PAGES, Math.max(LEAST_PAGES, sharing ? cores / 2 : cores));
  const screening = plan('screening', settings.SCREENING_THREADS, sharing ? cores / 4 : cores);
  if (sharing) megabytes *= SHARED_VISION_MEMORY;
  return { vision: plan('vision', settings.VISION_THREADS, cores), rendering, screening };
}
