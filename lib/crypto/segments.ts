import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { Readable } from 'node:stream';
import { GeneratorStream } from '../generator-stream';
import { KEY_BYTES } from './envelope';

/**
 * Encrypted objects of any size. An object is one or more segments, each sealed as a whole when it is written (an object,
 * or a part of an upload) and opened in chunks when it is read, so that no byte is returned before it was authenticated
 * and a reader holds one chunk in memory. Every segment has a key of its own, derived from the owner's key, a salt, the
 * name of the object and its header, so that chunks may be numbered instead of having random nonces. The salt is a keyed
 * hash of content, name and place: other content uses another key, and sealing the same content again yields the same
 * bytes. A segment of another object, at another place, or an object without its last chunk or segment, is not opened.
 */

const MAGIC = Buffer.from('VEO1', 'latin1');
const SALT_BYTES = 32;
const TAG_BYTES = 16;
/** Magic, 1 for the last segment, number of the segment from 1, length of its content, salt. */
const HEADER_BYTES = MAGIC.length + 1 + 4 + 6 + SALT_BYTES;
const CHUNK_BYTES = 64 * 1024;

/** The place of a segment in its object. */
export interface SegmentPlace {
  number: number;
  last: boolean;
}

/** The key of the owner, and the name of the object, which the content is bound to. */
export interface SegmentKey {
  key: Buffer;
  name: string;
}

/** Thrown for an object that is not what was written: altered, truncated, moved, or encrypted with another key. */
export class AlteredObjectError extends Error {
  constructor(reason: string) {
    super(`The encrypted object was altered: ${reason}.`);
    this.name = 'AlteredObjectError';
  }
}

/** Whether an object is encrypted; earlier versions stored some as they are. */
export const isSealedObject = (bytes: Buffer): boolean => bytes.subarray(0, MAGIC.length).equals(MAGIC);

const deriveKey = ({ key, name }: SegmentKey, header: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, header.subarray(HEADER_BYTES - SALT_BYTES), `object:${name}`, KEY_BYTES));

function buildNonce(index: number, final: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt8(final ? 1 : 0, 0);
  nonce.writeUInt32BE(index, 8);
  return nonce;
}

/** @param start the header up to its salt, of fixed length */
function deriveSalt({ key, name }: SegmentKey, start: Buffer, body: Buffer): Buffer {
  const saltKey = Buffer.from(hkdfSync('sha256', key, '', `salt:${name}`, KEY_BYTES));
  return createHmac('sha256', saltKey).update(start).update(body).digest();
}

/** Encrypts one segment with AES-256-GCM. */
export function sealSegment(owner: SegmentKey, body: Buffer, { number, last }: SegmentPlace): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt8(last ? 1 : 0, 4);
  header.writeUInt32BE(number, 5);
  header.writeUIntBE(body.length, 9, 6);
  deriveSalt(owner, header.subarray(0, HEADER_BYTES - SALT_BYTES), body).copy(header, HEADER_BYTES - SALT_BYTES);
  const key = deriveKey(owner, header);
  const chunks = Math.max(Math.ceil(body.length / CHUNK_BYTES), 1);
  const sealed: Buffer[] = [header];
  for (let index = 0; index < chunks; index += 1) {
    const cipher = createCipheriv('aes-256-gcm', key, buildNonce(index, index === chunks - 1));
    cipher.setAAD(header);
    const chunk = body.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    sealed.push(cipher.update(chunk), cipher.final(), cipher.getAuthTag());
  }
  return Buffer.concat(sealed);
}

/** Reads exact numbers of bytes from a stream of buffers. */
class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private pending: Buffer[] = [];
  private length = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** @returns null at the end of the stream */
  async read(bytes: number): Promise<Buffer | null> {
    while (this.length < bytes) {
      const next = await this.chunks.next();
      if (next.done === true) break;
      this.pending.push(next.value);
      this.length += next.value.length;
    }
    if (this.length === 0 && bytes > 0) return null;
    if (this.length < bytes) throw new AlteredObjectError('it is shorter than it was');
    const all =
      this.pending.length === 1 && this.pending[0] !== undefined ? this.pending[0] : Buffer.concat(this.pending);
    this.pending = [all.subarray(bytes)];
    this.length -= bytes;
    return all.subarray(0, bytes);
  }

  /** Ends the source, so that its connection is closed. */
  async close(): Promise<void> {
    await this.chunks.return?.();
  }
}

function openChunk(key: Buffer, header: Buffer, sealed: Buffer, index: number, final: boolean): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, buildNonce(index, final));
  decipher.setAAD(header);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const chunk = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
  try {
    decipher.final();
  } catch {
    throw new AlteredObjectError('a part is not authentic');
  }
  return chunk;
}

async function* openSegment(owner: SegmentKey, header: Buffer, reader: ByteReader): AsyncGenerator<Buffer> {
  const key = deriveKey(owner, header);
  const length = header.readUIntBE(9, 6);
  const chunks = Math.max(Math.ceil(length / CHUNK_BYTES), 1);
  for (let index = 0; index < chunks; index += 1) {
    const bytes = Math.min(length - index * CHUNK_BYTES, CHUNK_BYTES) + TAG_BYTES;
    const sealed = await reader.read(bytes);
    if (sealed === null) throw new AlteredObjectError('it is shorter than it was');
    yield openChunk(key, header, sealed, index, index === chunks - 1);
  }
}

/**
 * Decrypts an object chunk by chunk.
 * @throws AlteredObjectError
 */
export async function* openSegments(owner: SegmentKey, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  try {
    for (let number = 1, last = false; !last; number += 1) {
      const header = await reader.read(HEADER_BYTES);
      if (header === null || !isSealedObject(header)) throw new AlteredObjectError('a header is missing');
      if (header.readUInt32BE(5) !== number) throw new AlteredObjectError('its parts are in another order');
      last = header.readUInt8(4) === 1;
      yield* openSegment(owner, header, reader);
    }
    if ((await reader.read(1)) !== null) throw new AlteredObjectError('it is longer than it was');
  } finally {
    await reader.close();
  }
}

/** {@link openSegments} as a stream, whose end closes the source at once, also before a byte was read. */
export const streamSegments = (owner: SegmentKey, source: Readable): Readable =>
  new GeneratorStream(openSegments(owner, source), () => void source.destroy());

/** Encrypts a stream of any length in segments of this length; the reader decrypts it with {@link openSegments}. */
export async function* sealSegments(
  owner: SegmentKey,
  source: AsyncIterable<Buffer>,
  segmentBytes: number,
): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let length = 0;
  let number = 0;
  const seal = (last: boolean): Buffer => {
    const body = Buffer.concat(pending);
    pending = [];
    length = 0;
    number += 1;
    return sealSegment(owner, body, { number, last });
  };
  for await (const chunk of source) {
    if (length >= segmentBytes) yield seal(false);
    pending.push(chunk);
    length += chunk.length;
  }
  yield seal(true);
}
