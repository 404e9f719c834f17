import { once } from 'node:events';
import { constants, createDeflateRaw, createGzip } from 'node:zlib';
import type { DeflateRaw, Gzip } from 'node:zlib';

/** Text with few distinct values: higher levels cost more time than they save bytes. */
const LEVEL = 1;
/** What a batch of rows is compressed to, and more: each piece of output is a turn of its own on the other thread. */
const CHUNK_BYTES = 64 * 1024;

/** Compresses a stretch of a file in memory, on another thread than the caller's. */
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

  /** A whole gzip member; members one after the other are one gzip file. */
  static gzip(): Compressor {
    return new Compressor(createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES }));
  }

  /** Deflate blocks without the last one: stretches one after the other are one stream, ended by an empty last block. */
  static deflate(): Compressor {
    return new Compressor(
      createDeflateRaw({ level: LEVEL, chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH }),
    );
  }

  get size(): number {
    return this.bytes;
  }

  /** Resolves when what was written before is compressed: the caller makes the next text meanwhile. */
  async write(data: string | Buffer): Promise<void> {
    await this.drained;
    if (this.failure !== null) throw this.failure;
    // A failure is told by the next write, or by the end.
    if (!this.stream.write(data)) this.drained = once(this.stream, 'drain').catch(() => undefined);
  }

  async end(): Promise<Buffer> {
    await this.drained;
    if (this.failure !== null) throw this.failure;
    const ended = once(this.stream, 'end');
    this.stream.end();
    await ended;
    return Buffer.concat(this.chunks);
  }
}

/** Ends a stream of deflate stretches: an empty last block. */
export const LAST_BLOCK = Buffer.from([0x03, 0x00]);
