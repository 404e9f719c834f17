import { once } from 'node:events';
import { constants, createDeflateRaw, createGzip } from 'node:zlib';
import type { DeflateRaw, Gzip } from 'node:zlib';

/** For text with few distinct values, higher levels cost more time than the saved bytes are worth. */
const LEVEL = 1;
/**
 * Larger than the compressed size of a batch of rows, because every chunk of output is a separate task on the other
 * thread.
 */
const CHUNK_BYTES = 64 * 1024;

/** Compresses a section of a file in memory, on a thread other than the caller's. */
export class Compressor {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private drained: Promise<unknown> = Promise.resolve();
  private failure: Error | null = null;

  private constructor(private readonly stream: Gzip | DeflateRaw) {
    stream.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.bytes += chunk.length;
    });
    stream.on('error', (error) => {
      this.failure = error;
    });
  }

  /** A complete gzip member; consecutive members form one gzip file. */
  static gzip(): Compressor {
    return new Compressor(createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES }));
  }

  /** Deflate blocks without the final one: consecutive sections form one stream, which an empty final block ends. */
  static deflate(): Compressor {
    return new Compressor(
      createDeflateRaw({ level: LEVEL, chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH }),
    );
  }

  /** Compressed bytes so far, without those that the compressor still holds. */
  get size(): number {
    return this.bytes;
  }

  /**
   * Resolves when the previous text has been compressed, so that the caller can build the next text in the meantime.
   */
  async write(data: string | Buffer): Promise<void> {
    await this.drained;
    if (this.failure !== null) throw this.failure;
    // A failure rejects the next write or the end.
    if (!this.stream.write(data)) this.drained = once(this.stream, 'drain').catch(() => undefined);
  }

  /** Ends the section. @returns all of its compressed bytes @throws Error if the compressor has failed */
  async end(): Promise<Buffer> {
    await this.drained;
    if (this.failure !== null) throw this.failure;
    const ended = once(this.stream, 'end');
    this.stream.end();
    await ended;
    return Buffer.concat(this.chunks);
  }
}

/** The empty final block, which ends a stream of deflate sections. */
export const LAST_BLOCK = Buffer.from([0x03, 0x00]);
