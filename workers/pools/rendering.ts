import { createRenderingActivities } from '../../activities/rendering/documents';
import { createBulkRenderingActivities } from '../../activities/rendering/bulk';
import { createPendingRenderingActivities } from '../../activities/rendering/pending';
import { createReportActivities } from '../../activities/rendering/reports';
import { createRenderer } from '../../activities/rendering/renderer';
import { createInsertFeed } from '../../lib/change-feed';
import { ConfigError } from '../../lib/config';
import { summariseError } from '../../lib/logger';
import { Rendition } from '../../models/business/documents/rendition';
import type { PoolDefinition } from '../pool';
import { SECOND_QUEUES } from '../../workflows/contracts';
import { createStoppingSignal } from '../stopping';

/** Less than the activity's start-to-close timeout, so that a hanging page is replaced before the timeout. */
const RENDER_TIMEOUT_MS = 50_000;

/** Activities that wait for a page while others print, or for further documents of their organisation. */
const SHARED_SLOTS = 8;

/** Batches of archives at the same time; single documents have slots of their own. */
const BULK_SLOTS = 3;

/** Pool of rendering with Chromium. Activities wait for one of the pages. */
export const renderingPool: PoolDefinition = {
  pool: 'rendering',
  retriesFaults: false,
  create(platform, { rendering: pages }) {
    const { config, logger } = platform;
    if (config.CHROMIUM_PATH === undefined) {
      throw new ConfigError('CHROMIUM_PATH: missing; accepts the path of Chromium 131 or later.');
    }
    const renderer = createRenderer({
      executablePath: config.CHROMIUM_PATH,
      pages,
      renderTimeoutMs: RENDER_TIMEOUT_MS,
      sandbox: config.CHROMIUM_SANDBOX,
      onEvent: (event) => logger.info({ browser: event }, 'Browser'),
    });
    // Starts the browser now, so that the first request need not wait for it.
    renderer
      .health()
      .catch((error: unknown) => logger.warn({ reason: summariseError(error) }, 'The rendering engine is not ready'));
    const stopping = createStoppingSignal();
    const requests = createInsertFeed(Rendition.collection.name, 'organisationId', logger);
    stopping.addEventListener('abort', () => requests.endWaits());
    return Promise.resolve({
      activities: {
        ...createRenderingActivities(platform, renderer),
        ...createPendingRenderingActivities(platform, renderer, { pages, stopping, requests }),
        ...createReportActivities(platform, renderer),
      },
      slots: pages + SHARED_SLOTS,
      second: {
        taskQueue: SECOND_QUEUES.rendering,
        activities: createBulkRenderingActivities(platform, renderer),
        slots: BULK_SLOTS,
      },
      maxAttemptMs: RENDER_TIMEOUT_MS,
      health: () => renderer.health(),
      close: async () => {
        await requests.close();
        await renderer.close();
      },
    });
  },
};
