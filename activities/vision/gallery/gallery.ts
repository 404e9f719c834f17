import type { FaceChange } from '../../../services/identity/biometrics/face-rows';
import { quantiseRow } from './quantisation';
import { DIMENSIONS, LIST_BITS } from './scan';
import type { Chunk } from './scan';

/** Faces per chunk of 2.5 MB: small galleries need little memory, and large ones grow without copying. */
const CHUNK_FACES = 1024;

/** Memory of one face in bytes: the embedding, exact and quantised. Its ids are negligible. */
export const FACE_BYTES = DIMENSIONS * 4 + DIMENSIONS + 8;

/** The ids of the face in a slot. */
export interface SlotEntry {
  faceId: string;
  externalId: string | null;
  sessionId: string | null;
}

const createChunk = (faces: number): Chunk => ({
  rows: new Float32Array(new SharedArrayBuffer(faces * DIMENSIONS * 4)),
  codes: new Int8Array(new SharedArrayBuffer(faces * DIMENSIONS)),
  scales: new Float32Array(new SharedArrayBuffer(faces * 4)),
  residues: new Float32Array(new SharedArrayBuffer(faces * 4)),
  lists: new Uint8Array(new SharedArrayBuffer(faces)),
});

/** The searchable faces of one organisation and mode, in shared memory. */
export class Gallery {
  readonly chunks: Chunk[] = [];
  /** by slot; undefined where a face was removed */
  private readonly entries: (SlotEntry | undefined)[] = [];
  private readonly slotByFaceId = new Map<string, number>();
  private readonly freeSlots: number[] = [];
  private readonly sizes = { users: 0, blocklist: 0 };

  /** @param chunkFaces slots per chunk */
  constructor(private readonly chunkFaces = CHUNK_FACES) {}

  /** Slots that have been used, freed ones among them. */
  get slotCount(): number {
    return this.entries.length;
  }

  /** Memory of the embeddings in bytes, with slots that are free. */
  get bytes(): number {
    return this.chunks.length * this.chunkFaces * FACE_BYTES;
  }

  /** Number of faces on the lists. */
  size(lists: readonly (keyof typeof LIST_BITS)[]): number {
    return lists.reduce((sum, list) => sum + this.sizes[list], 0);
  }

  /** Whose face is in a slot; undefined where it was removed. */
  getEntry(slot: number): SlotEntry | undefined {
    return this.entries[slot];
  }

  /** Slots of a session, or of the person with an external id. */
  findSlots({ sessionId, externalId }: { sessionId: string | null; externalId: string | null }): number[] {
    const slots: number[] = [];
    // forEach, because building an intermediate array of 100,000 entries would cost time in every search.
    this.entries.forEach((entry, slot) => {
      if (entry === undefined) return;
      const sameSession = sessionId !== null && entry.sessionId === sessionId;
      if (sameSession || (externalId !== null && entry.externalId === externalId)) slots.push(slot);
    });
    return slots;
  }

  /** Applies changes; idempotent. Must not be called while a scan runs. */
  apply(changes: readonly FaceChange[]): void {
    for (const change of changes) {
      this.remove(change.faceId);
      if (change.embedding !== null) this.add(change, change.embedding);
    }
  }

  private remove(faceId: string): void {
    const slot = this.slotByFaceId.get(faceId);
    if (slot === undefined) return;
    const { chunk, index } = this.locate(slot);
    this.sizes[chunk.lists[index] === LIST_BITS.blocklist ? 'blocklist' : 'users'] -= 1;
    chunk.lists[index] = 0;
    // Erased embeddings must not remain in memory either.
    const [from, to] = [index * DIMENSIONS, (index + 1) * DIMENSIONS];
    chunk.rows.fill(0, from, to);
    chunk.codes.fill(0, from, to);
    this.entries[slot] = undefined;
    this.slotByFaceId.delete(faceId);
    this.freeSlots.push(slot);
  }

  private add({ faceId, list, externalId, sessionId }: FaceChange, embedding: Float32Array): void {
    const slot = this.freeSlots.pop() ?? this.entries.length;
    if (slot >= this.chunks.length * this.chunkFaces) {
      this.chunks.push(createChunk(this.chunkFaces));
    }
    const { chunk, index } = this.locate(slot);
    chunk.rows.set(embedding, index * DIMENSIONS);
    const codes = chunk.codes.subarray(index * DIMENSIONS, (index + 1) * DIMENSIONS);
    const { scale, residue } = quantiseRow(embedding, codes);
    chunk.scales[index] = scale;
    chunk.residues[index] = residue;
    chunk.lists[index] = LIST_BITS[list];
    this.entries[slot] = { faceId, externalId, sessionId };
    this.slotByFaceId.set(faceId, slot);
    this.sizes[list] += 1;
  }

  private locate(slot: number): { chunk: Chunk; index: number } {
    const chunk = this.chunks[Math.floor(slot / this.chunkFaces)];
    if (chunk === undefined) throw new Error(`The gallery has no slot ${slot}.`);
    return { chunk, index: slot % this.chunkFaces };
  }
}
