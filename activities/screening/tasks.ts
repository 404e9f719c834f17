import type { ScreeningQuery } from '../../domain/identity/aml/query';
import type { Hit } from '../../domain/identity/aml/screening';

/** A packed list by the id of its version, in memory shared by all threads. */
export interface PackedList {
  version: string;
  buffer: SharedArrayBuffer;
}

/** Tasks of a screening thread. */
export interface ScreeningTasks {
  /** Packs a snapshot for searching. */
  pack: { input: { snapshot: Uint8Array }; output: SharedArrayBuffer };
  /** Searches lists; the result contains the hits of each list in the given order. */
  search: { input: { lists: PackedList[]; query: ScreeningQuery; threshold: number }; output: Hit[][] };
}

export type ScreeningTask = {
  [Name in keyof ScreeningTasks]: { name: Name; input: ScreeningTasks[Name]['input'] };
}[keyof ScreeningTasks];
