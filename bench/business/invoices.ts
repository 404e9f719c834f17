import { Client, readObject, readText } from '../../scripts/demo/client';
import type { Json } from '../../scripts/demo/client';
import { readRunningService } from '../../scripts/demo/running-service';
import { WebhookReceiver } from '../../scripts/demo/webhook-receiver';
import { readLoadAverage, startProcessorMeter } from '../process-meters';
import { percentile, report, roundTo } from '../report';

/** Enough for the JIT compiler to have optimised the API, as in a service that has run for a while. */
const WARM_UP = 1000;
const SEQUENTIAL_INVOICES = 150;
const AT_ONCE = [4, 16, 64] as const;
const CONCURRENT_INVOICES = 600;

/** Signs in and creates two stocked products, a service and a customer. */
export async function prepareClient(api: string, admin: { email: string; password: string }) {
  const anonymous = new Client(api, {});
  const token = readText(readObject(await anonymous.json('POST', '/api/auth/login', admin), 'data'), 'token');
  const client = new Client(api, { authorization: `Bearer ${token}` });
  const createResource = async (path: string, body: Json): Promise<number> =>
    Number(readObject(await client.json('POST', path, body), 'data')['id']);
  const stocked = { price: 10, initialStock: { quantity: 1_000_000, unitCost: 3.21 } };
  const first = await createResource('/api/products', { name: 'Benchmark goods A', ...stocked });
  const second = await createResource('/api/products', { name: 'Benchmark goods B', ...stocked });
  const service = await createResource('/api/products', { name: 'Benchmark service', type: 'service', price: 25 });
  const customerId = await createResource('/api/customers', { name: 'Benchmark customer' });
  const lines = [
    { productId: first, quantity: 2, unitPrice: 9.99 },
    { productId: second, quantity: 1, unitPrice: 19.5 },
    { productId: service, quantity: 1.5, unitPrice: 80 },
  ];
  return { client, body: { customerId, paymentTerms: 'NET30', currencyCode: 'EUR', lines } };
}

/**
 * Issues `count` invoices, `atOnce` concurrently.
 * @param awaitEffects waits for what the invoices have caused and what still uses the processors; not part of the rate
 * @returns figures with names prefixed by `name`
 */
