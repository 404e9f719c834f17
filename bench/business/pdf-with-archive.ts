import { setTimeout as delay } from 'node:timers/promises';
import { PERMISSIONS } from '../../domain/business/access/permissions';
import { loadConfig } from '../../lib/config';
import { Client, readObject, readText } from '../../scripts/demo/client';
import { getServiceEnvironment, readRunningService } from '../../scripts/demo/running-service';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';
import { readLoadAverage } from '../process-meters';
import { percentile, report, roundTo } from '../report';
import { generateInvoices } from './seed/invoice-organisations';

const DOCUMENTS = 6000;
const LINES = 8;
const DOWNLOADS = 80;
const WARM_UP = 5;
const POLL_MS = 250;
/** Time between two downloads, as between two users. */
const PAUSE_MS = 100;

interface Access {
  secret: string;
  client: Client;
}

async function createAccess(platform: Platform, organisationId: string): Promise<Access> {
  const key = { name: 'Bench', permissions: [...PERMISSIONS] };
  const { secret } = await issueApiKey(platform, { organisationId, mode: 'live' }, 'business', key);
  return { secret, client: new Client(readRunningService().api, { 'x-api-key': secret }) };
}

/** Downloads documents that no one has requested before, one after another. @returns milliseconds of each */
async function downloadEach({ secret }: Access, ids: readonly number[]): Promise<number[]> {
  const { api } = readRunningService();
  const milliseconds: number[] = [];
  for (const id of ids) {
    const begun = performance.now();
    const response = await fetch(`${api}/api/invoices/${id}/pdf`, { headers: { 'x-api-key': secret } });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`The PDF of invoice ${id} returned ${response.status}.`);
    milliseconds.push(performance.now() - begun);
    await delay(PAUSE_MS);
  }
  return milliseconds;
}

interface ArchiveState {
  state: string;
  done: number;
}

async function readArchive({ client }: Access, id: string): Promise<ArchiveState> {
  const job = readObject(await client.json('GET', `/api/exports/${id}`), 'data');
  return { state: readText(job, 'state'), done: Number(job['rowsDone']) };
}

/** Starts an archive of all invoices and waits until it renders. */
async function startArchive(access: Access): Promise<string> {
  const body = { resource: 'invoices', format: 'zip-pdf' };
  const id = readText(readObject(await access.client.json('POST', '/api/exports', body), 'data'), 'id');
  for (;;) {
    const { state, done } = await readArchive(access, id);
    if (state === 'running' && done > 0) return id;
    if (state !== 'queued' && state !== 'running') throw new Error(`The archive is ${state} before the measurement.`);
    await delay(POLL_MS);
  }
}

const listIds = (first: number, count: number): number[] => Array.from({ length: count }, (_, index) => first + index);

/**
 * Downloads single PDFs that are rendered on request, on an idle service and while an archive of thousands of documents of
 * another company is made.
 */
export async function benchPdfWithArchive(documents = DOCUMENTS): Promise<void> {
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'bench', watch: false });
  try {
    const prepare = async (name: string, count: number): Promise<Access> =>
      createAccess(platform, await generateInvoices(platform, count, `bench-${name}-${Date.now()}`, LINES));
    const bulk = await prepare('archive', documents);
    const single = await prepare('single', WARM_UP + 2 * DOWNLOADS);
    await downloadEach(single, listIds(1, WARM_UP));
    const idle = await downloadEach(single, listIds(1 + WARM_UP, DOWNLOADS));
    const exportId = await startArchive(bulk);
    const [before, begun] = [await readArchive(bulk, exportId), performance.now()];
    const loaded = await downloadEach(single, listIds(1 + WARM_UP + DOWNLOADS, DOWNLOADS));
    const seconds = (performance.now() - begun) / 1000;
    const after = await readArchive(bulk, exportId);
    if (after.state !== 'running') throw new Error(`The archive ended too early: measure with more than ${documents}.`);
    await bulk.client.json('POST', `/api/exports/${exportId}/cancel`);
    const [idleP95, loadedP95] = [percentile(idle, 0.95), percentile(loaded, 0.95)];
    report('pdf-with-archive', {
      documents,
      downloads: DOWNLOADS,
      idleP50Ms: roundTo(percentile(idle, 0.5), 1),
      idleP95Ms: roundTo(idleP95, 1),
      withArchiveP50Ms: roundTo(percentile(loaded, 0.5), 1),
      withArchiveP95Ms: roundTo(loadedP95, 1),
      withArchiveMaxMs: roundTo(Math.max(...loaded), 1),
      p95Ratio: roundTo(loadedP95 / idleP95, 2),
      archivedPerSecond: roundTo((after.done - before.done) / seconds, 1),
      load: readLoadAverage(),
    });
  } finally {
    await closePlatform(platform);
  }
}
