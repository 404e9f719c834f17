import { createPreviewActivities } from '../../activities/vision/previews';
import { createVisionActivities } from '../../activities/vision/activities';
import { createVisionEngine } from '../../activities/vision/engine';
import { createFaceSource } from '../../activities/vision/face-indexing';
import { Galleries } from '../../activities/vision/gallery/galleries';
import { getEmbeddingWeights } from '../../activities/vision/manifest';
import { startFacePacking } from '../../services/identity/biometrics/face-packing';
import type { PoolDefinition } from '../pool';
import type { ModelUsage } from '../../activities/vision/inference/networks';
import { Metrics } from '../../lib/metrics/metrics';
import type { Platform } from '../../services/platform/platform';
import { MINUTE_MS } from '../../domain/durations';

/** Start-to-close timeout of a check. */
const MAX_ATTEMPT_MS = MINUTE_MS;

function countModelUsage(platform: Platform, usage: ModelUsage): void {
  const { modelRuns, modelSeconds } = platform.singletons.get(Metrics).instruments;
  for (const [model, { runs, seconds }] of Object.entries(usage)) {
    modelRuns.inc({ model }, runs);
    modelSeconds.inc({ model }, seconds);
  }
}

/** Pool of document and face checks: as many at the same time as there are inference threads. */
export const visionPool: PoolDefinition = {
  pool: 'vision',
  retriesFaults: false,
  async create(platform, { vision: threads }) {
    const { MODELS_DIR, FACE_GALLERY_MEGABYTES } = platform.config;
    const engine = await createVisionEngine({
      modelsDir: MODELS_DIR,
      threads,
      onModelUsage: (usage) => countModelUsage(platform, usage),
    });
    const galleries = new Galleries(createFaceSource(platform), FACE_GALLERY_MEGABYTES * 1024 * 1024);
    const facePacking = startFacePacking(platform, getEmbeddingWeights());
    return {
      activities: {
        ...createVisionActivities(platform, engine, galleries),
        ...createPreviewActivities(platform, engine),
      },
      slots: threads,
      maxAttemptMs: MAX_ATTEMPT_MS,
      async health() {
        await engine.selfTest();
      },
      async close() {
        await facePacking.stop();
        await engine.close();
        await galleries.close();
      },
    };
  },
};
