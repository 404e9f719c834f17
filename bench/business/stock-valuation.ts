import { PERMISSIONS } from '../../domain/business/access/permissions';
import { addDays } from '../../domain/business/calendar';
import { loadConfig } from '../../lib/config';
import { StockLedger } from '../../models/business/stock/stock';
import { Client, readObject } from '../../scripts/demo/client';
import { getServiceEnvironment, readRunningService } from '../../scripts/demo/running-service';
import { ensureBusinessDefaults } from '../../services/business/settings/default-records';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { createOrganisation, findOrganisationBySlug } from '../../services/platform/access/organisations';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';
import { readLoadAverage } from '../process-meters';
import { percentile, report, roundTo } from '../report';
import { seedStockMovements } from './seed/stock-movements';

const MOVEMENTS = 1_000_000;
const PRODUCTS = 2000;
const ROWS_PER_BATCH = 100;
const ROUNDS = 7;
const WARM_UP = 1;

/** Products with movements of a year in two warehouses; they are kept for the next run. */
async function ensureMovements(platform: Platform, movements: number): Promise<Client> {
  const slug = `bench-stock-${movements}`;
  const existing = await findOrganisationBySlug(slug);
  const organisation = existing ?? (await createOrganisation(platform, { name: 'Stock', slug }));
  const organisationId = organisation._id;
  const key = { name: 'Bench', permissions: [...PERMISSIONS] };
  const { secret } = await issueApiKey(platform, { organisationId, mode: 'live' }, 'business', key);
  const client = new Client(readRunningService().api, { 'x-api-key': secret });
  if ((await StockLedger.exists({ organisationId })) !== null) return client;
  await ensureBusinessDefaults(platform, organisationId, {
    legalName: 'Stock',
    completenessChecks: 'off',
    taxPercent: '20',
  });
  const east = readObject(
    await client.json('POST', '/api/inventory/warehouses', { code: 'EAST', name: 'East' }),
    'data',
  );
  for (let first = 1; first <= PRODUCTS; first += ROWS_PER_BATCH)
    await client.json('POST', '/api/products/batch', {
      rows: Array.from({ length: ROWS_PER_BATCH }, (_, index) => ({ name: `Goods ${first + index}`, price: 5 })),
    });
  const productIds = Array.from({ length: PRODUCTS }, (_, index) => index + 1);
  await seedStockMovements(organisationId, productIds, movements / PRODUCTS, [1, Number(east['id'])]);
  return client;
}

async function measure(client: Client, path: string): Promise<number> {
  const milliseconds: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await client.json('GET', path);
    if (round >= 0) milliseconds.push(performance.now() - begun);
  }
  return roundTo(percentile(milliseconds, 0.5), 0);
}

/** Values the stock over HTTP now and at times in the past, and reads the movements of a product. */
export async function benchStockValuation(): Promise<void> {
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'bench', watch: false });
  try {
    const client = await ensureMovements(platform, MOVEMENTS);
    const today = new Date().toISOString().slice(0, 10);
    const valueOn = (days: number) => measure(client, `/api/inventory/valuation?asOf=${addDays(today, -days)}`);
    report('stock-valuation', {
      movements: MOVEMENTS,
      products: PRODUCTS,
      nowMs: await measure(client, '/api/inventory/valuation'),
      yesterdayMs: await valueOn(1),
      monthAgoMs: await valueOn(30),
      middleMs: await valueOn(182),
      beginningMs: await valueOn(360),
      movementsOfProductMs: await measure(client, '/api/inventory/ledger?productId=1'),
      load: readLoadAverage(),
    });
  } finally {
    await closePlatform(platform);
  }
}
