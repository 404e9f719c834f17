import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PERMISSIONS } from '../domain/business/access/permissions';
import { loadConfig } from '../lib/config';
import { Client, part, text } from '../scripts/demo/client';
import { runningService, serviceEnvironment } from '../scripts/demo/running-service';
import type { Json } from '../scripts/demo/client';
import { issueApiKey } from '../services/platform/access/api-keys';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import type { Platform } from '../services/platform/platform';
import { keptInvoices, madeInvoices } from './kept-invoices';
import { load, memoryMeter, processorMeter } from './processor-time';
import { report, rounded } from './report';
import type { BenchInput } from './report';
import { readArchive } from './zip-archive';

const ROWS = 1_000_000;
const DOCUMENTS = 3000;
/** Of each document. */
const LINES = 8;
/** Seldom enough that asking takes nothing from what is measured. */
const POLL_MS = 250;
const ROLES = ['worker', 'api', 'mongod', 's3', 'temporal'];

type Figures = Record<string, number | string>;

/** Asks for an export and waits for its end. @returns the export and the seconds that took */
async function takeOut(client: Client, format: string): Promise<{ made: Json; seconds: number }> {
  const start = performance.now();
  const asked = part(await client.json('POST', '/api/exports', { resource: 'invoices', format }), 'data');
  for (;;) {
    const made = part(await client.json('GET', `/api/exports/${text(asked, 'id')}`), 'data');
    if (made['state'] === 'completed') return { made, seconds: (performance.now() - start) / 1000 };
    if (made['state'] !== 'queued' && made['state'] !== 'running')
      throw new Error(`The export as ${format} has ${text(made, 'state')}: ${String(made['failure'])}`);
    await delay(POLL_MS);
  }
}

/** Downloads an export's file chunk by chunk. @throws Error when it is not what the export says it is */
async function download(made: Json, onChunk: (chunk: Uint8Array) => void): Promise<void> {
  const answer = await fetch(text(part(made, 'download'), 'url'));
  if (answer.status !== 200 || answer.body === null) throw new Error(`The file was answered ${answer.status}.`);
  const hash = createHash('sha256');
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    onChunk(chunk);
  }
  if (hash.digest('hex') !== made['sha256']) throw new Error('The file is not the one that was hashed.');
}

/** Counts the line ends of a text, which every row has one of. */
function lineCounter(): { count: () => number; add: (chunk: Uint8Array) => void } {
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

async function listFigures(client: Client, format: string, rows: number): Promise<Figures> {
  const [memory, processor] = [memoryMeter(), processorMeter(ROLES)];
  const { made, seconds } = await takeOut(client, format);
  const [held, used] = [memory(), processor(1000)];
  const lines = lineCounter();
  const start = performance.now();
  await download(made, lines.add);
  const found = OTHER_LINES[format] === undefined ? Number(made['rowsDone']) : lines.count() - OTHER_LINES[format];
  if (found !== rows) throw new Error(`The file has ${found} rows instead of ${rows}.`);
  return {
    seconds: rounded(seconds, 1),
    rowsPerSecond: rounded(rows / seconds, 0),
    megabytes: rounded(Number(made['sizeBytes']) / 1e6, 1),
    parts: Number(made['parts']),
    downloadSeconds: rounded((performance.now() - start) / 1000, 1),
    ...(held === null ? {} : { workerBeforeMb: held.before, workerPeakMb: held.peak }),
    ...inSeconds(used),
    load: load(),
  };
}

/** Milliseconds of a thousandth as seconds of all. */
const inSeconds = (used: Record<string, number>): Figures =>
  Object.fromEntries(Object.entries(used).map(([name, value]) => [name.replace(/Ms$/, 'Seconds'), value]));

async function archiveFigures(client: Client, documents: number): Promise<Figures> {
  const [memory, processor] = [memoryMeter(), processorMeter(ROLES)];
  const { made, seconds } = await takeOut(client, 'zip-pdf');
  const [held, used] = [memory(), processor(1000)];
  const chunks: Uint8Array[] = [];
  await download(made, (chunk) => chunks.push(chunk));
  const found = await readArchive(Buffer.concat(chunks));
  if (found !== documents) throw new Error(`The archive has ${found} documents instead of ${documents}.`);
  // All are printed now: what is left is to pack them.
  const again = await takeOut(client, 'zip-pdf');
  return {
    documents,
    seconds: rounded(seconds, 1),
    pdfsPerSecond: rounded(documents / seconds, 1),
    packedPerSecond: rounded(documents / again.seconds, 1),
    megabytes: rounded(Number(made['sizeBytes']) / 1e6, 1),
    ...(held === null ? {} : { workerBeforeMb: held.before, workerPeakMb: held.peak }),
    ...inSeconds(used),
    load: load(),
  };
}

async function clientOf(platform: Platform, organisationId: string): Promise<Client> {
  const key = { name: 'Bench', permissions: [...PERMISSIONS] };
  const { secret } = await issueApiKey(platform, { organisationId, mode: 'live' }, 'business', key);
  return new Client(runningService().api, { 'x-api-key': secret });
}

/**
 * Lists of a million invoices (or as many as the first argument says; kept for the next run) as CSV, JSON and XLSX, and
 * an archive of 3,000 printed ones of eight lines (second argument), through HTTP: rows and documents a second from
 * asking to the end, the most memory of the workers, processor seconds of each process. Every file is downloaded,
 * compared with its hash and counted. Start the stack with RATE_LIMIT_BUSINESS_PER_MINUTE=1000000.
 */
export async function benchExports({ files }: BenchInput): Promise<void> {
  const [rows = ROWS, documents = DOCUMENTS] = files.map(Number);
  const config = { ...loadConfig(serviceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'bench', watch: false });
  const figures: Figures = { rows };
  const add = (name: string, own: Figures): void => {
    for (const [key, value] of Object.entries(own)) figures[`${name}_${key}`] = value;
    console.error(name, JSON.stringify(own));
  };
  try {
    const lists = await clientOf(platform, await keptInvoices(platform, rows));
    for (const format of ['csv', 'json', 'xlsx']) add(format, await listFigures(lists, format, rows));
    const printed = await madeInvoices(platform, documents, `bench-pdf-${Date.now()}`, LINES);
    add('zip-pdf', await archiveFigures(await clientOf(platform, printed), documents));
    report('exports', figures);
  } finally {
    await closePlatform(platform);
  }
}
