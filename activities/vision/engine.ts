import { Piscina } from 'piscina';
import { AppError } from '../../domain/errors';
import type {
  AgeResult,
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
  /** folder of the files named in models.json */
  modelsDir: string;
  /** inference threads and decoder processes: the slots of the pool */
  threads: number;
  limits?: Partial<VisionLimits>;
}

export interface VisionLimits {
  /** @default 50 megapixels */
  maxPixels: number;
  /** @default 20 s for decoding one image */
  decodeTimeoutMs: number;
}

/** Bytes are those of a JPEG, PNG or WebP file, or of a PDF where a document may be one. */
export interface VisionEngine {
  /** @param input.today YYYY-MM-DD, the day the document is judged on */
  readDocument(input: { front: Uint8Array; back?: Uint8Array; today: string }): Promise<DocumentResult>;
  /** @param input.today YYYY-MM-DD, the day its age is counted to */
  readAddressProof(input: { document: Uint8Array; today: string }): Promise<AddressProofResult>;
  analyseLiveness(image: Uint8Array): Promise<LivenessAnalysis>;
  /** Judges frames in the order they were taken by the actions of a challenge. */
  analyseFrames(frames: readonly Uint8Array[], challenge: LivenessChallenge): Promise<LivenessAnalysis>;
  /** @param options.refIsDocument the reference is a document: its portrait is looked for in parts of the page too */
  matchFaces(
    userImage: Uint8Array,
    refImage: Uint8Array,
    options?: { refIsDocument?: boolean },
  ): Promise<FaceMatchResult>;
  /** The upright pixels of an image, at a size for people to look at. */
  decode(image: Uint8Array): Promise<Raster>;
  /** @param minimumAge years to be reached, or null to ask for none */
  estimateAge(image: Uint8Array, minimumAge: number | null): Promise<AgeResult>;
  embed(image: Uint8Array, options?: { onDocument?: boolean }): Promise<EmbeddingResult>;
  /** Sends one built-in image through a decoder and a thread, waiting its turn; rejects where either does not work. */
  selfTest(): Promise<{ durationMs: number }>;
  /** Waits for running tasks, then ends threads and processes. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: VisionLimits = { maxPixels: 50_000_000, decodeTimeoutMs: 20_000 };

/** Sizes images are worked on at: text needs more pixels than a face, and small text reads better enlarged. */
const DOCUMENT_SIZE: RasterSize = { longSide: 2400, minLongSide: 1200 };
/** Pages of a letter: sender, person and date stand on its first ones. */
const MAX_LETTER_PAGES = 3;
const LETTER_SIZE = { longSide: 2400, minLongSide: 1400 } as const;
const FACE_SIZE: RasterSize = { longSide: 1280 };
const FRAME_SIZE: RasterSize = { longSide: 960 };
const PREVIEW_SIZE: RasterSize = { longSide: 1280 };

/** An 8×8 grey PNG, enough to prove that a decoder process, a thread and its networks answer. */
const TEST_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQImWPowAEYhpYEANsRZgE07zdlAAAAAElFTkSuQmCC',
  'base64',
);

/**
 * Starts the engine: checks every model file against the manifest, then loads the networks once in each thread.
 * Native code runs only outside this thread, decoding in child processes and inference in worker threads.
 *
 * @throws AppError `model_missing` or `model_altered`, naming the file
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
    // A thread that waits in Atomics.wait cannot serve the promises of a running session.
    atomics: 'disabled',
  });
  // A thread that dies between tasks is replaced by the pool; unheard, the event would end the process.
  pool.on('error', () => undefined);
  const run = <Name extends VisionTaskName>(
    name: Name,
    input: VisionTasks[Name]['input'],
    transfer: DecodedImage[] = [],
  ): Promise<VisionTasks[Name]['output']> =>
    pool.run({ name, input }, { transferList: transfer.map(toTransferable) }).catch((error: unknown) => {
      // A task is never aborted from here, so a thread that ended took its task down itself.
      if (error instanceof Error && /worker|thread/i.test(error.message)) {
        throw new AppError('inference_failed', 500, 'The vision engine could not finish the task.');
      }
      throw error;
    });
  await Promise.all(Array.from({ length: options.threads }, () => run('warmUp', {})));
  return buildEngine(decoders, pool, run);
}

/** The pages of a letter: a PDF's own, or the one picture. */
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

/** Pixels move to the thread instead of being copied; a buffer that shares its memory is copied first. */
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
