import { readIssuedRange } from '../../services/business/exports/archive';
import { readRunning } from '../../services/business/exports/progress';
import { openPrintJobs, recordPrinted } from '../../services/business/documents/rendition-batches';
import type { BatchJob, PrintedFile } from '../../services/business/documents/rendition-batches';
import { putFile } from '../../services/business/documents/renditions';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import { makeFile } from './activities';
import type { Renderer } from './renderer';

const HEARTBEAT_MS = 5000;
/** Documents of a batch on their way at once: while one is stored the next is printed. */
const AT_ONCE = 3;

/** Runs `work` over all, some at a time. The first failure is thrown once what had begun has ended. */
async function someAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  const begun = Array.from({ length: AT_ONCE }, () =>
    worker().catch((error: unknown) => {
      left.length = 0;
      throw error;
    }),
  );
  await Promise.allSettled(begun);
  await Promise.all(begun);
}

/** Prints and stores; what was stored before a failure is recorded too, so that the next attempt finds it done. */
async function printBatch(platform: Platform, renderer: Renderer, jobs: readonly BatchJob[]): Promise<void> {
  const printed: PrintedFile[] = [];
  try {
    await someAtOnce(jobs, async ({ key, job }) => {
      printed.push({ key, file: await putFile(platform, key, await makeFile(renderer, job)) });
    });
  } finally {
    await recordPrinted(platform, printed);
  }
}

export const createBulkRenderingActivities = (platform: Platform, renderer: Renderer) => ({
  /**
   * Prints and stores the documents of an export whose numbers lie behind `after` up to `until`; what is stored already
   * stays what it is. @returns how many there are
   */
  printDocuments: (batch: { exportId: string; after: number; until: number }): Promise<number> =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      const documents = await readIssuedRange(await readRunning(batch.exportId), batch);
      await printBatch(platform, renderer, await openPrintJobs(platform, documents));
      return documents.length;
    }),
});

export type BulkRenderingActivities = ReturnType<typeof createBulkRenderingActivities>;
