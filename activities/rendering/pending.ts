import { Context } from '@temporalio/activity';
import {
  hasPendingRenditions,
  readPendingRenditions,
  separateRenditions,
} from '../../services/business/documents/pending-renditions';
import type { ChangeFeed } from '../../lib/change-feed';
import { Rendition } from '../../models/business/documents/rendition';
import type { RenditionRecord } from '../../models/business/documents/rendition';
import type { Platform } from '../../services/platform/platform';
import { BacklogReader } from '../../services/platform/transactions/backlog-readers';
import { workflowIds } from '../../workflows/contracts';
import { limitTime } from '../../lib/time-limits';
import { BACKLOG_HEARTBEAT_MS, workOffBacklog } from '../backlog';
import { withHeartbeatEvery } from '../heartbeat';
import { renderAndStore } from './documents';
import type { PdfRenderer } from './documents';

/** Less than the timeout of the activity by more than a document can take; others then have their turn. */
const MAX_READ_MS = 10_000;

/**
 * A document that is not stored within this time goes on in a workflow of its own: it would hold up the others of its
 * organisation, which wait for the end of the activity. A browser that hangs is replaced earlier.
 */
const MAX_DOCUMENT_MS = 90_000;

/** A client that has a document requests the next one after 10 to 30 ms, and waits for it. */
const PAUSES_MS = [10, 5, 5, 5, 10] as const;

/** After that, an activity waits this long for the next document, of which it is notified; it costs no workflow task. */
const MAX_WAIT_MS = 3_000;
/** Activities of one process that wait at the same time; they leave most of its slots to others. */
const MAX_WAITING = 4;
/** An activity waits for no further document after this time; far less than its timeout. */
const MAX_ACTIVITY_MS = 60_000;

interface PendingRenderingOptions {
  /** Documents that are printed at the same time. */
  pages: number;
  /** Aborted when the process is to end. */
  stopping: AbortSignal;
  /** Notifies of new renditions by organisation. */
  requests: ChangeFeed;
  /** @default 90000 */
  maxDocumentMs?: number;
}

/** What an activity has rendered, for its workflow and the Temporal UI. */
export interface RenderedPending {
  /** Number of documents stored. */
  stored: number;
  /** Renditions that got workflows of their own, since they failed or took too long. */
  separated: string[];
  /** Whether further renditions are pending. */
  isUnfinished: boolean;
}

/** Returns a function that waits for further renditions of an organisation, unless enough activities wait. */
function createPendingWait(requests: ChangeFeed) {
  let waiting = 0;
  return async (organisationId: string, limit: number, mayWait: () => Promise<boolean>): Promise<RenditionRecord[]> => {
    if (waiting >= MAX_WAITING) return [];
    waiting += 1;
    const read = async (): Promise<RenditionRecord[] | null> => {
      if (!(await mayWait())) return [];
      const rows = await readPendingRenditions(organisationId, limit, []);
      return rows.length > 0 ? rows : null;
    };
    try {
      return (await requests.waitFor(Rendition.collection.name, organisationId, MAX_WAIT_MS, read)) ?? [];
    } finally {
      waiting -= 1;
    }
  };
}

/** The activities that render the pending documents of an organisation. */
export const createPendingRenderingActivities = (
  platform: Platform,
  renderer: PdfRenderer,
  { pages, stopping, requests, maxDocumentMs = MAX_DOCUMENT_MS }: PendingRenderingOptions,
) => {
  const awaitPending = createPendingWait(requests);
  return {
    /**
     * Renders and stores the pending documents of an organisation, several at the same time. One that fails gets a workflow
     * of its own, and so do all that are pending after a failed attempt of this activity, since one may have caused it.
     */
    renderPending: ({ organisationId }: { organisationId: string }): Promise<RenderedPending> =>
      withHeartbeatEvery(BACKLOG_HEARTBEAT_MS, async () => {
        const separated: string[] = [];
        const startedAt = performance.now();
        let stored = 0;
        const { attempt } = Context.current().info;
        const workflowId = workflowIds.documentRenditions(organisationId);
        const reader = new BacklogReader({
          workflow: 'documentRenditions',
          workflowId,
          organisationId,
          argument: { organisationId },
        });
        const work = {
          // While one document is stored the next is rendered.
          maxInProgress: 2 * pages,
          maxReadMs: MAX_READ_MS,
          pausesMs: PAUSES_MS,
          prepare: async () => {
            if (attempt > 1) await separateRenditions(platform, organisationId);
          },
          read: (limit: number, exceptIds: readonly string[]) =>
            readPendingRenditions(organisationId, limit, exceptIds),
          awaitRows: async (limit: number, mayWait: () => Promise<boolean>) =>
            performance.now() - startedAt < MAX_ACTIVITY_MS ? awaitPending(organisationId, limit, mayWait) : [],
          getId: ({ _id }: RenditionRecord) => _id,
          process: async (rendition: RenditionRecord) => {
            const { _id } = rendition;
            try {
              const rendering = renderAndStore(platform, renderer, rendition);
              await limitTime(rendering, maxDocumentMs, () => new Error('The document took too long.'));
              stored += 1;
            } catch (error) {
              platform.logger.warn(
                { err: error, renditionId: _id },
                'A document failed; it gets a workflow of its own',
              );
              await separateRenditions(platform, organisationId, _id);
              separated.push(_id);
            }
          },
        };
        await workOffBacklog(reader, work, stopping);
        return { stored, separated, isUnfinished: await hasPendingRenditions(organisationId) };
      }),
  };
};

export type PendingRenderingActivities = ReturnType<typeof createPendingRenderingActivities>;
