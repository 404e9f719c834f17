import { quantiseQuery, createErrorBound } from './quantisation';
import { DotProducts } from './dot-products';

/** Dimensions of an embedding. */
export const DIMENSIONS = 512;

/** Bit of each list in `Chunk.lists`; 0 marks a free slot. */
export const LIST_BITS = { users: 1, blocklist: 2 } as const;

/** Slots of a gallery in shared memory, written by the main thread and read by the scan thread. */
export interface Chunk {
  /** embeddings of unit length, concatenated */
  rows: Float32Array<SharedArrayBuffer>;
  /** the embeddings quantised to one byte per value, see `quantiseRow` */
  codes: Int8Array<SharedArrayBuffer>;
  /** scale and residue of the codes of each slot */
  scales: Float32Array<SharedArrayBuffer>;
  residues: Float32Array<SharedArrayBuffer>;
  /** list of each slot */
  lists: Uint8Array<SharedArrayBuffer>;
}

export interface ScanTask {
  chunks: readonly Chunk[];
  /** number of slots ever used; later ones are not scanned */
  slotCount: number;
  /** an embedding of unit length */
  query: Float32Array;
  /** searched lists, as a bit mask */
  lists: number;
  /** minimum cosine of a hit */
  threshold: number;
  /** maximum number of hits */
  topK: number;
  /** excluded slots, such as those of the person searched for */
  skip: readonly number[];
}

export interface ScanHit {
  slot: number;
  /** cosine */
  similarity: number;
}

/** The cosine of one slot, in double precision. */
function computeCosine(rows: Float32Array, index: number, query: Float32Array): number {
  const first = index * DIMENSIONS;
  let sum = 0;
  for (let at = 0; at < DIMENSIONS; at += 1) sum += (rows[first + at] ?? 0) * (query[at] ?? 0);
  return sum;
}

/** Best first; equal cosines by slot, so that results are deterministic. */
const compareHits = (a: ScanHit, b: ScanHit): number => b.similarity - a.similarity || a.slot - b.slot;

/** The best hits so far, and the minimum cosine of a further one. */
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
 * Compares every slot, with an exact result. Quantised embeddings are compared first, which is fast and bounds the
 * error; only slots that may be hits by that bound are compared in full precision.
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
