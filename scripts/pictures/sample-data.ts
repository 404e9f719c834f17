import { DAY_MS } from '../../domain/durations';
import type { SessionStatus } from '../../domain/identity/sessions/session';
import { loadConfig } from '../../lib/config';
import { Session } from '../../models/identity/sessions/session';
import { DayCount } from '../../models/identity/statistics/day-count';
import { createSessionIndex } from '../../services/identity/sessions/session-index';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { Client, readObject, readText } from '../demo/client';
import type { Json } from '../demo/client';
import { getServiceEnvironment } from '../demo/running-service';
import type { RunningService } from '../demo/running-service';
import { buildSampleSession, SAMPLE_CREATOR } from '../demo/sample-sessions';

const DAYS = 30;
const SESSIONS = 400;
/** Outcomes in turn, in proportions that occur. */
const STATUSES: readonly SessionStatus[] = [
  ...Array<SessionStatus>(13).fill('approved'),
  'declined',
  'approved',
  'expired',
  'in_review',
  'approved',
  'declined',
  'abandoned',
];

/** Far above the numbers of the demonstration, which count from 1. */
const FIRST_NUMBER = 1_000_000;

/** Sessions of the last month, so that the charts of the home page have something to show. @returns removes them */
export async function addSampleSessions(organisationId: string): Promise<() => Promise<void>> {
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'pictures', watch: false });
  // The samples are written past the services, which record changes of counted days.
  const forgetCounts = () => DayCount.deleteMany({ organisationId });
  const remove = async (): Promise<void> => {
    await Session.deleteMany({ organisationId, createdBy: SAMPLE_CREATOR });
    await forgetCounts();
  };
  await remove();
  const sessionIndex = await createSessionIndex(platform, { organisationId, mode: 'live' });
  const from = Date.now() - DAYS * DAY_MS;
  const sample = {
    organisationId,
    sessionIndex,
    from,
    intervalMs: (DAYS * DAY_MS) / SESSIONS,
    firstNumber: FIRST_NUMBER,
    statuses: STATUSES,
  };
  const records = Array.from({ length: SESSIONS }, (_, index) => buildSampleSession(sample, index));
  await Session.insertMany(records, { lean: true, ordered: false });
  await forgetCounts();
  return async () => {
    await remove();
    await closePlatform(platform);
  };
}

const formatDay = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

const SERIES = { documentType: 'invoice', prefix: 'SMP' };
const CUSTOMERS = ['Nordlicht AG', 'Ferreira & Filhos', 'Maison Dubois', 'Lindqvist AB'];
/** Days since each invoice was issued, the oldest first. */
const INVOICE_AGES = [140, 121, 98, 85, 77, 62, 48, 41, 33, 21, 12, 6, 2];

/** Customers with invoices of different age, and products below their reorder level, once for each installation. */
export async function addSampleInvoices({ api, admin }: RunningService): Promise<void> {
  const data = readObject(await new Client(api, {}).json('POST', '/api/auth/login', { ...admin }), 'data');
  const client = new Client(api, { authorization: `Bearer ${readText(data, 'token')}` });
  const known = await client.json('GET', '/api/invoices?search=SMP');
  if (Number(known['totalCount']) > 0) return;
  const create = async (path: string, body: Json): Promise<number> =>
    Number(readText(readObject(await client.json('POST', path, body), 'data'), 'id'));
  const productId = await create('/api/products', {
    code: 'CABLE-05',
    name: 'Network cable, 5 m',
    price: 12.5,
    reorderLevel: 60,
    initialStock: { quantity: 200, unitCost: 4 },
  });
  await create('/api/products', { code: 'LABEL-01', name: 'Label rolls', price: 8, reorderLevel: 20 });
  // Numbers of a series follow the dates of its documents, which begin before those of the demonstration.
  const seriesId = await create('/api/config/document-series', SERIES);
  const customers: number[] = [];
  for (const [index, name] of CUSTOMERS.entries()) {
    const address = { line1: `Market Square ${index + 1}`, city: 'Cork', postalCode: 'T12 A001', country: 'IE' };
    customers.push(await create('/api/customers', { name, address }));
  }
  for (const age of INVOICE_AGES) {
    const customerId = customers[age % customers.length];
    const lines = [{ productId, quantity: 12, unitPrice: 12.5 + age }];
    await create('/api/invoices', { customerId, seriesId, issueDate: formatDay(age), lines });
  }
}
