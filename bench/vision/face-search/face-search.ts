import { existsSync } from 'node:fs';
import { getRunFile } from '../../../scripts/demo/running-service';
import { report } from '../../report';
import { benchInMemory } from './in-memory';
import { benchService } from './service';

const DEFAULT_FACES = 100_000;
const DEFAULT_SEARCHES = 100;

interface FaceCounts {
  /** Faces in memory; 0 leaves this part out. @default 100,000 */
  faces?: number | undefined;
  /** Faces in the running service. @default 100,000 */
  serviceFaces?: number | undefined;
  /** Searches over HTTP of each kind. @default 100 */
  searches?: number | undefined;
}

/** Face search in memory and, if the service is running, in a new worker and over HTTP. */
export async function benchFaceSearch({
  faces = DEFAULT_FACES,
  serviceFaces = DEFAULT_FACES,
  searches = DEFAULT_SEARCHES,
}: FaceCounts): Promise<void> {
  report('face-search', {
    ...(faces > 0 ? await benchInMemory(faces) : {}),
    ...(existsSync(getRunFile()) ? await benchService(serviceFaces, searches) : {}),
  });
}
