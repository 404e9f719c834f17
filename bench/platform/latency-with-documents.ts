import { setTimeout as delay } from 'node:timers/promises';
import { Client, readObject, readText } from '../../scripts/demo/client';
import { makeDemoImages } from '../../scripts/demo/images';
import { readRunningService } from '../../scripts/demo/running-service';
import { percentile, report, roundTo } from '../report';

const REQUESTS = 400;
const PAUSE_MS = 20;
const DOCUMENTS_AT_ONCE = 8;

/** Reads a session again and again. @returns milliseconds of each request */
async function measureReads(client: Client, sessionId: string): Promise<number[]> {
  const milliseconds: number[] = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    const start = performance.now();
    await client.json('GET', `/v1/sessions/${sessionId}`);
    milliseconds.push(performance.now() - start);
    await delay(PAUSE_MS);
  }
  return milliseconds;
}

/** Keeps eight documents being processed while `work` runs. @returns its result and the number of documents read */
async function processDocuments<T>(
  client: Client,
  document: Parameters<Client['upload']>[2],
  work: () => Promise<T>,
): Promise<{ result: T; documents: number }> {
  let ended = false;
  let documents = 0;
  const uploads = Array.from({ length: DOCUMENTS_AT_ONCE }, async () => {
    while (!ended) {
      await client.upload('/v1/documents/id-verification', {}, document);
      documents += 1;
    }
  });
  try {
    return { result: await work(), documents };
  } finally {
    ended = true;
    await Promise.all(uploads);
  }
}

/** Reads of a session on the running service without other requests, and while it processes eight documents. */
export async function benchLatencyWithDocuments(): Promise<void> {
  const { api, identityApiKey } = readRunningService();
  const client = new Client(api, { authorization: `Bearer ${identityApiKey}` });
  const { passport } = await makeDemoImages();
  const sessionId = readText(readObject(await client.json('POST', '/v1/sessions', {}), 'session'), 'id');
  await client.upload('/v1/documents/id-verification', {}, { frontImage: passport });
  await measureReads(client, sessionId);
  const idle = await measureReads(client, sessionId);
  const start = performance.now();
  const { result: loaded, documents } = await processDocuments(client, { frontImage: passport }, () =>
    measureReads(client, sessionId),
  );
  const seconds = (performance.now() - start) / 1000;
  const [idleP95, loadedP95] = [percentile(idle, 0.95), percentile(loaded, 0.95)];
  report('latency-with-documents', {
    requests: REQUESTS,
    idleP50Ms: roundTo(percentile(idle, 0.5), 1),
    idleP95Ms: roundTo(idleP95, 1),
    withDocumentsP50Ms: roundTo(percentile(loaded, 0.5), 1),
    withDocumentsP95Ms: roundTo(loadedP95, 1),
    p95Ratio: roundTo(loadedP95 / idleP95, 2),
    documentsPerMinute: roundTo((documents / seconds) * 60, 1),
  });
}
