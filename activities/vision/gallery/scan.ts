import { quantiseQuery, createErrorBound } from './quantisation';
import { DotProducts } from './dot-products';

/** Values of an embedding. */
export const DIMENSIONS = 512;

/** Bit of each list in a chunk's `lists`; 0 is an empty place. */
export const LIST_BITS = { users: 1, blocklist: 2 } as const;

/** Places of a gallery in shared memory: the thread that scans reads what the main thread wrote. */
export interface Chunk {
  /** embeddings of unit length, one after the other */
  rows: Float32Array<SharedArrayBuffer>;
  /** the same in a byte a value, see {@link encodeRow} */
  codes: Int8Array<SharedArrayBuffer>;
  /** scale and residue of each place's codes */
  scales: Float32Array<SharedArrayBuffer>;
  residues: Float32Array<SharedArrayBuffer>;
  /** the list of each place */
  lists: Uint8Array<SharedArrayBuffer>;
}

export interface ScanTask {
  chunks: readonly Chunk[];
  /** places in use or used before: those after it are not looked at */
  slotCount: number;
  /** an embedding of unit length */
  query: Float32Array;
  /** lists looked at, as a sum of bits */
  lists: number;
  /** least cosine of a hit */
  threshold: number;
  /** most hits */
  topK: number;
  /** places left out, such as those of the person searched */
  skip: readonly number[];
}

export interface ScanHit {
  slot: number;
  /** cosine */
  similarity: number;
}

/** The cosine of one place, in double precision. */
function computeCosine(rows: Float32Array, index: number, query: Float32Array): number {
  const first = index * DIMENSIONS;
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at += 1) sum += (rows[first + at] ?? 0) * (query[at] ?? 0);
  return sum;
}

/** Best first; equal cosines by place, so that the same search has the same answer. */
const compareHits = (a: ScanHit, b: ScanHit): number => b.similarity - a.similarity || a.slot - b.slot;

/** The best so far, and the cosine from which on another place may be among them. */
class TopHits {
  private hits: ScanHit[] = [];

  constructor(
    private minSimilarity: number,
    private readonly topK: number,
  ) {}

  reaches(cosine: number): boolean {
    return cosine >= this.minSimilarity;
  }

  add(hit: ScanHit): void {
    this.hits.push(hit);
    if (this.hits.length < 2 * this.topK) return;
    this.hits = this.getSorted();
    this.minSimilarity = Math.max(this.minSimilarity, this.hits.at(-1)?.similarity ?? this.minSimilarity);
  }

  getSorted(): ScanHit[] {
    return this.hits.sort(compareHits).slice(0, this.topK);
  }
}

/**
 * Every place is compared, and the answer is exact. Each is compared in a byte a value first, which is fast and states
 * how far it may be off; only places that may be hits by that bound are compared in full.
 */
export function scan(task: ScanTask, products = new DotProducts()): ScanHit[] {
  const { chunks, slotCount, query, lists, threshold, topK, skip } = task;
  const skipped = new Set(skip);
  const best = new TopHits(threshold, topK);
  const quantisedQuery = quantiseQuery(query);
  const errorBound = createErrorBound(quantisedQuery);
  products.setQuery(quantisedQuery.codes);
  let start = 0;
  for (const { rows, codes, scales, residues, lists: chunkLists } of chunks) {
    const count = Math.min(chunkLists.length, slotCount - start);
    const dots = products.compute(codes, count, DIMENSIONS);
    for (let index = 0; index < count; index += 1) {
      const upperBound =
        (dots[index] ?? 0) * (scales[index] ?? 0) * quantisedQuery.scale + errorBound(residues[index] ?? 0);
      if (!best.reaches(upperBound) || ((chunkLists[index] ?? 0) & lists) === 0 || skipped.has(start + index)) continue;
      const similarity = computeCosine(rows, index, query);
      if (best.reaches(similarity)) best.add({ slot: start + index, similarity });
    }
    start += chunkLists.length;
  }
  return best.getSorted();
}
