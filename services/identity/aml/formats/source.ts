import type { Readable } from 'node:stream';
import type { WatchListEntry } from '../../../../domain/identity/aml/entry';

/** A list as it lies on disk or came over the network: its file, and for sets of files those beside it. */
export interface ListSource {
  /** file name, such as `sdn.csv` */
  name: string;
  open(): Readable;
  /** a file of the same set, by its name; null where there is none */
  sibling(name: string): Readable | null;
}

/** What a list holds, counted as its publisher writes it. */
export interface ListCounts {
  entries: number;
  aliases: number;
  addresses: number;
  /** entries of which only aliases were published: searched by these, and not among `entries` */
  incomplete: number;
  /** lines or elements without a name or an id */
  skipped: number;
}

export const createEmptyCounts = (): ListCounts => ({
  entries: 0,
  aliases: 0,
  addresses: 0,
  incomplete: 0,
  skipped: 0,
});

/** Counts an entry; false where it cannot be one, since it lacks a name or an id. */
export function countEntry(counts: ListCounts, entry: WatchListEntry, addresses = entry.addresses.length): boolean {
  counts.addresses += addresses;
  counts.aliases += entry.aliases.length;
  const isComplete = entry.id !== '' && entry.caption !== '';
  if (isComplete) counts.entries += 1;
  else counts.skipped += 1;
  return isComplete;
}

/** Reads one publisher's format, entry by entry, and counts what it passes. */
export type ListParser = (source: ListSource, counts: ListCounts) => AsyncIterable<WatchListEntry>;
