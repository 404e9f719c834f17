import { reserveRendition } from '../../services/business/document-files';
import { archivedDocuments } from '../../services/business/exports/archive';
import type { ArchivedDocument } from '../../services/business/exports/archive';
import { readRunning } from '../../services/business/exports/progress';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import { renderOnce } from './activities';
import type { Renderer } from './renderer';

const HEARTBEAT_MS = 5000;
/** Documents of a batch on their way at once: while one is stored the next is printed. */
const AT_ONCE = 3;

/** Runs `work` over all, some at a time; the first failure ends it. @returns how many there were */
async function someAtOnce<T>(all: AsyncGenerator<T>, work: (one: T) => Promise<unknown>): Promise<number> {
  let count = 0;
  const worker = async (): Promise<void> => {
    for (let step = await all.next(); step.done !== true; step = await all.next()) {
      count += 1;
      await work(step.value);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return count;
}

export const createBulkRenderingActivities = (platform: Platform, renderer: Renderer) => ({
  /**
   * Prints and stores the documents of an export whose numbers lie behind `after` up to `until`; what is stored already
   * stays what it is. @returns how many there are
   */
  printDocuments: (batch: { exportId: string; after: number; until: number }): Promise<number> =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      const record = await readRunning(batch.exportId);
      const print = async ({ issued }: ArchivedDocument) =>
        renderOnce(platform, renderer, await reserveRendition(platform, issued));
      return someAtOnce(archivedDocuments(record, batch), print);
    }),
});

export type BulkRenderingActivities = ReturnType<typeof createBulkRenderingActivities>;
