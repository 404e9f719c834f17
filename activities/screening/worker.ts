// Entry of a screening thread: packs lists and searches them, one task at a time.
import { ListIndexBuilder } from '../../domain/identity/aml/list-index';
import { ListIndex } from '../../domain/identity/aml/list-search';
import { screenList } from '../../domain/identity/aml/screening';
import type { Hit } from '../../domain/identity/aml/screening';
import { readSnapshot } from '../../services/identity/aml/snapshot';
import type { PackedList, ScreeningTask, ScreeningTasks } from './tasks';

/** Readers of the lists last searched; those of versions no longer asked for go. */
const indexCache = new Map<string, ListIndex>();
const MAX_CACHED_INDEXES = 32;

function getIndex({ version, buffer }: PackedList): ListIndex {
  const index = indexCache.get(version) ?? new ListIndex(buffer);
  indexCache.delete(version);
  indexCache.set(version, index);
  for (const oldest of indexCache.keys()) {
    if (indexCache.size <= MAX_CACHED_INDEXES) break;
    indexCache.delete(oldest);
  }
  return index;
}

async function pack(snapshot: Uint8Array): Promise<SharedArrayBuffer> {
  const builder = new ListIndexBuilder();
  for await (const entry of readSnapshot(Buffer.from(snapshot))) builder.add(entry);
  return builder.build();
}

const search = ({ lists, query, threshold }: ScreeningTasks['search']['input']): Hit[][] =>
  lists.map((list) => screenList(query, getIndex(list), threshold));

export default (task: ScreeningTask): Promise<SharedArrayBuffer> | Hit[][] =>
  task.name === 'pack' ? pack(task.input.snapshot) : search(task.input);
