import { AppError, unavailableError } from '../../../domain/errors';
import type { StoredFile } from '../../../lib/files/stored-file';
import type { Raster } from '../imaging/raster';
import { Decoder } from './decoder';
import type { DecodeOutcome, DecoderLimits } from './decoder';
import { FairQueue } from './fair-queue';
import { OrganisationBudget } from './organisation-budget';
import type { DecodeReply, ExaminedCapture, LetterPage } from './protocol';
import type { DecodeRequest } from './requests';

export interface DecodedImage {
  raster: Raster;
  /** size of the uploaded image, after its EXIF orientation; the raster may be smaller */
  fullWidth: number;
  fullHeight: number;
}

/** An image with the data used to detect recaptures. */
export interface ExaminedImage extends DecodedImage {
  /** the file itself, or the pictures in a PDF */
  captures: ExaminedCapture[];
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

const MEBIBYTE = 1024 * 1024;

const DEFAULT_LIMITS: DecoderLimits = {
  maxPixels: 50_000_000,
  // A photograph of 50 megapixels in HEIC takes about seven seconds, a scan of two pages two.
  maxSeconds: { image: 12, pdf: 6 },
  maxSlowdown: 4,
  maxBytes: 1024 * MEBIBYTE,
  filesPerProcess: 100,
};

// Without the id, which the pool assigns.
type Request = DecodeRequest extends infer R ? (R extends DecodeRequest ? Omit<R, 'id'> : never) : never;

type SuccessReply = Extract<DecodeReply, { ok: true }>;

interface Job {
  id: number;
  organisationId: string | null;
  request: Request;
  resolve: (reply: SuccessReply) => void;
  reject: (error: AppError) => void;
}

const decoderCrashedError = (): AppError =>
  new AppError('image_decoder_crashed', 500, 'The image could not be decoded: the decoder ended unexpectedly.');

const toDecodeError = ({ problem }: Extract<DecodeReply, { ok: false }>): AppError => {
  switch (problem) {
    case 'too_large':
      return new AppError('image_too_large', 413, 'The image has more pixels than the accepted maximum.');
    case 'unreadable':
      return new AppError('image_unreadable', 400, 'The image is damaged or its format is not supported.');
    case 'too_complex':
      return fileTooComplexError('objects');
    case 'pdf_encrypted':
      return new AppError('pdf_encrypted', 400, 'The PDF cannot be opened without a password.');
    case 'pdf_unreadable':
      return new AppError('pdf_unreadable', 400, 'The PDF is damaged or has no pages.');
  }
};

const fileTooComplexError = (resource: 'seconds' | 'memory' | 'objects'): AppError =>
  new AppError('file_too_complex', 413, 'Decoding the file needs more time, memory or objects than one file may use.', {
    resource,
  });

const shuttingDownError = (): AppError => new AppError('vision_closed', 503, 'The vision engine is shutting down.');

/** @throws AppError for everything except a decoded file */
function requireDecoded(outcome: DecodeOutcome): SuccessReply {
  if (outcome === 'crashed') throw decoderCrashedError();
  if (outcome === 'not_started') throw unavailableError('The image decoder could not be started; try again.');
  if (outcome === 'seconds' || outcome === 'memory') throw fileTooComplexError(outcome);
  if (!outcome.ok) throw toDecodeError(outcome);
  return outcome;
}

/**
 * Decodes files in child processes, one at a time in each, so that a crafted file that crashes a decoder, or uses too
 * much of it, fails only its own check. A decoder reads files of one organisation: whatever a file did to it, no file of
 * another organisation gets there. Organisations take turns.
 */
export class DecoderPool {
  private readonly slots: (Decoder | null)[];
  /** Started ahead, because another organisation's file needs a new process. */
  private spare: Decoder | null = null;
  private readonly queue = new FairQueue<Job>();
  private readonly budget: OrganisationBudget;
  private readonly limits: DecoderLimits;
  private readonly decoders = new Set<Decoder>();
  private nextId = 1;
  private closed = false;

  constructor(size: number, limits: Partial<DecoderLimits> = {}, budget = new OrganisationBudget()) {
    this.slots = Array.from({ length: size }, () => null);
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.budget = budget;
  }

  /** Decodes an image, upright by the orientation that the file states, or the first pages of a PDF, stacked vertically. */
  async decode(file: StoredFile, size: RasterSize): Promise<DecodedImage> {
    const { width, height, data, fullWidth, fullHeight } = await this.requestImage(file, size, false);
    return { raster: { width, height, data }, fullWidth, fullHeight };
  }

