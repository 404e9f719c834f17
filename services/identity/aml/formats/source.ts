import type { Readable } from 'node:stream';
import type { WatchListEntry } from '../../../../domain/identity/aml/entry';

/** A list on disk or as downloaded: its main file and, for sets of files, the others. */
export interface ListSource {
  /** File name, such as `sdn.csv`. */
  name: string;
  open(): Readable;
  /** Opens another file of the set by its name; null if it does not exist. */
  sibling(name: string): Readable | null;
}

/** Counts of a list, as its publisher writes it. */
export interface ListCounts {
  entries: number;
  aliases: number;
  addresses: number;
  /** Entries of which only aliases were published; they are searchable, but not included in `entries`. */
  incomplete: number;
  /** Lines or elements without a name or an id. */
  skipped: number;
}

/** The counts of a list before its first entry. */
export const createEmptyCounts = (): ListCounts => ({
  entries: 0,
  aliases: 0,
  addresses: 0,
  incomplete: 0,
  skipped: 0,
});

/** Counts an entry. @returns false for an invalid entry, which lacks a name or an id */
export function countEntry(counts: ListCounts, entry: WatchListEntry, addresses = entry.addresses.length): boolean {
  counts.addresses += addresses;
  counts.aliases += entry.aliases.length;
  const isComplete = entry.id !== '' && entry.caption !== '';
  if (isComplete) counts.entries += 1;
  else counts.skipped += 1;
  return isComplete;
}

/** Parses one publisher's format entry by entry, and updates the counts. */
export type ListParser = (source: ListSource, counts: ListCounts) => AsyncIterable<WatchListEntry>;
