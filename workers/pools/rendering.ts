import { createRenderingActivities } from '../../activities/rendering/documents';
import { createBulkRenderingActivities } from '../../activities/rendering/bulk';
import { createReportActivities } from '../../activities/rendering/reports';
import { createRenderer } from '../../activities/rendering/renderer';
import { ConfigError } from '../../lib/config';
import type { PoolDefinition } from '../pool';

/** Below the activity's startToClose, so that a page that hangs is replaced and not only given up. */
const RENDER_TIMEOUT_MS = 50_000;

/** Chromium: one slot a page. */
export const renderingPool: PoolDefinition = {
  pool: 'rendering',
  create(platform) {
    const { config, logger } = platform;
    if (config.CHROMIUM_PATH === undefined) {
      throw new ConfigError('CHROMIUM_PATH: missing; accepts the path of a Chromium, version 131 or later.');
    }
    const renderer = createRenderer({
      executablePath: config.CHROMIUM_PATH,
      pages: config.RENDERING_PAGES,
      renderTimeoutMs: RENDER_TIMEOUT_MS,
      sandbox: config.CHROMIUM_SANDBOX,
      onEvent: (event) =>
        event.kind === 'sandbox_unavailable'
          ? logger.warn(
              'Chromium has no sandbox on this system (user namespaces are off) and runs without; CHROMIUM_SANDBOX decides',
            )
          : logger.info({ browser: event }, 'Browser'),
    });
    // The first customer need not wait for the browser to start.
    renderer.health().catch((error: unknown) => logger.warn({ err: error }, 'The rendering engine is not ready'));
    return Promise.resolve({
      activities: {
        ...createRenderingActivities(platform, renderer),
        ...createBulkRenderingActivities(platform, renderer),
        ...createReportActivities(platform, renderer),
      },
      slots: config.RENDERING_PAGES,
      maxAttemptMs: RENDER_TIMEOUT_MS,
      health: () => renderer.health(),
      close: () => renderer.close(),
    });
  },
};
