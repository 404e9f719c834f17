import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../lib/config';
import { DAY_MS, MINUTE_MS } from '../../domain/durations';
import { Session } from '../../models/identity/sessions/session';
import type { SessionRecord } from '../../models/identity/sessions/session';
import { DayCount } from '../../models/identity/statistics/day-count';
import { DataKey } from '../../models/platform/evidence/data-key';
import { buildSampleSession } from '../../scripts/demo/sample-sessions';
import { getServiceEnvironment } from '../../scripts/demo/running-service';
import { createSessionIndex } from '../../services/identity/sessions/session-index';
import type { SessionIndex } from '../../services/identity/sessions/session-index';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { createOrganisation } from '../../services/platform/access/organisations';
import { createUser } from '../../services/platform/access/users';
import { countDaysOfOrganisation } from '../../services/identity/statistics/count-days';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';

const BATCH = 5000;

interface SampleOptions {
  sessions: number;
  /** Whether the sessions have external ids, by which they are found. */
  searchable: boolean;
  /** When the first one was created. @default the beginning of 2026 */
  from?: number;
}

/** An organisation with many sessions, in the database of the running service. */
export interface SampleOrganisation {
  /** An API key that reads sessions. */
  key: string;
  /** A user who may read sessions in the console. */
  user: { email: string; password: string };
  /** Counts the sessions by day anew, as the schedule does. */
  countDays(): Promise<void>;
  /** Removes the sessions. */
  remove(): Promise<void>;
}

/** The sessions are created a minute apart, or closer together so that they fit into a year. */
const getIntervalMs = (sessions: number): number => Math.min(MINUTE_MS, (365 * DAY_MS) / sessions);

/** For sessions that nothing is searched in: their tokens take most of the time that it takes to write them. */
const NO_INDEX: SessionIndex = {
  describe: () => ({ externalIdKey: null, searchTokens: [] }),
  listReferenceKeys: () => [],
  buildSearchConditions: () => [],
};

/** Batches that are written at the same time: one is prepared while MongoDB writes the others. */
const BATCHES_AT_ONCE = 3;

/** A benchmark may lose its records with the machine: waiting for the journal takes most of the time of a batch. */
const WITHOUT_JOURNAL = { w: 1, j: false } as const;

/** Rows without an external id have nothing to encrypt and need no model: they go straight to the collection. */
async function insertPlainRows(records: readonly SessionRecord[]): Promise<void> {
  const collection = Session.db.collection<SessionRecord>(Session.collection.name);
  const rows = records.map((record) => ({ ...record, externalId: null }));
  await collection.insertMany(rows, { ordered: false, writeConcern: WITHOUT_JOURNAL });
}

async function insertSessions(platform: Platform, organisationId: string, sample: SampleOptions): Promise<void> {
  const { sessions, searchable, from = Date.UTC(2026, 0, 1) } = sample;
  const scope = { organisationId, mode: 'live' } as const;
  const sessionIndex = searchable ? await createSessionIndex(platform, scope) : NO_INDEX;
  const rows = { organisationId, sessionIndex, from, intervalMs: getIntervalMs(sessions), firstNumber: 1 };
  const starts = Array.from({ length: Math.ceil(sessions / BATCH) }, (_, index) => index * BATCH).values();
  const writeBatches = async (): Promise<void> => {
    for (const start of starts) {
      const length = Math.min(BATCH, sessions - start);
      const records = Array.from({ length }, (_, index) => buildSampleSession(rows, start + index));
      if (searchable) await Session.insertMany(records, { lean: true, ordered: false });
      else await insertPlainRows(records);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, writeBatches));
}

/** Writes sessions of a year directly to the MongoDB of the running service. */
export async function createSampleOrganisation(options: SampleOptions): Promise<SampleOrganisation> {
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'bench', watch: false });
  const slug = `b-${Date.now()}`;
  const { _id: organisationId } = await createOrganisation(platform, { name: 'Lists', slug });
  const scope = { organisationId, mode: 'live' } as const;
  const { secret: key } = await issueApiKey(platform, scope, 'identity', {
    name: 'Bench',
    permissions: ['sessions:read'],
  });
  const user = { email: `${slug}@bench.example`, password: randomBytes(12).toString('base64url') };
  const account = { organisationId, name: 'Bench', roles: { business: null, identity: 'viewer' as const }, ...user };
  await createUser(platform, account, { generatedPassword: true });
  await insertSessions(platform, organisationId, options);
  return {
    key,
    user,
    async countDays() {
      await DayCount.deleteMany({ organisationId });
      await countDaysOfOrganisation(platform, organisationId);
    },
    async remove() {
      await Session.db
        .collection(Session.collection.name)
        .deleteMany({ organisationId }, { writeConcern: WITHOUT_JOURNAL });
      await DayCount.deleteMany({ organisationId });
      await DataKey.deleteMany({ organisationId });
      await closePlatform(platform);
    },
  };
}
