import { openReport } from '../../services/identity/reports/session-reports';
import { getRenditionForWorkflow, storeRendition } from '../../services/identity/reports/evidence-renditions';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import type { Renderer } from './renderer';
import { renderReportHtml } from './report/report';

/** Activities that render reports of verification sessions. */
export const createReportActivities = (platform: Platform, renderer: Renderer) => ({
  /** Renders a report and stores it as evidence of its session, unless it is stored already. */
  renderReport: ({ renditionId }: { renditionId: string }): Promise<void> =>
    withHeartbeat(async () => {
      const rendition = await getRenditionForWorkflow(renditionId);
      if (rendition.status === 'stored') return;
      const { document, contentHash } = await openReport(platform, rendition);
      const identity = { issuedAt: new Date(document.session.asOf), contentId: contentHash };
      const body = await renderer.renderPdf(renderReportHtml(document), identity);
      await storeRendition(platform, rendition, { body, contentType: 'application/pdf' });
    }),
});

export type ReportActivities = ReturnType<typeof createReportActivities>;
