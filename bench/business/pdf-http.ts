import { readLoadAverage, startProcessorMeter } from '../process-meters';
import { percentile, report, roundTo } from '../report';
import { createDownload, issueInvoices, LINES, mapConcurrently, signIn } from './invoice-downloads';
import type { Download } from './invoice-downloads';

const COLD = 100;
const STORED = 300;
const BULK = 300;
const AT_ONCE = 16;
const FORMATS = ['pdf', 'facturx'] as const;

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
  const { api, token, client } = await signIn();
  const ids = await issueInvoices(client, 5 + COLD + BULK);
  const figures: Record<string, number> = { lines: LINES };
  for (const format of FORMATS) {
    const own = await measureFormat(createDownload(api, token), format, ids);
    for (const [key, value] of Object.entries(own)) figures[`${format}_${key}`] = value;
  }
  report('pdf-http', figures);
}
