// Entry point of a screening thread, which packs and searches lists, one task at a time.
import { LRUCache } from 'lru-cache';
import { ListIndexBuilder } from '../../domain/identity/aml/list-index';
import { ListIndex } from '../../domain/identity/aml/list-search';
import { screenList } from '../../domain/identity/aml/screening';
import type { Hit } from '../../domain/identity/aml/screening';
import { readSnapshot } from '../../services/identity/aml/snapshot';
import type { PackedList, ScreeningTask, ScreeningTasks } from './tasks';

/** Indexes of the list versions searched most recently, by version. */
const indexCache = new LRUCache<string, ListIndex>({ max: 32 });

function getIndex({ version, buffer }: PackedList): ListIndex {
  const cached = indexCache.get(version);
  if (cached !== undefined) return cached;
  const index = new ListIndex(buffer);
  indexCache.set(version, index);
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
