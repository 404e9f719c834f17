import { Piscina } from 'piscina';
import type { ScreeningQuery } from '../../domain/identity/aml/query';
import { keepBestHits } from '../../domain/identity/aml/screening';
import type { Hit } from '../../domain/identity/aml/screening';
import { resolveCompiledFile } from '../compiled-file';
import type { PackedList, ScreeningTasks } from './tasks';

/** A list version with the source of its entries. */
export interface ListToSearch {
  version: string;
  /** Reads its snapshot; called once per version. */
  load: () => Promise<Buffer>;
}

export interface ScreeningEngine {
  /**
   * Searches lists.
   * @returns hits of each list in the given order, with scores of at least `threshold` (0–100). A version that was not
   * searched before is packed first, once for all threads.
   */
  search(lists: readonly ListToSearch[], query: ScreeningQuery, threshold: number): Promise<Hit[][]>;
  /** Releases all versions except these. */
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
    filename: resolveCompiledFile('screening/worker'),
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
  const packedVersions = new Map<string, Promise<SharedArrayBuffer>>();

  const pack = ({ version, load }: ListToSearch): Promise<SharedArrayBuffer> => {
    const cached = packedVersions.get(version);
    if (cached !== undefined) return cached;
    const packing = load().then((snapshot) => run('pack', { snapshot }));
    packedVersions.set(version, packing);
    // The next search tries a failed version again.
    packing.catch(() => packedVersions.delete(version));
    return packing;
  };

  return {
    async search(lists, query, threshold) {
      const packedLists = await Promise.all(
        lists.map(async (list): Promise<PackedList> => ({ version: list.version, buffer: await pack(list) })),
      );
      return run('search', { lists: packedLists, query, threshold });
    },
    retain(versions) {
      for (const version of packedVersions.keys()) if (!versions.has(version)) packedVersions.delete(version);
    },
    close: () => pool.close(),
  };
}
