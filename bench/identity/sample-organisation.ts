import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../lib/config';
import { DAY_MS, MINUTE_MS } from '../../domain/durations';
import { Session } from '../../models/identity/sessions/session';
import { DataKey } from '../../models/platform/evidence/data-key';
import { buildSampleSession } from '../../scripts/demo/sample-sessions';
import { getServiceEnvironment } from '../../scripts/demo/running-service';
import { createSessionIndex } from '../../services/identity/sessions/session-index';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { createOrganisation } from '../../services/platform/access/organisations';
import { createUser } from '../../services/platform/access/users';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';

const BATCH = 5000;

/** An organisation with many sessions, in the database of the running service. */
export interface SampleOrganisation {
  /** An API key that reads sessions. */
  key: string;
  /** A user who may read sessions in the console. */
  user: { email: string; password: string };
  /** Removes the sessions. */
  remove(): Promise<void>;
}

/** The sessions are created a minute apart, or closer together so that they fit into a year. */
const getIntervalMs = (sessions: number): number => Math.min(MINUTE_MS, (365 * DAY_MS) / sessions);

async function insertSessions(platform: Platform, organisationId: string, sessions: number): Promise<void> {
  const sessionIndex = await createSessionIndex(platform, { organisationId, mode: 'live' });
  const from = Date.UTC(2026, 0, 1);
  const sample = { organisationId, sessionIndex, from, intervalMs: getIntervalMs(sessions), firstNumber: 1 };
  for (let start = 0; start < sessions; start += BATCH) {
    const length = Math.min(BATCH, sessions - start);
    const rows = Array.from({ length }, (_, index) => buildSampleSession(sample, start + index));
    await Session.insertMany(rows, { lean: true, ordered: false });
  }
}

/** Writes sessions of the year 2026 directly to the MongoDB of the running service. */
export async function createSampleOrganisation(sessions: number): Promise<SampleOrganisation> {
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
  await insertSessions(platform, organisationId, sessions);
  return {
    key,
    user,
    async remove() {
      await Session.deleteMany({ organisationId });
      await DataKey.deleteMany({ organisationId });
      await closePlatform(platform);
    },
  };
}
