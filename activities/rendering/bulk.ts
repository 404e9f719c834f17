import { runConcurrently } from '../../lib/run-concurrently';
import { readIssuedRange } from '../../services/business/exports/archive';
import { readRunningExport } from '../../services/business/exports/progress';
import { storeFile } from '../../services/business/documents/document-renditions';
import { openRenderJobs, recordRendered } from '../../services/business/documents/rendition-batches';
import type { BatchJob, RenderedPdf } from '../../services/business/documents/rendition-batches';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import { renderDocument } from './documents';
import type { Renderer } from './renderer';

/** Documents of a batch in progress at once: while one is stored the next is rendered. */
const CONCURRENCY = 3;

/** Renders and stores a batch; files stored before a failure are recorded too, so that the next attempt skips them. */
async function renderBatch(
  platform: Platform,
  renderer: Pick<Renderer, 'renderPdf'>,
  jobs: readonly BatchJob[],
): Promise<void> {
  const rendered: RenderedPdf[] = [];
  try {
    await runConcurrently(jobs, CONCURRENCY, async ({ key, job }) => {
      rendered.push({ key, file: await storeFile(platform, key, await renderDocument(renderer, job)) });
    });
  } finally {
    await recordRendered(platform, rendered);
  }
}

/** The activities that print the documents of archives. */
export const createBulkRenderingActivities = (platform: Platform, renderer: Pick<Renderer, 'forArchives'>) => ({
  /**
   * Renders and stores the documents of an export with numbers greater than `after`, up to `until`; stored documents are
   * not rendered again. @returns the number of documents
   */
  printDocuments: (batch: { exportId: string; after: number; until: number }): Promise<number> =>
    withHeartbeat(async () => {
      const documents = await readIssuedRange(await readRunningExport(batch.exportId), batch);
      await renderBatch(platform, renderer.forArchives(), await openRenderJobs(platform, documents));
      return documents.length;
    }),
});

export type BulkRenderingActivities = ReturnType<typeof createBulkRenderingActivities>;
