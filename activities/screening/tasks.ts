import type { ScreeningQuery } from '../../domain/identity/aml/query';
import type { Hit } from '../../domain/identity/aml/screening';

/** A packed list, by the id of its version; threads share the bytes. */
export interface PackedList {
  version: string;
  buffer: SharedArrayBuffer;
}

/** What a screening thread can be asked. */
export interface ScreeningTasks {
  /** Packs a snapshot for searching. */
  pack: { input: { snapshot: Uint8Array }; output: SharedArrayBuffer };
  /** Searches lists; the answer has the hits of each, in the order given. */
  search: { input: { lists: PackedList[]; query: ScreeningQuery; threshold: number }; output: Hit[][] };
}

export type ScreeningTask = {
  [Name in keyof ScreeningTasks]: { name: Name; input: ScreeningTasks[Name]['input'] };
}[keyof ScreeningTasks];
