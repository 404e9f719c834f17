import { once } from 'node:events';
import { constants, createDeflateRaw, createGzip } from 'node:zlib';
import type { DeflateRaw, Gzip } from 'node:zlib';

/** Text with few distinct values: higher levels cost more time than they save bytes. */
const LEVEL = 1;

/** Compresses a stretch of a file in memory, on another thread than the caller's. */
export class Compressor {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
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
    return new Compressor(createGzip({ level: LEVEL }));
  }

  /** Deflate blocks without the last one: stretches one after the other are one stream, ended by an empty last block. */
  static deflate(): Compressor {
    return new Compressor(createDeflateRaw({ level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }));
  }

  get size(): number {
    return this.bytes;
  }

  async write(data: string | Buffer): Promise<void> {
    if (this.failure !== null) throw this.failure;
    if (!this.stream.write(data)) await once(this.stream, 'drain');
  }

  async end(): Promise<Buffer> {
    const ended = once(this.stream, 'end');
    this.stream.end();
    await ended;
    return Buffer.concat(this.chunks);
  }
}

/** Ends a stream of deflate stretches: an empty last block. */
export const LAST_BLOCK = Buffer.from([0x03, 0x00]);
