import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { buildChildEnvironment } from '../../../lib/child-environment';
import { AppError } from '../../../domain/errors';
import type { FileOrigin } from '../../../domain/identity/documents/recapture';
import { resolveCompiledFile } from '../../compiled-file';
import type { Raster } from '../imaging/raster';
import { decodeReplySchema } from './protocol';
import type { DecodeReply, DecodeRequest, LetterPage } from './protocol';

export interface DecodedImage {
  raster: Raster;
  /** size of the uploaded image, after its EXIF orientation; the raster may be smaller */
  fullWidth: number;
  fullHeight: number;
}

/** An image with the data used to detect recaptures. */
export interface ExaminedImage extends DecodedImage {
  /** square samples at the original resolution; empty if the image is too small or too large */
  squares: Raster[];
  origin: FileOrigin;
}

export interface DecoderLimits {
  /** images with more pixels are rejected before they are decoded */
  maxPixels: number;
  /** a decoder that takes longer is killed */
  timeoutMs: number;
}

/** Size of a decoded image: its longer side is at most `longSide`, and enlarged to `minLongSide` if smaller. */
export interface RasterSize {
  longSide: number;
  minLongSide?: number;
}

/** Limits of reading a letter. */
export interface LetterLimits {
  maxPages: number;
  /** with fewer characters of text, the pages are rendered */
  minCharacters: number;
  /** longer side of rendered pages, pixels */
  longSide: number;
}

// Without the id, which the pool assigns.
type Request = DecodeRequest extends infer R ? (R extends DecodeRequest ? Omit<R, 'id'> : never) : never;

type SuccessReply = Extract<DecodeReply, { ok: true }>;

interface Job {
  id: number;
  request: Request;
  resolve: (reply: SuccessReply) => void;
  reject: (error: AppError) => void;
}

interface Slot {
  child: ChildProcess;
  job: Job | null;
  timer: NodeJS.Timeout | null;
}

const decoderCrashedError = (): AppError =>
  new AppError('image_decoder_crashed', 500, 'The image could not be decoded: the decoder ended unexpectedly.');

const toDecodeError = ({ problem }: Extract<DecodeReply, { ok: false }>): AppError => {
  switch (problem) {
    case 'too_large':
      return new AppError('image_too_large', 413, 'The image has more pixels than the accepted maximum.');
    case 'unreadable':
      return new AppError('image_unreadable', 400, 'The image is damaged or its format is not supported.');
    case 'pdf_encrypted':
      return new AppError('pdf_encrypted', 400, 'The PDF cannot be opened without a password.');
    case 'pdf_unreadable':
      return new AppError('pdf_unreadable', 400, 'The PDF is damaged or has no pages.');
  }
};

/**
 * Decodes files in child processes, one job at a time in each, so that a crafted file that crashes a decoder fails only
 * its own job. Child processes are started on demand, and replaced on the next job after they ended.
 */
export class DecoderPool {
  private readonly slots: (Slot | null)[];
  private readonly queue: Job[] = [];
  private nextId = 1;
  private closed = false;

  constructor(
    size: number,
    private readonly limits: DecoderLimits,
  ) {
    this.slots = Array.from({ length: size }, () => null);
  }

  /** Decodes JPEG, PNG, WebP or HEIC, upright by the orientation that the file states, or the first pages of a PDF, stacked vertically. */
  async decode(bytes: Uint8Array, size: RasterSize): Promise<DecodedImage> {
    const { width, height, data, fullWidth, fullHeight } = await this.requestImage(bytes, size, false);
    return { raster: { width, height, data }, fullWidth, fullHeight };
  }

  /** Decodes the image of a document, with the data used to detect recaptures. */
  async examine(bytes: Uint8Array, size: RasterSize): Promise<ExaminedImage> {
    const { width, height, data, fullWidth, fullHeight, squares, origin } = await this.requestImage(bytes, size, true);
    if (origin === null) throw decoderCrashedError();
    return { raster: { width, height, data }, fullWidth, fullHeight, squares, origin };
  }

  private async requestImage(
    bytes: Uint8Array,
    { longSide, minLongSide = 0 }: RasterSize,
    examined: boolean,
  ): Promise<Extract<SuccessReply, { kind: 'image' }>> {
    const { maxPixels } = this.limits;
    const reply = await this.submit({ kind: 'image', bytes, longSide, minLongSide, maxPixels, examined });
    if (reply.kind !== 'image') throw decoderCrashedError();
    return reply;
  }

  /** Reads the text layer of the first pages of a PDF, or renders them if there is hardly any text. */
  async readLetter(bytes: Uint8Array, limits: LetterLimits): Promise<LetterPage[]> {
    const reply = await this.submit({ kind: 'letter', bytes, ...limits });
    if (reply.kind !== 'letter') throw decoderCrashedError();
    return reply.pages;
  }

  /** Process ids of the running decoders. */
  processIds(): number[] {
    return this.slots.flatMap((slot) => slot?.child.pid ?? []);
  }

  /** Ends the child processes; queued jobs are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    for (const job of this.queue.splice(0))
      job.reject(new AppError('vision_closed', 503, 'The vision engine is shutting down.'));
    await Promise.all(
      this.slots.map(async (slot) => {
        if (slot === null || slot.child.exitCode !== null || slot.child.signalCode !== null) return;
        const ended = new Promise<void>((resolve) => slot.child.once('exit', () => resolve()));
        slot.child.disconnect();
        await ended;
      }),
    );
  }

  private submit(request: Request): Promise<SuccessReply> {
    if (this.closed) return Promise.reject(new AppError('vision_closed', 503, 'The vision engine is shutting down.'));
    return new Promise((resolve, reject) => {
      this.queue.push({ id: this.nextId, request, resolve, reject });
      this.nextId += 1;
      this.assign();
    });
  }

  private assign(): void {
    for (let index = 0; index < this.slots.length && this.queue.length > 0; index += 1) {
      const slot = this.slots[index] ?? (this.slots[index] = this.start(index));
      if (slot.job !== null) continue;
      const job = this.queue.shift();
      if (job === undefined) return;
      slot.job = job;
      slot.timer = setTimeout(() => slot.child.kill('SIGKILL'), this.limits.timeoutMs);
      slot.child.send({ ...job.request, id: job.id }, (error) => {
        // The child is ending; its exit handler rejects the job.
        if (error !== null) slot.child.kill('SIGKILL');
      });
    }
  }

  private start(index: number): Slot {
    const child = fork(resolveCompiledFile('vision/decoding/child'), [], {
      env: buildChildEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const slot: Slot = { child, job: null, timer: null };
    child.on('message', (message) => this.finish(slot, decodeReplySchema.parse(message)));
    child.on('error', () => child.kill('SIGKILL'));
    child.once('exit', () => {
      if (this.slots[index] === slot) this.slots[index] = null;
      const job = this.release(slot);
      job?.reject(decoderCrashedError());
      if (!this.closed) this.assign();
    });
    return slot;
  }

  private release(slot: Slot): Job | null {
    if (slot.timer !== null) clearTimeout(slot.timer);
    const { job } = slot;
    slot.timer = null;
    slot.job = null;
    return job;
  }

  private finish(slot: Slot, reply: DecodeReply): void {
    if (slot.job?.id !== reply.id) return;
    const job = this.release(slot);
    if (reply.ok) job?.resolve(reply);
    else job?.reject(toDecodeError(reply));
    this.assign();
  }
}
