import type { CalendarDays } from '../../domain/identity/calendar-days';
import { Piscina } from 'piscina';
import { AppError } from '../../domain/errors';
import type {
  AgeResult,
  CaptureComparison,
  EmbeddingResult,
  FaceMatchResult,
  LivenessAnalysis,
} from '../../domain/identity/biometrics/result';
import type { DocumentResult } from '../../domain/identity/documents/result';
import type { AddressProofResult } from '../../domain/identity/documents/poa/result';
import { PROOF_LIMITS } from '../../domain/identity/documents/poa/risks';
import type { StoredFile } from '../../lib/files/stored-file';
import { disableTelemetry } from '../../lib/inference-telemetry';
import { resolveCompiledFile } from '../../lib/compiled-file';
import type { DecoderLimits } from './decoding/decoder';
import { DecoderPool } from './decoding/pool';
import type { LetterPage } from './decoding/protocol';
import type { DecodedImage, RasterSize } from './decoding/pool';
import type { Raster } from './imaging/raster';
import type { LivenessChallenge } from './liveness/frames';
import { verifyModels } from './inference/model-files';
import type { ModelUsage } from './inference/networks';
import type { VisionTaskName, VisionTasks } from './inference/tasks';
import type { TaskReply } from './inference/worker';

export interface VisionEngineOptions {
  /** folder of the files listed in models.json */
  modelsDir: string;
  /** number of inference threads and of decoder processes; the slots of the pool */
  threads: number;
  /** called after each task with the networks that ran for it */
  onModelUsage?: (usage: ModelUsage) => void;
  /** limits of decoder processes */
  limits?: Partial<DecoderLimits>;
}

/** An image that a selfie is compared with; on a document, parts of the image are searched for the face, too. */
export interface KnownCapture {
  file: StoredFile;
  onDocument: boolean;
}

/** Images are JPEG, PNG, WebP or HEIC files; documents may also be PDFs. */
export interface VisionEngine {
  /** @param input.days the days for which the validity of the document is assessed */
  readDocument(input: { front: StoredFile; back?: StoredFile; days: CalendarDays }): Promise<DocumentResult>;
  /** @param input.days the days for which the age of the document is computed */
  readAddressProof(input: { document: StoredFile; days: CalendarDays }): Promise<AddressProofResult>;
  analyseLiveness(image: StoredFile): Promise<LivenessAnalysis>;
  /** Assesses frames, in chronological order, against the actions of a challenge. */
  analyseFrames(frames: readonly StoredFile[], challenge: LivenessChallenge): Promise<LivenessAnalysis>;
  /** @param options.refIsDocument searches parts of the reference image, too, because a portrait may be small */
  matchFaces(
    userImage: StoredFile,
    refImage: StoredFile,
    options?: { refIsDocument?: boolean },
  ): Promise<FaceMatchResult>;
  /** Compares a selfie with other images for being the same picture. */
  compareCaptures(image: StoredFile, others: readonly KnownCapture[]): Promise<CaptureComparison>;
  /** Decodes an image upright, at the size of a preview. */
  decode(image: StoredFile): Promise<Raster>;
  /** @param minimumAge years, or null without a minimum */
  estimateAge(image: StoredFile, minimumAge: number | null): Promise<AgeResult>;
  embed(image: StoredFile, options?: { onDocument?: boolean }): Promise<EmbeddingResult>;
  /** Processes a built-in image in a decoder process and an inference thread; rejects if either fails. */
  selfTest(): Promise<{ durationMs: number }>;
  /** Waits for running tasks, then ends all threads and processes. */
  close(): Promise<void>;
}

/** Working sizes of images: text needs more pixels than a face, and small text is recognised better when enlarged. */
export const DOCUMENT_SIZE: RasterSize = { longSide: 2400, minLongSide: 1200 };
/** Pages read of a letter: sender, recipient and date are on the first ones. */
const MAX_LETTER_PAGES = 3;
export const LETTER_SIZE = { longSide: 2400, minLongSide: 1400 } as const;
export const FACE_SIZE: RasterSize = { longSide: 1280 };
const FRAME_SIZE: RasterSize = { longSide: 960 };
const PREVIEW_SIZE: RasterSize = { longSide: 1280 };

/** An 8×8 grey PNG, sufficient to test that decoder process, inference thread and networks work. */
const TEST_IMAGE: StoredFile = {
  organisationId: null,
  type: 'image/png',
  body: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQImWPowAEYhpYEANsRZgE07zdlAAAAAElFTkSuQmCC',
    'base64',
  ),
};

/** Whether the thread of a task ended: Piscina states it by the text of the error, Node.js by its code. */
const isEndOfThread = (error: unknown): boolean =>
  error instanceof Error &&
  (/^(worker exited with code|Terminating worker thread)/.test(error.message) ||
    ('code' in error && String(error.code).startsWith('ERR_WORKER_')));

/**
 * Starts the engine: verifies every model file against the manifest, then loads the networks once per thread. Native
 * code runs outside the calling thread: decoding in child processes, inference in worker threads.
 *
 * @throws AppError `model_missing` or `model_altered`, with the file name
 */
