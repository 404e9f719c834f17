import { Client, readObject, readText } from '../../scripts/demo/client';
import type { Json } from '../../scripts/demo/client';
import { readRunningService } from '../../scripts/demo/running-service';
import { readLoadAverage, startProcessorMeter } from '../process-meters';
import { percentile, report, roundTo } from '../report';

const LINES = 8;
const COLD = 100;
const STORED = 300;
const BULK = 300;
const AT_ONCE = 16;
const FORMATS = ['pdf', 'facturx'] as const;

/** Downloads a file. @returns duration in milliseconds */
type Download = (invoiceId: number, format: string) => Promise<number>;

function createDownload(api: string, token: string): Download {
  const headers = { authorization: `Bearer ${token}` };
  return async (invoiceId, format) => {
    const begun = performance.now();
    const response = await fetch(`${api}/api/invoices/${invoiceId}/pdf?format=${format}`, { headers });
    const bytes = await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${response.status}: ${Buffer.from(bytes).toString('utf8')}`);
    return performance.now() - begun;
  };
}

/** Runs `work` over all values, `atOnce` concurrently. @returns the results and the total duration in seconds */
async function mapConcurrently(values: readonly number[], atOnce: number, work: (value: number) => Promise<number>) {
  const remaining = [...values];
  const results: number[] = [];
  const start = performance.now();
  const runner = async (): Promise<void> => {
    for (let value = remaining.shift(); value !== undefined; value = remaining.shift()) results.push(await work(value));
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return { results, seconds: (performance.now() - start) / 1000 };
}

/** Issues invoices of eight lines that meet the requirements of electronic invoicing. */
async function issueInvoices(client: Client, count: number): Promise<number[]> {
  const createResource = async (path: string, body: Json): Promise<number> =>
    Number(readObject(await client.json('POST', path, body), 'data')['id']);
  const address = { line1: '2 Market Square', city: 'Cork', postalCode: 'T12 AB34', country: 'IE' };
  const customerId = await createResource('/api/customers', { name: 'Benchmark customer', address });
  const productId = await createResource('/api/products', { name: 'Delivered goods', type: 'service', price: 49.95 });
  const lines = Array.from({ length: LINES }, (_, index) => ({ productId, quantity: index + 1, unitPrice: 49.95 }));
  const { results } = await mapConcurrently(Array.from({ length: count }, Number), 8, () =>
    createResource('/api/invoices', { customerId, lines }),
  );
  return results;
}

async function measureFormat(
  download: Download,
  format: string,
  ids: readonly number[],
): Promise<Record<string, number>> {
  await mapConcurrently(ids.slice(0, 5), 1, (id) => download(id, format));
  const cold = await mapConcurrently(ids.slice(5, 5 + COLD), 1, (id) => download(id, format));
  const storedIds = ids.slice(5, 5 + COLD);
  const repeatedIds = Array.from({ length: STORED }, (_, index) => storedIds[index % storedIds.length] ?? 0);
  const stored = await mapConcurrently(repeatedIds, 1, (id) => download(id, format));
  const processor = startProcessorMeter(['api', 'worker', 'temporal', 'mongod', 's3']);
  const bulk = await mapConcurrently(ids.slice(5 + COLD), AT_ONCE, (id) => download(id, format));
  return {
    coldP50Ms: roundTo(percentile(cold.results, 0.5), 1),
    coldP95Ms: roundTo(percentile(cold.results, 0.95), 1),
    storedP50Ms: roundTo(percentile(stored.results, 0.5), 1),
    storedP95Ms: roundTo(percentile(stored.results, 0.95), 1),
    bulkPerSecond: roundTo(BULK / bulk.seconds, 1),
    ...Object.fromEntries(Object.entries(processor(BULK)).map(([key, value]) => [`bulk_${key}`, value])),
    load: readLoadAverage(),
  };
}

/** Downloads invoices of eight lines over HTTP: rendered on demand (cold), from the object store, and many at once. */
export async function benchPdfHttp(): Promise<void> {
  const { api, admin } = readRunningService();
  const anonymous = new Client(api, {});
  const token = readText(readObject(await anonymous.json('POST', '/api/auth/login', admin), 'data'), 'token');
  const client = new Client(api, { authorization: `Bearer ${token}` });
  const ids = await issueInvoices(client, 5 + COLD + BULK);
  const figures: Record<string, number> = { lines: LINES };
  for (const format of FORMATS) {
    const own = await measureFormat(createDownload(api, token), format, ids);
    for (const [key, value] of Object.entries(own)) figures[`${format}_${key}`] = value;
  }
  report('pdf-http', figures);
}
