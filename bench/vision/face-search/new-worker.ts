// A process that fills a gallery and searches it once, as a worker that was just started. Prints the time of each phase.
import { createFaceSource } from '../../../activities/vision/face-indexing';
import { Galleries } from '../../../activities/vision/gallery/galleries';
import type { FaceSource } from '../../../activities/vision/gallery/galleries';
import { loadConfig } from '../../../lib/config';
import { closePlatform, createPlatform } from '../../../services/platform/bootstrap';
import { roundTo } from '../../report';
import { createUnitVector } from './vectors';

interface Phases {
  revisionMs: number;
  countMs: number;
  /** Waiting for faces: MongoDB, object store, decryption. */
  readMs: number;
  /** Copying and quantising them. */
  fillMs: number;
}

/** A source that adds the time spent in it, and between its batches, to `phases`. */
function measureSource(source: FaceSource, phases: Phases): FaceSource {
  const measure = async <T>(phase: keyof Phases, work: Promise<T>): Promise<T> => {
    const started = performance.now();
    const value = await work;
    phases[phase] += performance.now() - started;
    return value;
  };
  return {
    revision: (scope) => measure('revisionMs', source.revision(scope)),
    count: (scope) => measure('countMs', source.count(scope)),
    async *changes(scope, after) {
      const batches = source.changes(scope, after)[Symbol.asyncIterator]();
      for (;;) {
        const batch = await measure('readMs', batches.next());
        if (batch.done === true) return;
        const started = performance.now();
        yield batch.value;
        phases.fillMs += performance.now() - started;
      }
    },
  };
}

async function main(): Promise<void> {
  const platform = await createPlatform(
    { ...loadConfig(process.env), LOG_LEVEL: 'error' },
    { name: 'bench', watch: false },
  );
  const phases: Phases = { revisionMs: 0, countMs: 0, readMs: 0, fillMs: 0 };
  const megabytes = platform.config.FACE_GALLERY_MEGABYTES;
  const galleries = new Galleries(measureSource(createFaceSource(platform), phases), megabytes * 1024 * 1024);
  const startMs = performance.now();
  const processor = process.cpuUsage();
  const [organisationId = ''] = process.argv.slice(2);
  const query = { embedding: createUnitVector(), lists: ['users' as const], topK: 10, threshold: -1 };
  const { gallerySize } = await galleries.search({ organisationId, mode: 'live' }, query);
  const searchMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(processor);
  const times = { startMs, searchMs, ...phases, processorMs: (user + system) / 1000 };
  const rounded = Object.fromEntries(Object.entries(times).map(([name, value]) => [name, roundTo(value, 1)]));
  console.log(JSON.stringify({ gallerySize, ...rounded }));
  await galleries.close();
  await closePlatform(platform);
}

void main();