export async function createVisionEngine(options: VisionEngineOptions): Promise<VisionEngine> {
  const { onModelUsage } = options;
  await verifyModels(options.modelsDir);
  disableTelemetry();
  const decoders = new DecoderPool(options.threads, options.limits);
  const pool = new Piscina({
    filename: resolveCompiledFile('activities/vision/inference/worker'),
    minThreads: options.threads,
    maxThreads: options.threads,
    idleTimeout: Infinity,
    workerData: { modelsDir: options.modelsDir },
    // A thread blocked in Atomics.wait cannot process the promises of a running session.
    atomics: 'disabled',
  });
  // The pool replaces a thread that dies between tasks; without a listener the error event would end the process.
  pool.on('error', () => undefined);
  const run = <Name extends VisionTaskName>(
    name: Name,
    input: VisionTasks[Name]['input'],
    transfer: DecodedImage[] = [],
  ): Promise<VisionTasks[Name]['output']> =>
    pool
      .run({ name, input }, { transferList: transfer.map(toTransferable) })
      .then(({ output, usage }: TaskReply<VisionTasks[Name]['output']>) => {
        onModelUsage?.(usage);
        return output;
      })
      .catch((error: unknown) => {
        // Tasks are never aborted, so the task itself has ended its thread.
        if (isEndOfThread(error)) {
          throw new AppError('inference_failed', 500, 'The vision engine could not finish the task.');
        }
        throw error;
      });
  await Promise.all(Array.from({ length: options.threads }, () => run('warmUp', {})));
  return buildEngine(decoders, pool, run);
}

/** The pages of a letter: those of a PDF, or a single image. */
async function decodeLetterPages(decoders: DecoderPool, file: StoredFile): Promise<LetterPage[]> {
  if (file.type === 'application/pdf') {
    const { minCharacters } = PROOF_LIMITS;
    return decoders.readLetter(file, { maxPages: MAX_LETTER_PAGES, minCharacters, longSide: LETTER_SIZE.longSide });
  }
  const { raster } = await decoders.decode(file, LETTER_SIZE);
  return [{ width: raster.width, height: raster.height, runs: [], raster }];
}

type Run = <Name extends VisionTaskName>(
  name: Name,
  input: VisionTasks[Name]['input'],
  transfer?: DecodedImage[],
) => Promise<VisionTasks[Name]['output']>;

/** The buffer of an image, to be transferred to a thread; pixels in a shared or larger buffer are copied first. */
function toTransferable(image: DecodedImage): ArrayBuffer {
  const { data } = image.raster;
  const { buffer, byteLength } = data;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return buffer;
  const copy = new Uint8Array(data);
  image.raster.data = copy;
  return copy.buffer;
}

/** @throws AppError for a PDF: a selfie is a picture, and only documents are scanned into PDFs */
function requirePicture(file: StoredFile): StoredFile {
  if (file.type !== 'application/pdf') return file;
  throw new AppError('image_unreadable', 400, 'A face is read from an image, not from a PDF.');
}

function buildEngine(decoders: DecoderPool, pool: Piscina, run: Run): VisionEngine {
  const decodeFace = (file: StoredFile): Promise<DecodedImage> => decoders.decode(requirePicture(file), FACE_SIZE);
  const analyseLiveness = async (file: StoredFile): Promise<LivenessAnalysis> => {
    const image = await decodeFace(file);
    return run('analyseLiveness', { image }, [image]);
  };
  return {
    analyseLiveness,
    async analyseFrames(files, challenge) {
      const frames = await Promise.all(files.map((file) => decoders.decode(requirePicture(file), FRAME_SIZE)));
      return run('analyseFrames', { frames, challenge }, frames);
    },
    async readDocument({ front: frontFile, back: backFile, days }) {
      const [front, back] = await Promise.all([
        decoders.examine(frontFile, DOCUMENT_SIZE),
        backFile === undefined ? null : decoders.examine(backFile, DOCUMENT_SIZE),
      ]);
      return run('readDocument', { front, back, days }, back === null ? [front] : [front, back]);
    },
    async readAddressProof({ document, days }) {
      return run('readAddressProof', { pages: await decodeLetterPages(decoders, document), days });
    },
    async matchFaces(userFile, refFile, { refIsDocument = false } = {}) {
      const [userImage, refImage] = await Promise.all([
        decodeFace(userFile),
        refIsDocument ? decoders.decode(refFile, DOCUMENT_SIZE) : decodeFace(refFile),
      ]);
      return run('matchFaces', { userImage, refImage, refIsDocument }, [userImage, refImage]);
    },
    async compareCaptures(file, known) {
      const [image, ...images] = await Promise.all([
        decodeFace(file),
        ...known.map((one) => (one.onDocument ? decoders.decode(one.file, DOCUMENT_SIZE) : decodeFace(one.file))),
      ]);
      const others = images.map((other, index) => ({ image: other, onDocument: known[index]?.onDocument === true }));
      return run('compareCaptures', { image, others }, [image, ...images]);
    },
    async decode(file) {
      return (await decoders.decode(file, PREVIEW_SIZE)).raster;
    },
    async estimateAge(file, minimumAge) {
      const image = await decodeFace(file);
      return run('estimateAge', { image, minimumAge }, [image]);
    },
    async embed(file, { onDocument = false } = {}) {
      const image = await (onDocument ? decoders.decode(file, DOCUMENT_SIZE) : decodeFace(file));
      return run('embed', { image, onDocument }, [image]);
    },
    async selfTest() {
      const started = performance.now();
      await analyseLiveness(TEST_IMAGE);
      return { durationMs: Math.round(performance.now() - started) };
    },
    async close() {
      await decoders.close();
      await pool.close();
    },
  };
}