  /** Decodes the image of a document, with the data used to detect recaptures. */
  async examine(file: StoredFile, size: RasterSize): Promise<ExaminedImage> {
    const { width, height, data, fullWidth, fullHeight, captures } = await this.requestImage(file, size, true);
    return { raster: { width, height, data }, fullWidth, fullHeight, captures };
  }

  private async requestImage(
    { organisationId, type, body: bytes }: StoredFile,
    { longSide, minLongSide = 0 }: RasterSize,
    examined: boolean,
  ): Promise<Extract<SuccessReply, { kind: 'image' }>> {
    const { maxPixels } = this.limits;
    const reply = await this.submit(organisationId, {
      kind: 'image',
      type,
      bytes,
      longSide,
      minLongSide,
      maxPixels,
      examined,
    });
    if (reply.kind !== 'image') throw decoderCrashedError();
    return reply;
  }

  /** Reads the text layer of the first pages of a PDF, or renders them if there is hardly any text. */
  async readLetter({ organisationId, body: bytes }: StoredFile, limits: LetterLimits): Promise<LetterPage[]> {
    const reply = await this.submit(organisationId, {
      kind: 'letter',
      bytes,
      maxPixels: this.limits.maxPixels,
      ...limits,
    });
    if (reply.kind !== 'letter') throw decoderCrashedError();
    return reply.pages;
  }

  /** Process ids of the decoders that have read a file. */
  processIds(): number[] {
    return this.slots.flatMap((decoder) => (decoder?.isRunning === true ? (decoder.pid ?? []) : []));
  }

  /** Ends the child processes; queued jobs are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    for (const job of this.queue.clear()) job.reject(shuttingDownError());
    for (const decoder of this.decoders) decoder.retire();
    await Promise.all([...this.decoders].map((decoder) => decoder.ended));
  }

  private submit(organisationId: string | null, request: Request): Promise<SuccessReply> {
    if (this.closed) return Promise.reject(shuttingDownError());
    const retryAfterSeconds = this.budget.getDelay(organisationId);
    if (retryAfterSeconds > 0) {
      const message = 'Files of this organisation need too much processor time; they are decoded later.';
      return Promise.reject(new AppError('decoding_delayed', 429, message, { retryAfterSeconds }));
    }
    return new Promise((resolve, reject) => {
      this.queue.add({ id: this.nextId, organisationId, request, resolve, reject });
      this.nextId += 1;
      this.assign();
    });
  }

  private assign(): void {
    for (let index = this.findIdle(); index >= 0 && !this.queue.isEmpty; index = this.findIdle()) {
      const job = this.queue.take();
      if (job === undefined) return;
      const chosen = this.findIdle(job.organisationId);
      void this.run(this.prepare(chosen < 0 ? index : chosen, job.organisationId), job);
    }
  }

  /** An idle slot; with an organisation only one whose process may decode its files. */
  private findIdle(organisationId?: string | null): number {
    return this.slots.findIndex((decoder) => {
      if (decoder === null || !decoder.isRunning) return organisationId === undefined;
      return decoder.isIdle && (organisationId === undefined || decoder.accepts(organisationId));
    });
  }

  /** The decoder of a slot; replaced if it may not decode files of this organisation. */
  private prepare(index: number, organisationId: string | null): Decoder {
    const present = this.slots[index] ?? null;
    if (present?.accepts(organisationId) === true) return present;
    present?.retire();
    const decoder = this.spare?.isRunning === true ? this.spare : this.start();
    this.spare = null;
    this.slots[index] = decoder;
    return decoder;
  }

  private start(): Decoder {
    const decoder = new Decoder(this.limits);
    this.decoders.add(decoder);
    void decoder.ended.then(() => {
      this.decoders.delete(decoder);
      if (!this.closed) this.assign();
    });
    return decoder;
  }

  private async run(decoder: Decoder, { id, organisationId, request, resolve, reject }: Job): Promise<void> {
    const { outcome, seconds } = await decoder.decode({ ...request, id }, organisationId);
    this.budget.charge(organisationId, seconds ?? 0);
    try {
      resolve(requireDecoded(outcome));
    } catch (error) {
      reject(error instanceof AppError ? error : decoderCrashedError());
    }
    if (this.closed) return;
    // Started after the work, with whose result it would compete for the processor.
    if (this.spare?.isRunning !== true) this.spare = this.start();
    this.assign();
  }
}
