import { Client } from '../../scripts/demo/client';
import { getServiceEnvironment, readRunningService } from '../../scripts/demo/running-service';
import { DEFAULT_DEFINITION, pickSettings } from '../../domain/identity/sessions/session-template';
import { SESSION_STATUSES } from '../../domain/identity/sessions/session';
import { loadConfig } from '../../lib/config';
import { newId } from '../../lib/ids';
import { Session } from '../../models/identity/sessions/session';
import type { SessionRecord } from '../../models/identity/sessions/session';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { createOrganisation } from '../../services/platform/access/organisations';
import { createSessionIndex } from '../../services/identity/sessions/session-index';
import type { SessionIndex } from '../../services/identity/sessions/session-index';
import { DataKey } from '../../models/platform/evidence/data-key';
import { percentile, report, roundTo } from '../report';
import { MINUTE_MS } from '../../domain/durations';

const SESSIONS = 100_000;
const BATCH = 5000;
const ROUNDS = 20;
const COUNTRIES = ['FRA', 'DEU', 'ESP', 'ITA', 'NLD'];

/** Requests by name: each filters the list in another way. */
const QUERIES: Record<string, string> = {
  all: '?limit=20',
  status: '?status=in_review,declined&limit=20',
  country: '?country=FRA&limit=20',
  period: '?from=2026-01-01&to=2026-02-01&limit=20',
  externalId: '?externalId=customer-70001',
  searchFew: '?search=customer-7000',
  searchMany: '?search=customer',
  pending: '/pending?limit=20',
};

const pickCyclic = <T>(values: readonly T[], index: number, fallback: T): T =>
  values[index % values.length] ?? fallback;

function generateSession(organisationId: string, index: number, sessionIndex: SessionIndex): SessionRecord {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + index * MINUTE_MS);
  const status = pickCyclic(SESSION_STATUSES, index, 'approved');
  const _id = newId('ses');
  const externalId = `customer-${index}`;
  return {
    _id,
    organisationId,
    mode: 'live',
    number: index + 1,
    status,
    features: ['liveness'],
    templateId: null,
    templateVersion: null,
    externalId,
    ...sessionIndex.describe({ _id, number: index + 1, externalId }),
    metadata: null,
    callbackUrl: null,
    language: null,
    expected: null,
    contact: null,
    country: pickCyclic(COUNTRIES, index, 'FRA'),
    settings: pickSettings(DEFAULT_DEFINITION),
    steps: [{ feature: 'liveness', attempts: [] }],
    decision: null,
    reviews: [],
    opening: 1,
    imported: null,
    version: 1,
    createdBy: 'bench',
    createdAt,
    expiresAt: createdAt,
    startedAt: null,
    lastActivityAt: createdAt,
    reviewSince: status === 'in_review' ? createdAt : null,
    finishedAt: null,
    approvalExpiresAt: null,
    retainUntil: null,
    deletedAt: null,
  };
}

async function measure(client: Client, query: string): Promise<{ p50: number; p95: number; total: number }> {
  const milliseconds: number[] = [];
  let total = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const page = await client.json('GET', `/v1/sessions${query}`);
    milliseconds.push(performance.now() - start);
    total = Number(page['total']);
  }
  return { p50: percentile(milliseconds, 0.5), p95: percentile(milliseconds, 0.95), total };
}

/**
 * Requests lists over the sessions of one organisation. Writes the sessions directly to the MongoDB of the running
 * service and removes them again.
 */
export async function benchSessionLists(): Promise<void> {
  const { api } = readRunningService();
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'bench', watch: false });
  try {
    const { _id: organisationId } = await createOrganisation(platform, { name: 'Lists', slug: `b-${Date.now()}` });
    const scope = { organisationId, mode: 'live' } as const;
    const { secret } = await issueApiKey(platform, scope, 'identity', {
      name: 'Bench',
      permissions: ['sessions:read'],
    });
    const sessionIndex = await createSessionIndex(platform, scope);
    for (let start = 0; start < SESSIONS; start += BATCH) {
      const rows = Array.from({ length: BATCH }, (_, index) =>
        generateSession(organisationId, start + index, sessionIndex),
      );
      await Session.insertMany(rows, { lean: true, ordered: false });
    }
    const client = new Client(api, { authorization: `Bearer ${secret}` });
    const figures: Record<string, number> = { sessions: SESSIONS };
    for (const [name, query] of Object.entries(QUERIES)) {
      const { p50, p95, total } = await measure(client, query);
      Object.assign(figures, {
        [`${name}Total`]: total,
        [`${name}P50Ms`]: roundTo(p50, 1),
        [`${name}P95Ms`]: roundTo(p95, 1),
      });
    }
    report('session-lists', figures);
    await Session.deleteMany({ organisationId });
    await DataKey.deleteMany({ organisationId });
  } finally {
    await closePlatform(platform);
  }
}