async function measureIssuing(
  client: Client,
  body: Json,
  count: number,
  atOnce: number,
  name: string,
  awaitEffects: () => Promise<void> = () => Promise.resolve(),
) {
  const milliseconds: number[] = [];
  let remaining = count;
  const processor = startProcessorMeter(['api', 'mongod', 'worker', 'temporal']);
  const ownBefore = process.cpuUsage();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (remaining > 0) {
        remaining -= 1;
        const begun = performance.now();
        await client.json('POST', '/api/invoices', body);
        milliseconds.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  await awaitEffects();
  const { user, system } = process.cpuUsage(ownBefore);
  const own = Object.entries({
    P50Ms: roundTo(percentile(milliseconds, 0.5), 1),
    P95Ms: roundTo(percentile(milliseconds, 0.95), 1),
    PerSecond: roundTo(count / seconds, 1),
    ...processor(count),
    // The client, and the receiver of webhooks.
    benchmarkCpuMs: roundTo((user + system) / 1000 / count, 2),
    load: readLoadAverage(),
  });
  return Object.fromEntries(own.map(([key, value]) => [`${name}_${key}`, value]));
}

const WEBHOOK_AT_ONCE = 16;
/** Measurements with and without a webhook, in turn, since the speed of the machine varies. */
const WEBHOOK_ROUNDS = 5;

/** Registers a webhook for every event, with a receiver that answers at once. */
async function addWebhook(
  api: string,
  apiKey: string,
  port: number,
): Promise<{ receiver: WebhookReceiver; remove: () => Promise<void> }> {
  const receiver = await WebhookReceiver.listen(port);
  const client = new Client(api, { 'x-api-key': apiKey });
  const { webhook } = await client.json('POST', '/v1/webhooks', { url: receiver.url, events: ['*'] });
  const remove = async (): Promise<void> => {
    await client.json('DELETE', `/v1/webhooks/${readText(readObject({ webhook }, 'webhook'), 'id')}`);
    await receiver.close();
  };
  return { receiver, remove };
}

const POLL_MS = 20;
const MAX_DELIVERY_MS = 60_000;

/** @throws Error if fewer requests have arrived within a minute */
async function awaitDeliveries(receiver: WebhookReceiver, count: number): Promise<void> {
  const deadline = performance.now() + MAX_DELIVERY_MS;
  while (receiver.count < count) {
    if (performance.now() > deadline) throw new Error(`Only ${receiver.count} of ${count} events have been delivered.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const BURST = 200;

/** Sends many creations at the same moment. @returns how many were rejected */
async function countRejectedOfBurst(client: Client, body: Json): Promise<number> {
  const created = await Promise.allSettled(
    Array.from({ length: BURST }, () => client.json('POST', '/api/invoices', body)),
  );
  return created.filter(({ status }) => status === 'rejected').length;
}

/** The median of each figure. */
function takeMedians(rounds: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [
      name,
      percentile(
        rounds.map((round) => round[name] ?? 0),
        0.5,
      ),
    ]),
  );
}

/**
 * Issues invoices with a webhook and without one, in turn. The processor time of those with a webhook includes all
 * deliveries. @returns medians, and the ratio of the rates
 */
async function measureWebhook(client: Client, body: Json): Promise<Record<string, number>> {
  const { api, identityApiKey, demoReceiverPort } = readRunningService();
  const count = CONCURRENT_INVOICES;
  const rounds: Record<string, number>[] = [];
  let rejected = 0;
  for (let round = 0; round < WEBHOOK_ROUNDS; round += 1) {
    const without = await measureIssuing(client, body, count, WEBHOOK_AT_ONCE, 'noWebhook16');
    const { receiver, remove } = await addWebhook(api, identityApiKey, demoReceiverPort);
    try {
      const awaitAll = () => awaitDeliveries(receiver, count);
      const figures = await measureIssuing(client, body, count, WEBHOOK_AT_ONCE, 'webhook16', awaitAll);
      const delays = receiver.listDelays();
      const deliveryP50Ms = percentile(delays, 0.5);
      const deliveryP95Ms = percentile(delays, 0.95);
      rounds.push({
        ...without,
        ...figures,
        webhook16_DeliveryP50Ms: deliveryP50Ms,
        webhook16_DeliveryP95Ms: deliveryP95Ms,
      });
      rejected += await countRejectedOfBurst(client, body);
      await awaitDeliveries(receiver, count + BURST);
    } finally {
      await remove();
    }
  }
  const medians = takeMedians(rounds);
  const ratios = rounds.map((round) => (round['webhook16_PerSecond'] ?? 0) / (round['noWebhook16_PerSecond'] ?? 1));
  const webhookRatio = roundTo(percentile(ratios, 0.5), 2);
  return { ...medians, webhookRatio, [`webhook${BURST}_Rejected`]: rejected };
}

/**
 * Issues invoices of three lines, two of them stocked products, over HTTP: one at a time, then several at once, and with a
 * webhook in turn with the same number at once without. At the default rate limit of 100 requests a minute it would measure the limit.
 */
export async function benchInvoices(): Promise<void> {
  const { api, admin } = readRunningService();
  const { client, body } = await prepareClient(api, admin);
  await measureIssuing(client, body, WARM_UP, 4, 'warm');
  const figures = await measureIssuing(client, body, SEQUENTIAL_INVOICES, 1, 'alone');
  for (const atOnce of AT_ONCE)
    Object.assign(figures, await measureIssuing(client, body, CONCURRENT_INVOICES, atOnce, `atOnce${atOnce}`));
  Object.assign(figures, await measureWebhook(client, body));
  report('invoices', {
    invoices: WARM_UP + SEQUENTIAL_INVOICES + CONCURRENT_INVOICES * (AT_ONCE.length + 2 * WEBHOOK_ROUNDS),
    ...figures,
  });
}
