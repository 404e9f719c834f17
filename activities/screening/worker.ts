// Entry of a screening thread: packs lists and searches them, one task at a time.
import { ListIndexBuilder } from '../../domain/identity/aml/list-index';
import { ListIndex } from '../../domain/identity/aml/list-search';
import { screenList } from '../../domain/identity/aml/screening';
import type { Hit } from '../../domain/identity/aml/screening';
import { readSnapshot } from '../../services/identity/aml/snapshot';
import type { PackedList, ScreeningTask, ScreeningTasks } from './tasks';

/** Readers of the lists last searched; those of versions no longer asked for go. */
const readers = new Map<string, ListIndex>();
const MOST_READERS = 32;

function readerOf({ version, buffer }: PackedList): ListIndex {
  const reader = readers.get(version) ?? new ListIndex(buffer);
  readers.delete(version);
  readers.set(version, reader);
  for (const oldest of readers.keys()) {
    if (readers.size <= MOST_READERS) break;
    readers.delete(oldest);
  }
  return reader;
}

async function pack(snapshot: Uint8Array): Promise<SharedArrayBuffer> {
  const builder = new ListIndexBuilder();
  for await (const entry of readSnapshot(Buffer.from(snapshot))) builder.add(entry);
  return builder.build();
}

const search = ({ lists, query, threshold }: ScreeningTasks['search']['input']): Hit[][] =>
  lists.map((list) => screenList(query, readerOf(list), threshold));

export default (task: ScreeningTask): Promise<SharedArrayBuffer> | Hit[][] =>
  task.name === 'pack' ? pack(task.input.snapshot) : search(task.input);
