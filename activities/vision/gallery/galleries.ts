import { Piscina } from 'piscina';
import {
  computeExpectedFalseHits,
  computeIdentificationError,
  computeSearchThreshold,
} from '../../../domain/identity/biometrics/face-search';
import type { FaceList, FaceSearchParameters } from '../../../domain/identity/biometrics/face-search';
import type { FaceChange } from '../../../services/identity/biometrics/face-gallery';
import type { Scope } from '../../../services/platform/platform';
import { resolveCompiledFile } from '../../compiled-file';
import { FACE_BYTES, Gallery } from './gallery';
import { LIST_BITS } from './scan';
import type { ScanHit, ScanTask } from './scan';

/** Where galleries are filled from: MongoDB is the source of truth. */
export interface FaceSource {
  /** raised by every change of the scope's searchable faces, in the transaction of the change */
  revision(scope: Scope): Promise<number>;
  /** faces searchable now */
  count(scope: Scope): Promise<number>;
  /** what changed after a revision, oldest first; after 0, every face */
  changes(scope: Scope, after: number): AsyncIterable<FaceChange[]>;
}

export interface GalleryQuery extends FaceSearchParameters {
  embedding: Float32Array;
  /** whose faces are left out: those of a session, and of the person its external id names */
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
  /** searches of a gallery follow each other, since a refresh must not write what a scan reads */
  queue: Promise<unknown>;
}

const buildGalleryKey = ({ organisationId, mode }: Scope): string => `${organisationId}.${mode}`;

const toListBits = (lists: readonly FaceList[]): number => lists.reduce((bits, list) => bits | LIST_BITS[list], 0);

/**
 * Exact search among the faces of an organisation and mode. A gallery is filled from its source on first use and brought
 * up to its revision before each search, so that a search sees every write that was answered before it began, whichever
 * process made it. Galleries used longest ago make room for others; one larger than all the room is searched as it is
 * read, slowly.
 */
export class Galleries {
  private readonly cache = new Map<string, CachedGallery>();
  private readonly thread: Piscina<ScanTask, ScanHit[]>;

  /** @param maxBytes room for embeddings in this process */
  constructor(
    private readonly source: FaceSource,
    private readonly maxBytes: number,
  ) {
    this.thread = new Piscina({
      filename: resolveCompiledFile('vision/gallery/scan-worker'),
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Infinity,
    });
    // A thread that dies between tasks is replaced by the pool; unheard, the event would end the process.
    this.thread.on('error', () => undefined);
  }

  /** Bytes of embeddings held now. */
  get bytes(): number {
    return [...this.cache.values()].reduce((sum, { gallery }) => sum + gallery.bytes, 0);
  }

  search(scope: Scope, query: GalleryQuery): Promise<GallerySearchResult> {
    const key = buildGalleryKey(scope);
    const cached = this.cache.get(key) ?? { gallery: new Gallery(), revision: 0, queue: Promise.resolve() };
    // Taken out and put back: the map's order is the order of use.
    this.cache.delete(key);
    this.cache.set(key, cached);
    const result = cached.queue.then(() => this.searchCached(scope, cached, query));
    cached.queue = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.thread.close();
  }

  private async searchCached(scope: Scope, cached: CachedGallery, query: GalleryQuery): Promise<GallerySearchResult> {
    const revision = await this.source.revision(scope);
    if (cached.revision === 0 && revision > 0) {
      const size = await this.source.count(scope);
      if (size * FACE_BYTES > this.maxBytes) return this.searchUncached(scope, query, size);
      this.evictUntilFits(cached, size * FACE_BYTES);
    }
    if (cached.revision !== revision) {
      for await (const changes of this.source.changes(scope, cached.revision)) cached.gallery.apply(changes);
      cached.revision = revision;
      this.evictUntilFits(cached, 0);
    }
    const size = cached.gallery.size(query.lists);
    const threshold = query.threshold ?? computeSearchThreshold(size);
    const hits = await this.scan(cached.gallery, query, threshold);
    return this.buildResult(hits, size, threshold);
  }

  /** Batch by batch, nothing kept. */
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

  /** Lets go of the galleries used longest ago until `more` bytes fit; a search that waits for one fills it again. */
  private evictUntilFits(kept: CachedGallery, more: number): void {
    for (const [key, cached] of this.cache) {
      if (this.bytes + more <= this.maxBytes) return;
      if (cached !== kept) this.cache.delete(key);
    }
  }
}
