import { Client, part, text } from '../scripts/demo/client';
import type { Json } from '../scripts/demo/client';
import { runningService } from '../scripts/demo/running-service';
import { load, processorMeter } from './processor-time';
import { percentile, report, rounded } from './report';

const LINES = 8;
const COLD = 100;
const STORED = 300;
const BULK = 300;
const AT_ONCE = 16;
const FORMATS = ['pdf', 'facturx'] as const;

/** Asks for a file and reads it whole. @returns how long that took, in ms */
type Download = (invoiceId: number, format: string) => Promise<number>;

function downloadFrom(api: string, token: string): Download {
  const headers = { authorization: `Bearer ${token}` };
  return async (invoiceId, format) => {
    const begun = performance.now();
    const answer = await fetch(`${api}/api/invoices/${invoiceId}/pdf?format=${format}`, { headers });
    const bytes = await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${answer.status}: ${Buffer.from(bytes).toString('utf8')}`);
    return performance.now() - begun;
  };
}

/** Runs work over all values, `atOnce` in flight. @returns what each came to, and the seconds for all */
async function overAll(values: readonly number[], atOnce: number, work: (value: number) => Promise<number>) {
  const left = [...values];
  const results: number[] = [];
  const start = performance.now();
  const runner = async (): Promise<void> => {
    for (let value = left.shift(); value !== undefined; value = left.shift()) results.push(await work(value));
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return { results, seconds: (performance.now() - start) / 1000 };
}

/** Issues invoices of eight lines, fit for electronic invoicing. */
async function issueInvoices(client: Client, count: number): Promise<number[]> {
  const made = async (path: string, body: Json): Promise<number> =>
    Number(part(await client.json('POST', path, body), 'data')['id']);
  const address = { line1: '2 Market Square', city: 'Cork', postalCode: 'T12 AB34', country: 'IE' };
  const customerId = await made('/api/customers', { name: 'Benchmark customer', address });
  const productId = await made('/api/products', { name: 'Delivered goods', type: 'service', price: 49.95 });
  const lines = Array.from({ length: LINES }, (_, index) => ({ productId, quantity: index + 1, unitPrice: 49.95 }));
  const { results } = await overAll(Array.from({ length: count }, Number), 8, () =>
    made('/api/invoices', { customerId, lines }),
  );
  return results;
}

async function figuresOf(download: Download, format: string, ids: readonly number[]): Promise<Record<string, number>> {
  await overAll(ids.slice(0, 5), 1, (id) => download(id, format));
  const cold = await overAll(ids.slice(5, 5 + COLD), 1, (id) => download(id, format));
  const known = ids.slice(5, 5 + COLD);
  const again = Array.from({ length: STORED }, (_, index) => known[index % known.length] ?? 0);
  const stored = await overAll(again, 1, (id) => download(id, format));
  const processor = processorMeter(['api', 'worker', 'temporal', 'mongod', 's3']);
  const bulk = await overAll(ids.slice(5 + COLD), AT_ONCE, (id) => download(id, format));
  return {
    coldP50Ms: rounded(percentile(cold.results, 0.5), 1),
    coldP95Ms: rounded(percentile(cold.results, 0.95), 1),
    storedP50Ms: rounded(percentile(stored.results, 0.5), 1),
    storedP95Ms: rounded(percentile(stored.results, 0.95), 1),
    bulkPerSecond: rounded(BULK / bulk.seconds, 1),
    ...Object.fromEntries(Object.entries(processor(BULK)).map(([key, value]) => [`bulk_${key}`, value])),
    load: load(),
  };
}

/**
 * Files of invoices of eight lines through HTTP on the running stack: made while the client waits (cold), from the
 * object store, and many at once; plain PDFs and, apart, Factur-X. Start the stack with
 * RATE_LIMIT_BUSINESS_PER_MINUTE=1000000.
 */
export async function benchPdfHttp(): Promise<void> {
  const { api, admin } = runningService();
  const anonymous = new Client(api, {});
  const token = text(part(await anonymous.json('POST', '/api/auth/login', admin), 'data'), 'token');
  const client = new Client(api, { authorization: `Bearer ${token}` });
  const ids = await issueInvoices(client, 5 + COLD + BULK);
  const figures: Record<string, number> = { lines: LINES };
  for (const format of FORMATS) {
    const own = await figuresOf(downloadFrom(api, token), format, ids);
    for (const [key, value] of Object.entries(own)) figures[`${format}_${key}`] = value;
  }
  report('pdf-http', figures);
}
