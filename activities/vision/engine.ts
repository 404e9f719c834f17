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
import { isPdf } from '../../lib/pdf-structure';
import { resolveCompiledFile } from '../compiled-file';
import { DecoderPool } from './decoding/pool';
import type { LetterPage } from './decoding/protocol';
import type { DecodedImage, RasterSize } from './decoding/pool';
import type { Raster } from './imaging/raster';
import type { LivenessChallenge } from './liveness/frames';
import { verifyModels } from './inference/model-files';
import type { VisionTaskName, VisionTasks } from './inference/tasks';

export interface VisionEngineOptions {
  /** folder of the files listed in models.json */
  modelsDir: string;
  /** number of inference threads and of decoder processes; the slots of the pool */
  threads: number;
  limits?: Partial<VisionLimits>;
}

export interface VisionLimits {
  /** @default 50 megapixels */
  maxPixels: number;
  /** maximum time for decoding one image @default 20 seconds */
  decodeTimeoutMs: number;
}

/** An image that a selfie is compared with; on a document, parts of the image are searched for the face, too. */
export interface KnownCapture {
  body: Uint8Array;
  onDocument: boolean;
}

/** Images are JPEG, PNG, WebP or HEIC files; documents may also be PDFs. */
export interface VisionEngine {
  /** @param input.today YYYY-MM-DD, the day for which the validity of the document is assessed */
  readDocument(input: { front: Uint8Array; back?: Uint8Array; today: string }): Promise<DocumentResult>;
  /** @param input.today YYYY-MM-DD, the day for which the age of the document is computed */
  readAddressProof(input: { document: Uint8Array; today: string }): Promise<AddressProofResult>;
  analyseLiveness(image: Uint8Array): Promise<LivenessAnalysis>;
  /** Assesses frames, in chronological order, against the actions of a challenge. */
  analyseFrames(frames: readonly Uint8Array[], challenge: LivenessChallenge): Promise<LivenessAnalysis>;
  /** @param options.refIsDocument searches parts of the reference image, too, because a portrait may be small */
  matchFaces(
    userImage: Uint8Array,
    refImage: Uint8Array,
    options?: { refIsDocument?: boolean },
  ): Promise<FaceMatchResult>;
  /** Compares a selfie with other images for being the same picture. */
  compareCaptures(image: Uint8Array, others: readonly KnownCapture[]): Promise<CaptureComparison>;
  /** Decodes an image upright, at the size of a preview. */
  decode(image: Uint8Array): Promise<Raster>;
  /** @param minimumAge years, or null without a minimum */
  estimateAge(image: Uint8Array, minimumAge: number | null): Promise<AgeResult>;
  embed(image: Uint8Array, options?: { onDocument?: boolean }): Promise<EmbeddingResult>;
  /** Processes a built-in image in a decoder process and an inference thread; rejects if either fails. */
  selfTest(): Promise<{ durationMs: number }>;
  /** Waits for running tasks, then ends all threads and processes. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: VisionLimits = { maxPixels: 50_000_000, decodeTimeoutMs: 20_000 };

/** Working sizes of images: text needs more pixels than a face, and small text is recognised better when enlarged. */
export const DOCUMENT_SIZE: RasterSize = { longSide: 2400, minLongSide: 1200 };
/** Pages read of a letter: sender, recipient and date are on the first ones. */
const MAX_LETTER_PAGES = 3;
const LETTER_SIZE = { longSide: 2400, minLongSide: 1400 } as const;
const FACE_SIZE: RasterSize = { longSide: 1280 };
const FRAME_SIZE: RasterSize = { longSide: 960 };
const PREVIEW_SIZE: RasterSize = { longSide: 1280 };

/** An 8×8 grey PNG, sufficient to test that decoder process, inference thread and networks work. */
const TEST_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQImWPowAEYhpYEANsRZgE07zdlAAAAAElFTkSuQmCC',
  'base64',
);

