import { createPreviewActivities } from '../../activities/vision/previews';
import { createVisionActivities } from '../../activities/vision/activities';
import { createVisionEngine } from '../../activities/vision/engine';
import type { PoolDefinition } from '../pool';

/** The start-to-close timeout of a check, in ms. */
const LONGEST_ATTEMPT_MS = 60_000;

/** Documents and faces: as many checks at once as there are inference threads. */
export const visionPool: PoolDefinition = {
  pool: 'vision',
  async create(platform) {
    const { MODELS_DIR, VISION_THREADS } = platform.config;
    const engine = await createVisionEngine({ modelsDir: MODELS_DIR, threads: VISION_THREADS });
    return {
      activities: { ...createVisionActivities(platform, engine), ...createPreviewActivities(platform, engine) },
      slots: VISION_THREADS,
      longestAttemptMs: LONGEST_ATTEMPT_MS,
      async health() {
        await engine.selfTest();
      },
      close: () => engine.close(),
    };
  },
};
