import { Client } from '../../scripts/demo/client';
import { readRunningService } from '../../scripts/demo/running-service';
import { percentile, report, roundTo } from '../report';
import { createSampleOrganisation } from './sample-organisation';

const DEFAULT_SESSIONS = 100_000;
const ROUNDS = 20;

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

/** Figures of the home page over a whole year, and over its first month. */
const STATISTICS: Record<string, string> = {
  statistics: '?from=2026-01-01&to=2026-12-31',
  statisticsOfMonth: '?from=2026-01-01&to=2026-01-31',
};

async function measure(client: Client, path: string): Promise<{ p50: number; p95: number; total: number }> {
  const milliseconds: number[] = [];
  let total = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const page = await client.json('GET', path);
    milliseconds.push(performance.now() - start);
    total = Number(page['total'] ?? page['created']);
  }
  return { p50: percentile(milliseconds, 0.5), p95: percentile(milliseconds, 0.95), total };
}

/** Milliseconds of one request. */
async function measureOnce(client: Client, path: string): Promise<number> {
  const start = performance.now();
  await client.json('GET', path);
  return performance.now() - start;
}

/**
 * Requests lists and statistics over the sessions of one organisation. Writes the sessions directly to the MongoDB of the running
 * service and removes them again.
 */
export async function benchSessionLists(sessions = DEFAULT_SESSIONS): Promise<void> {
  const { api } = readRunningService();
  const organisation = await createSampleOrganisation({ sessions, searchable: true });
  try {
    const client = new Client(api, { authorization: `Bearer ${organisation.key}` });
    const figures: Record<string, number> = { sessions };
    for (const [name, query] of Object.entries(QUERIES)) {
      const { p50, p95, total } = await measure(client, `/v1/sessions${query}`);
      Object.assign(figures, {
        [`${name}Total`]: total,
        [`${name}P50Ms`]: roundTo(p50, 1),
        [`${name}P95Ms`]: roundTo(p95, 1),
      });
    }
    for (const [name, query] of Object.entries(STATISTICS)) {
      const path = `/v1/statistics/sessions${query}`;
      figures[`${name}ComputedMs`] = roundTo(await measureOnce(client, path), 1);
      figures[`${name}P50Ms`] = roundTo((await measure(client, path)).p50, 1);
    }
    report('session-lists', figures);
  } finally {
    await organisation.remove();
  }
}
