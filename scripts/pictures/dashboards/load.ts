import { setTimeout as delay } from 'node:timers/promises';
import { Load } from '../../../bench/load/load';
import { RetryingClient, signIn } from '../../../bench/load/retrying-client';
import { MINUTE_MS, SECOND_MS } from '../../../domain/durations';
import { makeDemoImages } from '../../demo/images';
import type { RunningService } from '../../demo/running-service';
import { WebhookReceiver } from '../../demo/webhook-receiver';
import type { ProcessScrape } from './engine';

/** As in the documented settings of Prometheus. */
export const SCRAPE_INTERVAL_MS = 15 * SECOND_MS;
/** Seconds between two operations: a load under which no queue grows on two cores. */
const INTERVALS = { session: 8, sale: 2, export: 45 };
const INITIAL_STOCK = 100_000;
const EVENTS = ['session.completed', 'session.declined', 'invoice.issued'];

/** Scrapes every process of the service once. @throws Error if a process does not return its metrics */
async function scrapeOnce(run: RunningService, token: string, atMs: number): Promise<ProcessScrape[]> {
  return Promise.all(
    Object.entries(run.processes ?? {}).map(async ([instance, url]) => {
      const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
      if (!response.ok) throw new Error(`${url}/metrics returned status ${response.status}.`);
      return { atMs, labels: { job: 'vouch', instance }, text: await response.text() };
    }),
  );
}

/**
 * Sends sessions, invoices, payments and exports to the running service, and scrapes its processes meanwhile. `whileLoaded`
 * is called after half of the time.
 * @throws Error if an operation of the load failed
 */
export async function scrapeUnderLoad(
  run: RunningService,
  { minutes, token }: { minutes: number; token: string },
  whileLoaded: () => Promise<void>,
): Promise<ProcessScrape[]> {
  const getApi = (): string => run.api;
  const identity = new RetryingClient({ api: getApi, signIn: () => ({ key: run.identityApiKey }) });
  const business = new RetryingClient({ api: getApi, signIn: () => signIn(run.api, run.admin) });
  const receiver = await WebhookReceiver.listen(run.demoReceiverPort);
  const json = { url: receiver.url, events: EVENTS };
  const { body } = await identity.expect([201], 'POST', '/v1/webhooks', { json });
  const { id } = body['webhook'] as { id: string };
  const images = await makeDemoImages();
  const load = await Load.prepare({ identity, business, images, intervals: INTERVALS, initialStock: INITIAL_STOCK });
  load.start();
  const scrapes: ProcessScrape[] = [];
  const rounds = Math.round((minutes * MINUTE_MS) / SCRAPE_INTERVAL_MS);
  const startedAt = performance.now();
  for (let round = 0; round <= rounds; round += 1) {
    await delay(Math.max(0, startedAt + round * SCRAPE_INTERVAL_MS - performance.now()));
    scrapes.push(...(await scrapeOnce(run, token, round * SCRAPE_INTERVAL_MS)));
    if (round === Math.floor(rounds / 2)) await whileLoaded();
  }
  await load.stop();
  await identity.expect([200, 204], 'DELETE', `/v1/webhooks/${id}`);
  await receiver.close();
  if (load.errors.length > 0) throw new AggregateError(load.errors, 'Operations of the load failed.');
  return scrapes;
}
