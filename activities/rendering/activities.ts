import { openPrintJob, storeRendition } from '../../services/business/renditions';
import type { StoredRendition } from '../../services/business/renditions';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import type { Renderer } from './renderer';
import { invoiceHtml } from './template/invoice';

const HEARTBEAT_MS = 5000;

export const createRenderingActivities = (platform: Platform, renderer: Renderer) => ({
  /** Prints and stores a rendition. Run again, it prints the same bytes, or finds them stored. */
  renderInvoice: ({ renditionId }: { renditionId: string }): Promise<StoredRendition> =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      const job = await openPrintJob(platform, renditionId);
      if (!('document' in job)) return job;
      const { document, contentHash } = job;
      const identity = { issuedAt: new Date(document.issuedAt), contentId: contentHash };
      return storeRendition(platform, renditionId, await renderer.renderPdf(invoiceHtml(document), identity));
    }),
});

export type RenderingActivities = ReturnType<typeof createRenderingActivities>;
