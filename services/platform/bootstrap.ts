import type { Waiting } from '../../lib/await-available';
import { BackgroundLoops } from '../../lib/background-loop';
import { createChangeFeed } from '../../lib/change-feed';
import { systemClock } from '../../lib/clock';
import type { Config } from '../../lib/config';
import { createKeyStore } from '../../lib/key-store';
import { openMasterKey } from '../../lib/kms/open-master-key';
import { createLogger } from '../../lib/logger';
import { awaitMongo, connectMongo, disconnectMongo, limitQueryTime } from '../../lib/mongo';
import { createObjectStore } from '../../lib/object-store';
import { newId } from '../../lib/ids';
import { createVersionedStore } from '../../lib/versioned-store';
import { createTemporalClient } from '../../lib/temporal';
import { startTracing, WorkflowSpans } from '../../lib/tracing';
import { setFieldCipher } from '../../models/sealed-fields';
import { createFieldCipher } from './evidence/field-cipher';
import { loadRetainedKeys } from './keys/retained-keys';
import type { Platform } from './platform';
import { Singletons } from './singletons';
import { OutboxDispatcher } from './transactions/dispatcher';
import { startOrphanSweep } from './transactions/orphaned-transactions';
import { buildAppName, startHeartbeat } from './transactions/process-heartbeat';

/** Collections whose changes a request may wait for. */
const WATCHED_COLLECTIONS = [
  'sessions',
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

interface PlatformOptions {
  /** Name of the process in logs and heartbeats. */
  name: string;
  /** Whether requests wait for changes (in the API), and their queries are limited in time. */
  watch: boolean;
  /** Whether the process serves for long, and so cleans up after processes that were killed. */
  serves?: boolean;
  /**
   * Called when the key management service of the master key, or MongoDB, does not respond: the process waits for it.
   * Without this function, a process ends if MongoDB does not respond.
   */
  onWaiting?: Waiting['onWaiting'];
}

/** Decrypts the master key of a process and connects it to its stores. */
export async function createPlatform(config: Config, options: PlatformOptions): Promise<Platform> {
  const logger = createLogger({ level: config.LOG_LEVEL, name: options.name });
  const tracing = await startTracing(config, options.name, logger);
  const { onWaiting } = options;
  const masterKey = await openMasterKey(config, {
    logger,
    ...(onWaiting === undefined ? {} : { onUnavailable: () => onWaiting('masterKey') }),
  });
  const processId = newId('prc');
  const appName = buildAppName(config.MONGO_URL, processId);
  await (onWaiting === undefined ? connectMongo(config, appName) : awaitMongo(config, appName, { logger, onWaiting }));
  await loadRetainedKeys(masterKey);
  if (options.watch) limitQueryTime(config.QUERY_TIMEOUT_SECONDS * 1000);
  const platform: Platform = {
    processId,
    config,
    logger,
    clock: systemClock,
    objects: createObjectStore(config),
    auditHeads: createVersionedStore(config),
    keyStore: createKeyStore(config),
    temporal: createTemporalClient(config, masterKey),
    masterKey,
    changes: createChangeFeed(options.watch ? WATCHED_COLLECTIONS : [], logger),
    singletons: new Singletons(),
  };
  setFieldCipher(createFieldCipher(platform));
  const loops = platform.singletons.get(BackgroundLoops);
  if (tracing !== null) {
    loops.add(tracing);
    platform.singletons.get(WorkflowSpans).sinks = tracing.sinks;
  }
  loops.add(await startHeartbeat(platform, options.name));
  if (options.serves === true) loops.add(startOrphanSweep(platform));
  return platform;
}

/** Ends the background work of a process and closes its connections, after rows handed to the dispatcher were tried. */
export async function closePlatform(platform: Platform): Promise<void> {
  await platform.singletons.get(OutboxDispatcher).drain();
  await platform.singletons.get(BackgroundLoops).stop();
  await platform.changes.close();
  await platform.temporal.connection.close();
  await disconnectMongo();
  setFieldCipher(null);
}
