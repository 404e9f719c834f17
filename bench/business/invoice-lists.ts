import { PERMISSIONS } from '../../domain/business/access/permissions';
import { addDays } from '../../domain/business/calendar';
import { loadConfig } from '../../lib/config';
import { Invoice } from '../../models/business/invoices/invoice';
import { Client } from '../../scripts/demo/client';
import { readRunningService, getServiceEnvironment } from '../../scripts/demo/running-service';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { ensureInvoices } from './seed/invoice-organisations';
import { readLoadAverage } from '../process-meters';
import { percentile, report, roundTo } from '../report';

const INVOICES = Number(process.env['BENCH_INVOICES'] ?? 1_000_000);
const ROUNDS = 20;
/** For lists without a performance goal, which may take long. */
const FEW_ROUNDS = 5;
const WARM_UP = 2;
const PAGE_SIZE = 20;
const GOAL_HITS = 100_000;

/** The word prefix with the most hits within the goal, and the one with the most hits overall. */
async function selectSearchWords(organisationId: string): Promise<{ within: string; beyond: string }> {
  const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
  const candidates = [
    'po',
    'inv',
    'c',
    ...digits,
    ...digits.flatMap((first) => digits.map((second) => first + second)),
  ];
  const counted = await Promise.all(
    candidates.map(async (word) => ({ word, hits: await Invoice.countDocuments({ organisationId, tokens: word }) })),
  );
  counted.sort((a, b) => b.hits - a.hits);
  const within = counted.find(({ hits }) => hits <= GOAL_HITS);
  return { within: within?.word ?? '9', beyond: counted[0]?.word ?? 'inv' };
}

interface ListMeasurement {
  p50: number;
  p95: number;
  total: number;
}

async function measure(client: Client, query: string, rounds: number): Promise<ListMeasurement> {
  const milliseconds: number[] = [];
  let total = 0;
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const start = performance.now();
    const page = await client.json('GET', `/api/invoices${query}`);
    if (round >= 0) milliseconds.push(performance.now() - start);
    total = Number(page['totalCount']);
  }
  return { p50: percentile(milliseconds, 0.5), p95: percentile(milliseconds, 0.95), total };
}

/** The first, middle and last page of a list. */
async function measurePages(client: Client, name: string, query: string): Promise<Record<string, number>> {
  const rounds = name.startsWith('other') ? FEW_ROUNDS : ROUNDS;
  const { total } = await measure(client, `?${query}`, 1);
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const pages = { first: 1, middle: Math.ceil(last / 2), last, ...(last > 40_000 ? { page40000: 40_000 } : {}) };
  const figures: Record<string, number> = { [`${name}_total`]: total };
  for (const [where, page] of Object.entries(pages)) {
    const { p50, p95 } = await measure(client, `?page=${page}&${query}`, rounds);
    figures[`${name}_${where}_p50Ms`] = roundTo(p50, 1);
    figures[`${name}_${where}_p95Ms`] = roundTo(p95, 1);
  }
  return figures;
}

function buildQueries(words: { within: string; beyond: string }): Record<string, string> {
  const today = new Date().toISOString().slice(0, 10);
  const month = `dateFrom=${addDays(today, -60)}&dateTo=${addDays(today, -31)}`;
  const year = `dateFrom=${addDays(today, -500)}&dateTo=${addDays(today, -136)}`;
  return {
    all: '',
    ascending: 'sortDir=asc',
    status: 'status=issued',
    rareStatus: 'status=void',
    month,
    year,
    yearAndStatus: `${year}&status=paid`,
    word: `search=${words.within}`,
    other_number: 'sortBy=number',
    other_id: 'sortBy=id',
    other_dueDate: 'sortBy=dueDate',
    other_grandTotal: 'sortBy=grandTotal',
    other_customer: 'customerId=7',
    other_commonWord: `search=${words.beyond}`,
    other_twoWords: `search=${words.beyond}%20${words.within}`,
    other_wordAndStatus: `search=${words.within}&status=paid`,
  };
}

/**
 * Requests the first, middle and last page of the invoice list of one organisation over HTTP, each with its exact
 * total. Performance goals apply to the lists whose names do not begin with `other`. The invoices are kept for the next
 * run.
 */
export async function benchInvoiceLists(): Promise<void> {
  const { api } = readRunningService();
  const config = loadConfig(getServiceEnvironment());
  const platform = await createPlatform({ ...config, LOG_LEVEL: 'error' }, { name: 'bench', watch: false });
  try {
    const organisationId = await ensureInvoices(platform, INVOICES);
    const scope = { organisationId, mode: 'live' } as const;
    const key = { name: 'Bench', permissions: [...PERMISSIONS] };
    const { secret } = await issueApiKey(platform, scope, 'business', key);
    const client = new Client(api, { 'x-api-key': secret });
    const words = await selectSearchWords(organisationId);
    const figures: Record<string, number | string> = { invoices: INVOICES, ...words };
    for (const [name, query] of Object.entries(buildQueries(words))) {
      Object.assign(figures, await measurePages(client, name, query), { [`${name}_load`]: readLoadAverage() });
    }
    report('invoice-lists', figures);
  } finally {
    await closePlatform(platform);
  }
}
