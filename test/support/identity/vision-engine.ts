import { existsSync } from 'node:fs';
import path from 'node:path';
import { createVisionEngine } from '../../../activities/vision/engine';
import type { VisionEngine } from '../../../activities/vision/engine';

export const MODELS_DIR = path.resolve(process.env['VOUCH_MODELS_DIR'] ?? process.env['MODELS_DIR'] ?? '.vouch/models');

const canRun = existsSync('dist/activities/vision/inference/worker.js') && existsSync(MODELS_DIR);

/** `describe` for tests of the engine, skipped without compiled workers (`npm test` builds them) or without models. */
export const describeEngine = canRun ? describe : describe.skip;

/** An engine with one inference thread and one decoder process. */
export const createTestEngine = (): Promise<VisionEngine> => createVisionEngine({ modelsDir: MODELS_DIR, threads: 1 });
