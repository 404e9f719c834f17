import { Readable } from 'node:stream';

/**
 * A stream of what a generator yields. That of `Readable.from()` ends its generator only after it has begun, and when its
 * next value has come; here `onEnd` learns at once that the stream has ended or that its reader has left.
 */
export class GeneratorStream extends Readable {
  constructor(
    private readonly chunks: AsyncGenerator<Buffer | string>,
    private readonly onEnd: () => void,
  ) {
    super();
  }

  /** Takes the next chunk of the generator; a failure of it destroys the stream. */
  override _read(): void {
    this.chunks.next().then(
      ({ done, value }) => this.push(done === true ? null : value),
      (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Ends the generator without waiting for the chunk that it is producing. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.onEnd();
    this.chunks.return(undefined).catch(() => undefined);
    callback(error);
  }
}
