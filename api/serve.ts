import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StartCheck } from '../lib/await-available';
import type { Config } from '../lib/config';
import { Metrics } from '../lib/metrics/metrics';
import { logProcessEvents } from '../lib/process-log';
import { summariseError } from '../lib/logger';
import { prepareSpoolDirectory } from '../lib/spool-file';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import { ensureIndexes } from '../models';
import { awaitCurrentSchema } from '../services/platform/migrations/schema-state';
import type { Platform } from '../services/platform/platform';
import { createApp } from './app';
import { getSpoolDirectory } from './http/body-intake';
import { DrainingServer } from './http/draining-server';
import { createServer } from './http/server';
import { answerWhileStarting } from './starting';

async function listen(server: Server, config: Config): Promise<void> {
  if (server.listening) return;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, resolve);
  });
}

/** Connects the process to its stores and serves both APIs until a signal ends it. @param config checked by the caller */
export async function serve(config: Config): Promise<void> {
  let answer: RequestListener = answerWhileStarting('masterKey');
  const server = createServer(config, (request, response) => answer(request, response));
  const reportWaiting = (awaited: StartCheck): Promise<void> => {
    answer = answerWhileStarting(awaited);
    return listen(server, config);
  };
  const platform = await createPlatform(config, {
    name: 'api',
    watch: true,
    serves: true,
    onWaiting: reportWaiting,
  });
  const { logger } = platform;
  logProcessEvents(logger);
  if (config.metricsToken !== undefined) platform.singletons.get(Metrics).measureRuntime();
  await awaitCurrentSchema(platform, () => reportWaiting('schema'));
  await ensureIndexes();
  await platform.objects.ensureBucket().catch((error: unknown) => {
    logger.warn({ reason: summariseError(error) }, 'The object store does not respond yet; see /readyz');
  });
  await prepareSpoolDirectory(getSpoolDirectory(config));
  const serving = new DrainingServer(server);
  answer = createApp(platform, { isDraining: () => serving.isDraining });
  await listen(server, config);
  logger.info({ port: (server.address() as AddressInfo).port }, 'API is listening');
  drainOnSignals(platform, serving);
}

/** Share of the grace period after which requests that wait for a result are answered without it. */
const WAITING_SHARE = 0.7;

/** On SIGTERM or SIGINT: answers what is in flight, then ends with code 0, or with 1 if requests had to be cut. */
function drainOnSignals(platform: Platform, serving: DrainingServer): void {
  const { config, logger } = platform;
  const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1000;
  const stop = async (signal: string): Promise<void> => {
    if (serving.isDraining) return;
    logger.info({ signal }, 'API is shutting down');
    setTimeout(() => platform.changes.endWaits(), graceMs * WAITING_SHARE).unref();
    const { cut } = await serving.drain(graceMs);
    if (cut > 0) logger.warn({ cut }, 'Requests were cut at the end of SHUTDOWN_GRACE_SECONDS');
    await closePlatform(platform).catch((error: unknown) =>
      logger.warn({ reason: summariseError(error) }, 'The shutdown was not clean'),
    );
    process.exit(cut > 0 ? 1 : 0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}
