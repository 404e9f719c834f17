import { readIssuedRange } from '../../services/business/exports/archive';
import { readRunningExport } from '../../services/business/exports/progress';
import { openPrintJobs, recordPrinted } from '../../services/business/documents/rendition-batches';
import type { BatchJob, PrintedPdf } from '../../services/business/documents/rendition-batches';
import { storeFile } from '../../services/business/documents/renditions';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import { renderFile } from './activities';
import type { Renderer } from './renderer';

const HEARTBEAT_MS = 5000;
/** Documents of a batch on their way at once: while one is stored the next is printed. */
const CONCURRENCY = 3;

/** Runs `work` over all, some at a time. The first failure is thrown once what had begun has ended. */
async function runConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const remaining = [...items];
  const worker = async (): Promise<void> => {
    for (let item = remaining.shift(); item !== undefined; item = remaining.shift()) await work(item);
  };
  const workers = Array.from({ length: CONCURRENCY }, () =>
    worker().catch((error: unknown) => {
      remaining.length = 0;
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  await Promise.all(workers);
}

/** Prints and stores; what was stored before a failure is recorded too, so that the next attempt finds it done. */
async function printBatch(platform: Platform, renderer: Renderer, jobs: readonly BatchJob[]): Promise<void> {
  const printed: PrintedPdf[] = [];
  try {
    await runConcurrently(jobs, async ({ key, job }) => {
      printed.push({ key, file: await storeFile(platform, key, await renderFile(renderer, job)) });
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
      const documents = await readIssuedRange(await readRunningExport(batch.exportId), batch);
      await printBatch(platform, renderer, await openPrintJobs(platform, documents));
      return documents.length;
    }),
});

export type BulkRenderingActivities = ReturnType<typeof createBulkRenderingActivities>;
