import { existsSync } from 'node:fs';
import path from 'node:path';
import { createVisionEngine } from '../../../activities/vision/engine';
import type { CalendarDays } from '../../../domain/identity/calendar-days';
import type { VisionEngine } from '../../../activities/vision/engine';
import { storeFile } from './stored-files';

export const MODELS_DIR = path.resolve(process.env['VOUCH_MODELS_DIR'] ?? process.env['MODELS_DIR'] ?? '.vouch/models');

const canRun = existsSync('dist/activities/vision/inference/worker.js') && existsSync(MODELS_DIR);

/** `describe` for tests of the engine, skipped without compiled workers (`npm test` builds them) or without models. */
export const describeEngine = canRun ? describe : describe.skip;

/** One day everywhere. */
const onDay = (today: string): CalendarDays => ({ earliest: today, today, latest: today });

/** The engine for files that are given as bytes. */
export type TestEngine = ReturnType<typeof acceptBytes>;

const acceptBytes = (engine: VisionEngine) => ({
  readDocument: ({ front, back, today }: { front: Uint8Array; back?: Uint8Array; today: string }) =>
    engine.readDocument({
      front: storeFile(front),
      ...(back === undefined ? {} : { back: storeFile(back) }),
      days: onDay(today),
    }),
  readAddressProof: ({ document, today }: { document: Uint8Array; today: string }) =>
    engine.readAddressProof({ document: storeFile(document), days: onDay(today) }),
  analyseLiveness: (image: Uint8Array) => engine.analyseLiveness(storeFile(image)),
  analyseFrames: (frames: readonly Uint8Array[], challenge: Parameters<VisionEngine['analyseFrames']>[1]) =>
    engine.analyseFrames(
      frames.map((frame) => storeFile(frame)),
      challenge,
    ),
  matchFaces: (userImage: Uint8Array, refImage: Uint8Array, options?: { refIsDocument?: boolean }) =>
    engine.matchFaces(storeFile(userImage), storeFile(refImage), options),
  compareCaptures: (image: Uint8Array, others: readonly { body: Uint8Array; onDocument: boolean }[]) =>
    engine.compareCaptures(
      storeFile(image),
      others.map(({ body, onDocument }) => ({ file: storeFile(body), onDocument })),
    ),
  decode: (image: Uint8Array) => engine.decode(storeFile(image)),
  estimateAge: (image: Uint8Array, minimumAge: number | null) => engine.estimateAge(storeFile(image), minimumAge),
  embed: (image: Uint8Array, options?: { onDocument?: boolean }) => engine.embed(storeFile(image), options),
  selfTest: () => engine.selfTest(),
  close: () => engine.close(),
});

/** An engine with one inference thread and one decoder process. */
export const createTestEngine = async (): Promise<TestEngine> =>
  acceptBytes(await createVisionEngine({ modelsDir: MODELS_DIR, threads: 1 }));
