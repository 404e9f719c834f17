import { startBackgroundLoop } from '../../../lib/background-loop';
import type { BackgroundLoop } from '../../../lib/background-loop';
import { summariseError } from '../../../lib/logger';
import { ProcessHeartbeat } from '../../../models/platform/transactions/process-heartbeat';
import type { Platform } from '../platform';

const BEAT_EVERY_MS = 1000;
/** A process without a heartbeat for this long counts as dead: its leases are taken over, its transactions aborted. */
const ALIVE_MS = 5000;

const APP_NAME_PREFIX = 'vouch:';

/** The database that the URL of a MongoDB deployment names. */
const findDatabaseName = (mongoUrl: string): string =>
  decodeURIComponent(/^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]+)/.exec(mongoUrl)?.[1] ?? 'test');

/** The name under which MongoDB shows the connections of a process: its database and its id. */
export const buildAppName = (mongoUrl: string, processId: string): string =>
  `${APP_NAME_PREFIX}${findDatabaseName(mongoUrl)}/${processId}`;

/**
 * The process id in the name of a connection; null if it is not one of this service, or of an installation with another
 * database, whose heartbeats are not known here.
 */
export function parseAppName(appName: unknown, database: string): string | null {
  const prefix = `${APP_NAME_PREFIX}${database}/`;
  return typeof appName === 'string' && appName.startsWith(prefix) ? appName.slice(prefix.length) : null;
}

// The clock of MongoDB decides, so that clocks of hosts may differ.
const beat = ({ processId, masterKey }: Platform, name: string): Promise<unknown> =>
  ProcessHeartbeat.updateOne(
    { _id: processId },
    [{ $set: { name, masterKeyId: masterKey.currentKeyId, aliveUntil: { $add: ['$$NOW', ALIVE_MS] } } }],
    { upsert: true, updatePipeline: true },
  );

/** Writes the first heartbeat of this process, and then one every second until stopped. */
export async function startHeartbeat(platform: Platform, name: string): Promise<BackgroundLoop> {
  const { processId, logger } = platform;
  await beat(platform, name);
  const loop = startBackgroundLoop(BEAT_EVERY_MS, async () => {
    await beat(platform, name).catch((error: unknown) =>
      logger.debug({ reason: summariseError(error) }, 'The heartbeat failed'),
    );
  });
  return {
    async stop() {
      await loop.stop();
      await ProcessHeartbeat.deleteOne({ _id: processId }).catch(() => undefined);
    },
  };
}

/** Names of the running processes of the service other than this one. */
export async function listOtherProcesses({ processId }: Pick<Platform, 'processId'>): Promise<string[]> {
  const isAnother = { _id: { $ne: processId }, $expr: { $gt: ['$aliveUntil', '$$NOW'] } };
  const found = await ProcessHeartbeat.find(isAnother, { name: 1 }).lean<{ name: string }[]>();
  return found.map(({ name }) => name).sort();
}

/** Those of the processes that are running. A paused or unreachable process counts as dead after five seconds. */
export async function findLivingProcesses(processIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await ProcessHeartbeat.find(
    { _id: { $in: processIds }, $expr: { $gt: ['$aliveUntil', '$$NOW'] } },
    { _id: 1 },
  ).lean<{ _id: string }[]>();
  return new Set(found.map(({ _id }) => _id));
}