/**
 * Starts the engine: verifies every model file against the manifest, then loads the networks once per thread. Native
 * code runs outside the calling thread: decoding in child processes, inference in worker threads.
 *
 * @throws AppError `model_missing` or `model_altered`, with the file name
 */
export async function createVisionEngine(options: VisionEngineOptions): Promise<VisionEngine> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  await verifyModels(options.modelsDir);
  const decoders = new DecoderPool(options.threads, {
    maxPixels: limits.maxPixels,
    timeoutMs: limits.decodeTimeoutMs,
  });
  const pool = new Piscina({
    filename: resolveCompiledFile('vision/inference/worker'),
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
    pool.run({ name, input }, { transferList: transfer.map(toTransferable) }).catch((error: unknown) => {
      // Tasks are never aborted, so an error about the thread means that the task ended it.
      if (error instanceof Error && /worker|thread/i.test(error.message)) {
        throw new AppError('inference_failed', 500, 'The vision engine could not finish the task.');
      }
      throw error;
    });
  await Promise.all(Array.from({ length: options.threads }, () => run('warmUp', {})));
  return buildEngine(decoders, pool, run);
}

/** The pages of a letter: those of a PDF, or a single image. */
async function decodeLetterPages(decoders: DecoderPool, bytes: Uint8Array): Promise<LetterPage[]> {
  if (isPdf(bytes)) {
    const { minCharacters } = PROOF_LIMITS;
    return decoders.readLetter(bytes, { maxPages: MAX_LETTER_PAGES, minCharacters, longSide: LETTER_SIZE.longSide });
  }
  const { raster } = await decoders.decode(bytes, LETTER_SIZE);
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

function buildEngine(decoders: DecoderPool, pool: Piscina, run: Run): VisionEngine {
  const analyseLiveness = async (bytes: Uint8Array): Promise<LivenessAnalysis> => {
    const image = await decoders.decode(bytes, FACE_SIZE);
    return run('analyseLiveness', { image }, [image]);
  };
  return {
    analyseLiveness,
    async analyseFrames(files, challenge) {
      const frames = await Promise.all(files.map((file) => decoders.decode(file, FRAME_SIZE)));
      return run('analyseFrames', { frames, challenge }, frames);
    },
    async readDocument({ front: frontBytes, back: backBytes, today }) {
      const [front, back] = await Promise.all([
        decoders.examine(frontBytes, DOCUMENT_SIZE),
        backBytes === undefined ? null : decoders.examine(backBytes, DOCUMENT_SIZE),
      ]);
      return run('readDocument', { front, back, today }, back === null ? [front] : [front, back]);
    },
    async readAddressProof({ document, today }) {
      return run('readAddressProof', { pages: await decodeLetterPages(decoders, document), today });
    },
    async matchFaces(userBytes, refBytes, { refIsDocument = false } = {}) {
      const [userImage, refImage] = await Promise.all([
        decoders.decode(userBytes, FACE_SIZE),
        decoders.decode(refBytes, refIsDocument ? DOCUMENT_SIZE : FACE_SIZE),
      ]);
      return run('matchFaces', { userImage, refImage, refIsDocument }, [userImage, refImage]);
    },
    async compareCaptures(bytes, known) {
      const [image, ...images] = await Promise.all([
        decoders.decode(bytes, FACE_SIZE),
        ...known.map(({ body, onDocument }) => decoders.decode(body, onDocument ? DOCUMENT_SIZE : FACE_SIZE)),
      ]);
      const others = images.map((other, index) => ({ image: other, onDocument: known[index]?.onDocument === true }));
      return run('compareCaptures', { image, others }, [image, ...images]);
    },
    async decode(bytes) {
      return (await decoders.decode(bytes, PREVIEW_SIZE)).raster;
    },
    async estimateAge(bytes, minimumAge) {
      const image = await decoders.decode(bytes, FACE_SIZE);
      return run('estimateAge', { image, minimumAge }, [image]);
    },
    async embed(bytes, { onDocument = false } = {}) {
      const image = await decoders.decode(bytes, onDocument ? DOCUMENT_SIZE : FACE_SIZE);
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
