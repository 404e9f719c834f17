import { LRUCache } from 'lru-cache';
import { Piscina } from 'piscina';
import {
  computeExpectedFalseHits,
  computeIdentificationError,
  computeSearchThreshold,
} from '../../../domain/identity/biometrics/face-search';
import type { FaceList, FaceSearchParameters } from '../../../domain/identity/biometrics/face-search';
import type { FaceChange } from '../../../services/identity/biometrics/face-rows';
import type { Scope } from '../../../services/platform/platform';
import { resolveCompiledFile } from '../../../lib/compiled-file';
import { FACE_BYTES, Gallery } from './gallery';
import { LIST_BITS } from './scan';
import type { ScanHit, ScanTask } from './scan';

/** Source that galleries are filled from; MongoDB is the source of truth. */
export interface FaceSource {
  /** Incremented by every change of the scope's searchable faces, in the transaction of the change. */
  revision(scope: Scope): Promise<number>;
  /** Number of searchable faces. */
  count(scope: Scope): Promise<number>;
  /** Changes after a revision, oldest first; every face if the revision is 0. */
  changes(scope: Scope, after: number): AsyncIterable<FaceChange[]>;
}

export interface GalleryQuery extends FaceSearchParameters {
  embedding: Float32Array;
  /** Excludes the faces of a session and of the person with an external id. */
  exclude?: { sessionId: string | null; externalId: string | null };
}

export interface GalleryHit {
  faceId: string;
  sessionId: string | null;
  similarity: number;
}

export interface GallerySearchResult {
  hits: GalleryHit[];
  gallerySize: number;
  threshold: number;
  expectedFalseHits: number;
  falsePositiveIdentificationRate: number;
}

interface CachedGallery {
  gallery: Gallery;
  revision: number;
  /** Searches of one gallery run one after another, because a refresh must not write what a scan reads. */
  queue: Promise<unknown>;
}

const buildGalleryKey = ({ organisationId, mode }: Scope): string => `${organisationId}.${mode}`;

const toListBits = (lists: readonly FaceList[]): number => lists.reduce((bits, list) => bits | LIST_BITS[list], 0);

/**
 * Exact search among the faces of an organisation and mode. A gallery is filled from its source on first use and
 * updated to the current revision before each search, so that a search sees every write acknowledged before it began,
 * by any process. The least recently used galleries are evicted to make room. A gallery larger than the whole cache is
 * searched in batches as it is read, which is slow.
 */
export class Galleries {
  private readonly cache: LRUCache<string, CachedGallery>;
  private readonly thread: Piscina<ScanTask, ScanHit[]>;

  /** @param maxBytes memory for embeddings in this process */
  constructor(
    private readonly source: FaceSource,
    private readonly maxBytes: number,
  ) {
    this.cache = new LRUCache({ maxSize: maxBytes });
    this.thread = new Piscina({
      filename: resolveCompiledFile('activities/vision/gallery/scan-worker'),
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Infinity,
    });
    // The pool replaces a thread that dies between tasks; without a listener the error event would end the process.
    this.thread.on('error', () => undefined);
  }

  /** Bytes of embeddings in memory. */
  get bytes(): number {
    return [...this.cache.values()].reduce((sum, { gallery }) => sum + gallery.bytes, 0);
  }

  /** Searches the faces of a scope; searches of one gallery follow one another, because each updates it first. */
  search(scope: Scope, query: GalleryQuery): Promise<GallerySearchResult> {
    const key = buildGalleryKey(scope);
    const cached = this.cache.get(key) ?? { gallery: new Gallery(), revision: 0, queue: Promise.resolve() };
    if (!this.cache.has(key)) this.store(key, cached, 0);
    const result = cached.queue.then(() => this.searchCached(scope, cached, query));
    cached.queue = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread that scans. */
  async close(): Promise<void> {
    await this.thread.close();
  }

  private async searchCached(scope: Scope, cached: CachedGallery, query: GalleryQuery): Promise<GallerySearchResult> {
    const key = buildGalleryKey(scope);
    const revision = await this.source.revision(scope);
    if (cached.revision === 0 && revision > 0) {
      const size = await this.source.count(scope);
      if (size * FACE_BYTES > this.maxBytes) return this.searchUncached(scope, query, size);
      this.store(key, cached, size * FACE_BYTES);
    }
    if (cached.revision !== revision) {
      for await (const changes of this.source.changes(scope, cached.revision)) cached.gallery.apply(changes);
      cached.revision = revision;
      this.store(key, cached, cached.gallery.bytes);
    }
    const size = cached.gallery.size(query.lists);
    const threshold = query.threshold ?? computeSearchThreshold(size);
    const hits = await this.scan(cached.gallery, query, threshold);
    return this.buildResult(hits, size, threshold);
  }

  /** Stores a gallery with its current size, evicting others until it fits. One larger than the cache is kept alone. */
  private store(key: string, cached: CachedGallery, bytes: number): void {
    // The cache updates a size only on insertion, and requires a positive one.
    this.cache.delete(key);
    this.cache.set(key, cached, { size: Math.max(1, Math.min(bytes, this.maxBytes)) });
  }

  /** Searches batch by batch without keeping any face. */
  private async searchUncached(scope: Scope, query: GalleryQuery, total: number): Promise<GallerySearchResult> {
    const threshold = query.threshold ?? computeSearchThreshold(total);
    let [hits, size]: [GalleryHit[], number] = [[], 0];
    for await (const changes of this.source.changes(scope, 0)) {
      const batch = new Gallery(changes.length);
      batch.apply(changes);
      size += batch.size(query.lists);
      const found = await this.scan(batch, query, threshold);
      hits = [...hits, ...found].sort((a, b) => b.similarity - a.similarity).slice(0, query.topK);
    }
    return this.buildResult(hits, size, threshold);
  }

  private async scan(gallery: Gallery, query: GalleryQuery, threshold: number): Promise<GalleryHit[]> {
    const { embedding, lists, topK, exclude } = query;
    const hits = await this.thread.run({
      chunks: gallery.chunks,
      slotCount: gallery.slotCount,
      query: embedding,
      lists: toListBits(lists),
      threshold,
      topK,
      skip: exclude === undefined ? [] : gallery.findSlots(exclude),
    });
    return hits.flatMap(({ slot, similarity }) => {
      const entry = gallery.getEntry(slot);
      return entry === undefined ? [] : [{ faceId: entry.faceId, sessionId: entry.sessionId, similarity }];
    });
  }

  private buildResult(hits: GalleryHit[], size: number, threshold: number): GallerySearchResult {
    return {
      hits,
      gallerySize: size,
      threshold,
      expectedFalseHits: computeExpectedFalseHits(threshold, size),
      falsePositiveIdentificationRate: computeIdentificationError(threshold, size),
    };
  }
}
