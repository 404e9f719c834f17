import { Piscina } from 'piscina';
import {
  expectedFalseHits,
  identificationErrorAt,
  searchThreshold,
} from '../../../domain/identity/biometrics/face-search';
import type { FaceList, FaceSearchParameters } from '../../../domain/identity/biometrics/face-search';
import type { FaceChange } from '../../../services/identity/biometrics/face-gallery';
import type { Scope } from '../../../services/platform/platform';
import { compiledFile } from '../../compiled-file';
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
  except?: { sessionId: string | null; externalId: string | null };
}

export interface GalleryHit {
  faceId: string;
  sessionId: string | null;
  similarity: number;
}

export interface GalleryAnswer {
  hits: GalleryHit[];
  gallerySize: number;
  threshold: number;
  expectedFalseHits: number;
  falsePositiveIdentificationRate: number;
}

interface Held {
  gallery: Gallery;
  revision: number;
  /** searches of a gallery follow each other, since a refresh must not write what a scan reads */
  queue: Promise<unknown>;
}

const keyOf = ({ organisationId, mode }: Scope): string => `${organisationId}.${mode}`;

const bitsOf = (lists: readonly FaceList[]): number => lists.reduce((bits, list) => bits | LIST_BITS[list], 0);

/**
 * Exact search among the faces of an organisation and mode. A gallery is filled from its source on first use and brought
 * up to its revision before each search, so that a search sees every write that was answered before it began, whichever
 * process made it. Galleries used longest ago make room for others; one larger than all the room is searched as it is
 * read, slowly.
 */
export class Galleries {
  private readonly held = new Map<string, Held>();
  private readonly thread: Piscina<ScanTask, ScanHit[]>;

  /** @param maxBytes room for embeddings in this process */
  constructor(
    private readonly source: FaceSource,
    private readonly maxBytes: number,
  ) {
    this.thread = new Piscina({
      filename: compiledFile('vision/gallery/scan-worker'),
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Infinity,
    });
    // A thread that dies between tasks is replaced by the pool; unheard, the event would end the process.
    this.thread.on('error', () => undefined);
  }

  /** Bytes of embeddings held now. */
  get bytes(): number {
    return [...this.held.values()].reduce((sum, { gallery }) => sum + gallery.bytes, 0);
  }

  search(scope: Scope, query: GalleryQuery): Promise<GalleryAnswer> {
    const key = keyOf(scope);
    const held = this.held.get(key) ?? { gallery: new Gallery(), revision: 0, queue: Promise.resolve() };
    // Taken out and put back: the map's order is the order of use.
    this.held.delete(key);
    this.held.set(key, held);
    const answer = held.queue.then(() => this.searchHeld(scope, held, query));
    held.queue = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    await this.thread.close();
  }

  private async searchHeld(scope: Scope, held: Held, query: GalleryQuery): Promise<GalleryAnswer> {
    const revision = await this.source.revision(scope);
    if (held.revision === 0 && revision > 0) {
      const size = await this.source.count(scope);
      if (size * FACE_BYTES > this.maxBytes) return this.searchUnheld(scope, query, size);
      this.makeRoom(held, size * FACE_BYTES);
    }
    if (held.revision !== revision) {
      for await (const changes of this.source.changes(scope, held.revision)) held.gallery.apply(changes);
      held.revision = revision;
      this.makeRoom(held, 0);
    }
    const size = held.gallery.size(query.lists);
    const threshold = query.threshold ?? searchThreshold(size);
    const hits = await this.scan(held.gallery, query, threshold);
    return this.answer(hits, size, threshold);
  }

  /** Batch by batch, nothing kept. */
  private async searchUnheld(scope: Scope, query: GalleryQuery, total: number): Promise<GalleryAnswer> {
    const threshold = query.threshold ?? searchThreshold(total);
    let [hits, size]: [GalleryHit[], number] = [[], 0];
    for await (const changes of this.source.changes(scope, 0)) {
      const batch = new Gallery(changes.length);
      batch.apply(changes);
      size += batch.size(query.lists);
      const found = await this.scan(batch, query, threshold);
      hits = [...hits, ...found].sort((a, b) => b.similarity - a.similarity).slice(0, query.topK);
    }
    return this.answer(hits, size, threshold);
  }

  private async scan(gallery: Gallery, query: GalleryQuery, threshold: number): Promise<GalleryHit[]> {
    const { embedding, lists, topK, except } = query;
    const hits = await this.thread.run({
      chunks: gallery.chunks,
      places: gallery.places,
      query: embedding,
      lists: bitsOf(lists),
      threshold,
      topK,
      skip: except === undefined ? [] : gallery.placesOf(except),
    });
    return hits.flatMap(({ place, similarity }) => {
      const occupant = gallery.occupant(place);
      return occupant === undefined ? [] : [{ faceId: occupant.faceId, sessionId: occupant.sessionId, similarity }];
    });
  }

  private answer(hits: GalleryHit[], size: number, threshold: number): GalleryAnswer {
    return {
      hits,
      gallerySize: size,
      threshold,
      expectedFalseHits: expectedFalseHits(threshold, size),
      falsePositiveIdentificationRate: identificationErrorAt(threshold, size),
    };
  }

  /** Lets go of the galleries used longest ago until `more` bytes fit; a search that waits for one fills it again. */
  private makeRoom(keep: Held, more: number): void {
    for (const [key, held] of this.held) {
      if (this.bytes + more <= this.maxBytes) return;
      if (held !== keep) this.held.delete(key);
    }
  }
}
