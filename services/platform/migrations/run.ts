import { setTimeout as pause } from 'node:timers/promises';
import { withMongoTransaction } from '../../../lib/mongo';
import { VERSION } from '../../../lib/version';
import { MigrationRun } from '../../../models/platform/migrations/migration';
import type { MigrationRecord } from '../../../models/platform/migrations/migration';
import { SchemaState } from '../../../models/platform/migrations/schema-state';
import type { SchemaStateRecord } from '../../../models/platform/migrations/schema-state';
import type { Platform } from '../platform';
import { findLivingProcesses } from '../transactions/process-heartbeat';
import type { Migration, MigrationContext } from './migration';
import { listPending, readSchemaState, rejectNewerSchema, SCHEMA_VERSION } from './schema-state';

const POLL_MS = 500;

/** What a run of the migrations did. */
export interface MigrationReport {
  /** Version of the database before and after. */
  from: number;
  to: number;
  completed: Pick<MigrationRecord, 'name' | 'converted' | 'runs'>[];
}

/** Progress of a run, for logs: a batch was committed, or another process migrates. */
export type OnMigrationProgress = (progress: { name: string; converted: number } | { waiting: string }) => void;

/** Thrown for a batch of a process that was taken for dead, such as one that was paused, after another took over. */
class TakenOverError extends Error {
  constructor() {
    super('Another process has taken over the migrations.');
    this.name = 'TakenOverError';
  }
}

/** Becomes the one process that migrates. False if another living one does. */
async function acquire({ processId }: Platform, { version, migratingProcess }: SchemaStateRecord): Promise<boolean> {
  if (migratingProcess !== null && (await findLivingProcesses([migratingProcess])).has(migratingProcess)) return false;
  const taken = await SchemaState.updateOne(
    { _id: 'schema', version, migratingProcess },
    { $set: { migratingProcess: processId } },
  );
  return taken.matchedCount > 0;
}

const release = ({ processId }: Platform): Promise<unknown> =>
  SchemaState.updateOne({ _id: 'schema', migratingProcess: processId }, { $set: { migratingProcess: null } });

async function createContext(
  platform: Platform,
  { version, name }: Migration,
  onProgress: OnMigrationProgress,
): Promise<MigrationContext> {
  const { clock, processId } = platform;
  const now = clock.now();
  const started = await MigrationRun.findOneAndUpdate(
    { _id: version },
    { $setOnInsert: { name, startedAt: now, updatedAt: now, finishedAt: null, converted: 0 }, $inc: { runs: 1 } },
    { upsert: true, returnDocument: 'after' },
  )
    .orFail()
    .lean<MigrationRecord>();
  let { converted } = started;
  return {
    platform,
    cursor: started.cursor ?? null,
    async commit(write) {
      const batch = await withMongoTransaction(async (mongoSession) => {
        const updatedAt = clock.now();
        const held = await SchemaState.updateOne(
          { _id: 'schema', migratingProcess: processId },
          { $set: { updatedAt } },
          { session: mongoSession },
        );
        if (held.matchedCount === 0) throw new TakenOverError();
        const written = await write(mongoSession);
        await MigrationRun.updateOne(
          { _id: version },
          { $set: { cursor: written.cursor, updatedAt }, $inc: { converted: written.converted } },
          { session: mongoSession },
        );
        return written;
      });
      converted += batch.converted;
      onProgress({ name, converted });
      return batch;
    },
  };
}

/** Marks a migration completed, unless another process has taken over. */
const complete = ({ clock, processId }: Platform, { version }: Migration): Promise<MigrationRecord> =>
  withMongoTransaction(async (mongoSession) => {
    const at = clock.now();
    const held = await SchemaState.updateOne(
      { _id: 'schema', migratingProcess: processId },
      { $set: { version, release: VERSION, updatedAt: at } },
      { session: mongoSession },
    );
    if (held.matchedCount === 0) throw new TakenOverError();
    return MigrationRun.findOneAndUpdate(
      { _id: version },
      { $set: { finishedAt: at, updatedAt: at } },
      { session: mongoSession, returnDocument: 'after' },
    )
      .orFail()
      .lean<MigrationRecord>();
  });

/** Runs what is pending as the process that migrates. False if another process took over. */
async function runPending(
  platform: Platform,
  pending: readonly Migration[],
  report: MigrationReport,
  onProgress: OnMigrationProgress,
): Promise<boolean> {
  try {
    for (const migration of pending) {
      await migration.run(await createContext(platform, migration, onProgress));
      const { name, converted, runs } = await complete(platform, migration);
      report.completed.push({ name, converted, runs });
      report.to = migration.version;
    }
    return true;
  } catch (error) {
    if (error instanceof TakenOverError) return false;
    throw error;
  } finally {
    await release(platform);
  }
}

/**
 * Brings the database to the version of this code. One process migrates at a time; the others wait, and take over if it
 * dies. An interrupted migration continues after its last batch.
 * @throws ConfigError if the database is newer than this code
 */
export async function runMigrations(
  platform: Platform,
  migrations: readonly Migration[],
  onProgress: OnMigrationProgress = () => undefined,
): Promise<MigrationReport> {
  let report: MigrationReport | null = null;
  for (;;) {
    const state = await readSchemaState(platform);
    rejectNewerSchema(state);
    report ??= { from: state.version, to: state.version, completed: [] };
    report.to = state.version;
    if (state.version === SCHEMA_VERSION) return report;
    const acquired = await acquire(platform, state);
    if (acquired && (await runPending(platform, listPending(migrations, state.version), report, onProgress)))
      return report;
    onProgress({ waiting: state.migratingProcess ?? 'another process' });
    await pause(POLL_MS);
  }
}
