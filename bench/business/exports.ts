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
import type { BenchInput } from '../report';
import { verifyArchive } from './archive-verification';

const ROWS = 1_000_000;
const DOCUMENTS = 3000;
/** Of each document. */
const LINES = 8;
/** Seldom enough that asking takes nothing from what is measured. */
const POLL_MS = 250;
const ROLES = ['worker', 'api', 'mongod', 's3', 'temporal'];

type Figures = Record<string, number | string>;

/** Asks for an export and waits for its end. @returns the export and the seconds that took */
async function runExport(client: Client, format: string): Promise<{ job: Json; seconds: number }> {
  const start = performance.now();
  const requested = readObject(await client.json('POST', '/api/exports', { resource: 'invoices', format }), 'data');
  for (;;) {
    const job = readObject(await client.json('GET', `/api/exports/${readText(requested, 'id')}`), 'data');
    if (job['state'] === 'completed') return { job, seconds: (performance.now() - start) / 1000 };
    if (job['state'] !== 'queued' && job['state'] !== 'running')
      throw new Error(`The export as ${format} has ${readText(job, 'state')}: ${String(job['failure'])}`);
    await delay(POLL_MS);
  }
}

/** Downloads an export's file chunk by chunk. @throws Error when it is not what the export says it is */
async function downloadExport(job: Json, onChunk: (chunk: Uint8Array) => void): Promise<void> {
  const response = await fetch(readText(readObject(job, 'download'), 'url'));
  if (response.status !== 200 || response.body === null) throw new Error(`The file was answered ${response.status}.`);
  const hash = createHash('sha256');
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    onChunk(chunk);
  }
  if (hash.digest('hex') !== job['sha256']) throw new Error('The file is not the one that was hashed.');
}

/** Counts the line ends of a text, which every row has one of. */
function createLineCounter(): { count: () => number; add: (chunk: Uint8Array) => void } {
  let lines = 0;
  return {
    count: () => lines,
    add: (chunk) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    },
  };
}

/** Lines of a file beside those of its rows. */
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

/** Milliseconds of a thousandth as seconds of all. */
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
  // All are printed now: what is left is to pack them.
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

/**
 * Lists of a million invoices (or as many as the first argument says; kept for the next run) as CSV, JSON and XLSX, and
 * an archive of 3,000 printed ones of eight lines (second argument), through HTTP: rows and documents a second from
 * asking to the end, the most memory of the workers, processor seconds of each process. Every file is downloaded,
 * compared with its hash and counted. Start the stack with RATE_LIMIT_BUSINESS_PER_MINUTE=1000000.
 */
export async function benchExports({ files }: BenchInput): Promise<void> {
  const [rows = ROWS, documents = DOCUMENTS] = files.map(Number);
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
