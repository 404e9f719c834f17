import { Piscina } from 'piscina';
import type { ScreeningQuery } from '../../domain/identity/aml/query';
import { keepBestHits } from '../../domain/identity/aml/screening';
import type { Hit } from '../../domain/identity/aml/screening';
import { resolveCompiledFile } from '../../lib/compiled-file';
import { createPackedVersions } from './packed-versions';
import type { ListToSearch } from './packed-versions';
import type { PackedList, ScreeningTasks } from './tasks';

export interface ScreeningEngine {
  /**
   * Searches lists.
   * @returns hits of each list in the given order, with scores of at least `threshold` (0–100). A version that was not
   * searched before is packed first, once for all threads.
   */
  search(lists: readonly ListToSearch[], query: ScreeningQuery, threshold: number): Promise<Hit[][]>;
  /** Keeps a version between searches, whatever is retained meanwhile. @returns releases it */
  hold(version: string): () => void;
  /** Releases all versions except these and those that are held. */
  retain(versions: ReadonlySet<string>): void;
  close(): Promise<void>;
}

/**
 * Searches lists for a subject under each of its names.
 * @returns hits of each list in the given order; an entry found under several names is one hit
 */
export async function searchByNames(
  engine: Pick<ScreeningEngine, 'search'>,
  lists: readonly ListToSearch[],
  { queries, threshold }: { queries: readonly ScreeningQuery[]; threshold: number },
): Promise<Hit[][]> {
  const found: Hit[][][] = [];
  for (const query of queries) found.push(await engine.search(lists, query, threshold));
  return lists.map((_list, at) => keepBestHits(found.flatMap((hits) => hits[at] ?? [])));
}

/** Starts the screening threads. They hold no list of their own, but read the same shared memory. */
export function createScreeningEngine({ threads }: { threads: number }): ScreeningEngine {
  const pool = new Piscina({
    filename: resolveCompiledFile('activities/screening/worker'),
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Infinity,
    // A thread waiting in Atomics.wait cannot read a snapshot.
    atomics: 'disabled',
  });
  pool.on('error', () => undefined);
  const run = <Name extends keyof ScreeningTasks>(
    name: Name,
    input: ScreeningTasks[Name]['input'],
  ): Promise<ScreeningTasks[Name]['output']> => pool.run({ name, input });
  const packed = createPackedVersions((snapshot) => run('pack', { snapshot }));

  return {
    async search(lists, query, threshold) {
      const packedLists = await Promise.all(
        lists.map(async (list): Promise<PackedList> => ({ version: list.version, buffer: await packed.get(list) })),
      );
      return run('search', { lists: packedLists, query, threshold });
    },
    hold: (version) => packed.hold(version),
    retain: (versions) => packed.retain(versions),
    close: () => pool.close(),
  };
}
