import { BackgroundLoops } from '../../lib/background-loop';
import { createChangeFeed } from '../../lib/change-feed';
import { systemClock } from '../../lib/clock';
import type { Config } from '../../lib/config';
import { MasterKey } from '../../lib/crypto/master-key';
import { createLogger } from '../../lib/logger';
import { connectMongo, disconnectMongo, limitQueryTime } from '../../lib/mongo';
import { createObjectStore } from '../../lib/object-store';
import { newId } from '../../lib/ids';
import { createVersionedStore } from '../../lib/versioned-store';
import { createTemporalClient } from '../../lib/temporal';
import { loadRetainedKeys } from './keys/retained-keys';
import type { Platform } from './platform';
import { Singletons } from './singletons';
import { OutboxDispatcher } from './transactions/dispatcher';
import { startOrphanSweep } from './transactions/orphaned-transactions';
import { buildAppName, startHeartbeat } from './transactions/process-heartbeat';

/** Collections whose changes a request may wait for. */
const WATCHED_COLLECTIONS = [
  'checks',
  'renditions',
  'erasures',
  'register_imports',
  'evidence_renditions',
  'kyb_checks',
  'faces',
  'aml_screenings',
  'invariant_checks',
] as const;

/**
 * Connects a process to its stores.
 * @param options.watch whether requests wait for changes (in the API), and their queries are limited in time
 * @param options.serves whether the process serves for long, and so cleans up after processes that were killed
 */
export async function createPlatform(
  config: Config,
  options: { name: string; watch: boolean; serves?: boolean },
): Promise<Platform> {
  const logger = createLogger({ level: config.LOG_LEVEL, name: options.name });
  const processId = newId('prc');
  await connectMongo(config, buildAppName(processId));
  const masterKey = new MasterKey(config.masterKeys);
  await loadRetainedKeys(masterKey);
  if (options.watch) limitQueryTime(config.QUERY_TIMEOUT_SECONDS * 1000);
  const platform: Platform = {
    processId,
    config,
    logger,
    clock: systemClock,
    objects: createObjectStore(config),
    auditHeads: createVersionedStore(config),
    temporal: createTemporalClient(config),
    masterKey,
    changes: createChangeFeed(options.watch ? WATCHED_COLLECTIONS : [], logger),
    singletons: new Singletons(),
  };
  const loops = platform.singletons.get(BackgroundLoops);
  loops.add(await startHeartbeat(platform, options.name));
  if (options.serves === true) loops.add(startOrphanSweep(platform));
  return platform;
}

export async function closePlatform(platform: Platform): Promise<void> {
  await platform.singletons.get(OutboxDispatcher).drain();
  await platform.singletons.get(BackgroundLoops).stop();
  await platform.changes.close();
  await platform.temporal.connection.close();
  await disconnectMongo();
}
