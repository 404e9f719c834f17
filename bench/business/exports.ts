import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PERMISSIONS } from '../../domain/business/access/permissions';
import { loadConfig } from '../../lib/config';
import { Client, readObject, readText } from '../../scripts/demo/client';
import { readRunningService, getServiceEnvironment } from '../../scripts/demo/running-service';
import type { Json } from '../../scripts/demo/client';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';
import { ensureInvoices, generateInvoices } from './seed/invoice-organisations';
import { readLoadAverage, startMemoryMeter, startProcessorMeter } from '../process-meters';
import { report, roundTo } from '../report';
import { verifyArchive } from './archive-verification';

const ROWS = 1_000_000;
const DOCUMENTS = 3000;
/** Lines of each document. */
const LINES = 8;
/** Long enough that polling does not affect the measurement. */
const POLL_MS = 250;
const ROLES = ['worker', 'api', 'mongod', 's3', 'temporal'];

type Figures = Record<string, number | string>;

/** Requests an export and waits until it ends. @returns the export and its duration in seconds */
async function runExport(client: Client, format: string): Promise<{ job: Json; seconds: number }> {
  const start = performance.now();
  const requested = readObject(await client.json('POST', '/api/exports', { resource: 'invoices', format }), 'data');
  for (;;) {
    const job = readObject(await client.json('GET', `/api/exports/${readText(requested, 'id')}`), 'data');
    if (job['state'] === 'completed') return { job, seconds: (performance.now() - start) / 1000 };
    if (job['state'] !== 'queued' && job['state'] !== 'running')
      throw new Error(`The export as ${format} ended as ${readText(job, 'state')}: ${String(job['failure'])}`);
    await delay(POLL_MS);
  }
}

/** Downloads the file of an export in chunks. @throws Error if the file does not match its hash */
async function downloadExport(job: Json, onChunk: (chunk: Uint8Array) => void): Promise<void> {
  const response = await fetch(readText(readObject(job, 'download'), 'url'));
  if (response.status !== 200 || response.body === null) throw new Error(`The download returned ${response.status}.`);
  const hash = createHash('sha256');
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    onChunk(chunk);
  }
  if (hash.digest('hex') !== job['sha256']) throw new Error('The file does not match the hash of the export.');
}

/** Counts line ends: every row has exactly one. */
function createLineCounter(): { count: () => number; add: (chunk: Uint8Array) => void } {
  let lines = 0;
  return {
    count: () => lines,
    add: (chunk) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    },
  };
}

/** Lines of a file in addition to its rows. */
const OTHER_LINES: Readonly<Record<string, number>> = { csv: 1, json: 2 };

async function measureList(client: Client, format: string, rows: number): Promise<Figures> {
  const [memory, processor] = [startMemoryMeter(), startProcessorMeter(ROLES)];
  const { job, seconds } = await runExport(client, format);
  const [memoryFigures, processorFigures] = [memory(), processor(1000)];
  const lines = createLineCounter();
  const start = performance.now();
  await downloadExport(job, lines.add);
  const found = OTHER_LINES[format] === undefined ? Number(job['rowsDone']) : lines.count() - OTHER_LINES[format];
  if (found !== rows) throw new Error(`The file has ${found} rows instead of ${rows}.`);
  return {
    seconds: roundTo(seconds, 1),
    rowsPerSecond: roundTo(rows / seconds, 0),
    megabytes: roundTo(Number(job['sizeBytes']) / 1e6, 1),
    parts: Number(job['parts']),
    downloadSeconds: roundTo((performance.now() - start) / 1000, 1),
    ...(memoryFigures === null ? {} : { workerBeforeMb: memoryFigures.before, workerPeakMb: memoryFigures.peak }),
    ...toSeconds(processorFigures),
    load: readLoadAverage(),
  };
}

/** Milliseconds per thousandth of the work, as seconds for all of it. */
const toSeconds = (used: Record<string, number>): Figures =>
  Object.fromEntries(Object.entries(used).map(([name, value]) => [name.replace(/Ms$/, 'Seconds'), value]));

async function measureArchive(client: Client, documents: number): Promise<Figures> {
  const [memory, processor] = [startMemoryMeter(), startProcessorMeter(ROLES)];
  const { job, seconds } = await runExport(client, 'zip-pdf');
  const [memoryFigures, processorFigures] = [memory(), processor(1000)];
  const chunks: Uint8Array[] = [];
  await downloadExport(job, (chunk) => chunks.push(chunk));
  const found = await verifyArchive(Buffer.concat(chunks));
  if (found !== documents) throw new Error(`The archive has ${found} documents instead of ${documents}.`);
  // Every document is rendered now, so a second export only packs them.
  const repeated = await runExport(client, 'zip-pdf');
  return {
    documents,
    seconds: roundTo(seconds, 1),
    pdfsPerSecond: roundTo(documents / seconds, 1),
    packedPerSecond: roundTo(documents / repeated.seconds, 1),
    megabytes: roundTo(Number(job['sizeBytes']) / 1e6, 1),
    ...(memoryFigures === null ? {} : { workerBeforeMb: memoryFigures.before, workerPeakMb: memoryFigures.peak }),
    ...toSeconds(processorFigures),
    load: readLoadAverage(),
  };
}

async function createExportClient(platform: Platform, organisationId: string): Promise<Client> {
  const key = { name: 'Bench', permissions: [...PERMISSIONS] };
  const { secret } = await issueApiKey(platform, { organisationId, mode: 'live' }, 'business', key);
  return new Client(readRunningService().api, { 'x-api-key': secret });
}

interface ExportCounts {
  /** Invoices in the lists. @default 1,000,000 */
  rows?: number | undefined;
  /** Documents in the archive. @default 3,000 */
  documents?: number | undefined;
}

/**
 * Exports a list of invoices as CSV, JSON and XLSX, and rendered invoices as a ZIP archive, over HTTP. Reports rows and
 * documents per second, peak memory of the workers and processor seconds of each process. Every file is downloaded,
 * verified against its hash and counted.
 */
export async function benchExports({ rows = ROWS, documents = DOCUMENTS }: ExportCounts): Promise<void> {
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'bench', watch: false });
  const figures: Figures = { rows };
  const addFigures = (name: string, own: Figures): void => {
    for (const [key, value] of Object.entries(own)) figures[`${name}_${key}`] = value;
    console.error(name, JSON.stringify(own));
  };
  try {
    const lists = await createExportClient(platform, await ensureInvoices(platform, rows));
    for (const format of ['csv', 'json', 'xlsx']) addFigures(format, await measureList(lists, format, rows));
    const printed = await generateInvoices(platform, documents, `bench-pdf-${Date.now()}`, LINES);
    addFigures('zip-pdf', await measureArchive(await createExportClient(platform, printed), documents));
    report('exports', figures);
  } finally {
    await closePlatform(platform);
  }
}
