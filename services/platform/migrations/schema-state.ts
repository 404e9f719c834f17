import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../domain/errors';
import { ConfigError } from '../../../lib/config-error';
import { VERSION } from '../../../lib/version';
import { Organisation } from '../../../models/platform/access/organisation';
import { MigrationRun } from '../../../models/platform/migrations/migration';
import type { MigrationRecord } from '../../../models/platform/migrations/migration';
import { SchemaState } from '../../../models/platform/migrations/schema-state';
import type { SchemaStateRecord } from '../../../models/platform/migrations/schema-state';
import type { Platform } from '../platform';
import { findLivingProcesses } from '../transactions/process-heartbeat';
import type { Migration } from './migration';

/**
 * Number of the last migration of this code. Processes that serve only compare it: which data a migration reads and
 * writes is known to the command that runs it alone.
 */
export const SCHEMA_VERSION = 14;

/** The migrations that a schema of this version lacks. */
export const listPending = (migrations: readonly Migration[], version: number): Migration[] =>
  migrations.filter((migration) => migration.version > version);

/** Whether the database has no data yet: an organisation is the first record of an installation. */
const isNewDatabase = async (): Promise<boolean> => (await Organisation.exists({})) === null;

/** The state of the schema. A new database has the latest version; one with data of versions without migrations has 0. */
export async function readSchemaState(platform: Pick<Platform, 'clock'>): Promise<SchemaStateRecord> {
  const found = await SchemaState.findById('schema').lean<SchemaStateRecord>();
  if (found !== null) return found;
  const version = (await isNewDatabase()) ? SCHEMA_VERSION : 0;
  const state = { version, release: VERSION, migratingProcess: null, updatedAt: platform.clock.now() };
  await SchemaState.updateOne({ _id: 'schema' }, { $setOnInsert: state }, { upsert: true });
  return SchemaState.findById('schema').orFail().lean<SchemaStateRecord>();
}

/** @throws ConfigError if a newer version of Vouch has migrated the database */
export function rejectNewerSchema({ version, release }: SchemaStateRecord): void {
  if (version <= SCHEMA_VERSION) return;
  throw new ConfigError(
    `The database has schema version ${version}, written by Vouch ${release}; this is Vouch ${VERSION}, which knows version ${SCHEMA_VERSION}. Start the newer Vouch, or restore a backup from before the upgrade (docs/runbooks/database-newer-than-code.md).`,
  );
}

/** Which migrations of this code the database has. */
export interface SchemaStatus {
  /** Version of the database. */
  version: number;
  /** Version of this code. */
  latest: number;
  /** Vouch that migrated the database last. */
  release: string;
  pending: { version: number; name: string; summary: string }[];
  /** Whether a process is migrating at the moment. */
  running: boolean;
  /** The migration that was started and is not completed. */
  current: Pick<MigrationRecord, 'name' | 'startedAt' | 'updatedAt' | 'converted' | 'runs'> | null;
}

/** The version of the schema, the migration under way and those that are pending. */
export async function readSchemaStatus(
  platform: Pick<Platform, 'clock'>,
  migrations: readonly Migration[],
): Promise<SchemaStatus> {
  const { version, release, migratingProcess } = await readSchemaState(platform);
  const started = await MigrationRun.findOne({ finishedAt: null }, { _id: 0, finishedAt: 0, cursor: 0 })
    .sort({ _id: 1 })
    .lean<NonNullable<SchemaStatus['current']>>();
  return {
    version,
    latest: SCHEMA_VERSION,
    release,
    pending: listPending(migrations, version).map((each) => ({
      version: each.version,
      name: each.name,
      summary: each.summary,
    })),
    running: migratingProcess !== null && (await findLivingProcesses([migratingProcess])).has(migratingProcess),
    current: started,
  };
}

/** @throws AppError 503 if migrations are pending; ConfigError if the database is newer than this code */
export async function requireCurrentSchema(platform: Platform): Promise<void> {
  const state = await readSchemaState(platform);
  rejectNewerSchema(state);
  if (state.version === SCHEMA_VERSION) return;
  const message = `The database has schema version ${state.version} and this version needs ${SCHEMA_VERSION}; run npm run admin -- migrate first.`;
  throw new AppError('unavailable', 503, message);
}

const POLL_MS = 500;

/**
 * Waits until the database has the version of this code.
 * @param onWaiting called once if it does not have it yet
 * @throws ConfigError if the database is newer than this code
 */
export async function awaitCurrentSchema(platform: Platform, onWaiting: () => Promise<void>): Promise<void> {
  for (let waiting = false; ; waiting = true) {
    const state = await readSchemaState(platform);
    rejectNewerSchema(state);
    if (state.version === SCHEMA_VERSION) return;
    if (!waiting) {
      const { version } = state;
      const message = 'Migrations are pending: run `npm run admin -- migrate`. Nothing is served until then.';
      platform.logger.warn({ version, needed: SCHEMA_VERSION }, message);
      await onWaiting();
    }
    await pause(POLL_MS);
  }
}
