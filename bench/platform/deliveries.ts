import { Client, readObject, readText } from '../../scripts/demo/client';
import { readRunningService } from '../../scripts/demo/running-service';
import { WebhookReceiver } from '../../scripts/demo/webhook-receiver';
import { prepareClient } from '../business/invoices';
import { readLoadAverage, startProcessorMeter } from '../process-meters';
import { report, roundTo } from '../report';

/** Events before the measurement that the webhook has missed. */
const EVENTS = 2000;
const AT_ONCE = 16;
/** Events of the past hour are recovered: those of this run, and of earlier ones. */
const RECOVERED_MS = 60 * 60 * 1000;
const POLL_MS = 50;

/** Issues invoices, each of which emits an event that no webhook receives yet. */
async function emitEvents(api: string, admin: { email: string; password: string }): Promise<void> {
  const { client, body } = await prepareClient(api, admin);
  let remaining = EVENTS;
  const issue = async (): Promise<void> => {
    for (; remaining > 0; remaining -= 1) await client.json('POST', '/api/invoices', body);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, issue));
}

/** Waits until nothing has arrived for a second. @returns number of requests, and seconds until the last one */
async function countDeliveries(receiver: WebhookReceiver): Promise<{ count: number; seconds: number }> {
  const start = performance.now();
  let last = { count: 0, at: start };
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (receiver.count > last.count) last = { count: receiver.count, at: performance.now() };
    else if (last.count > 0 && performance.now() - last.at > 1000)
      return { count: last.count, seconds: (last.at - start) / 1000 };
  }
}

/** Delivers a backlog of events to one receiver that answers at once. */
export async function benchDeliveries(): Promise<void> {
  const { api, admin, identityApiKey, demoReceiverPort } = readRunningService();
  const client = new Client(api, { 'x-api-key': identityApiKey });
  await emitEvents(api, admin);
  const receiver = await WebhookReceiver.listen(demoReceiverPort);
  const { webhook } = await client.json('POST', '/v1/webhooks', { url: receiver.url, events: ['*'] });
  const id = readText(readObject({ webhook }, 'webhook'), 'id');
  try {
    const processor = startProcessorMeter(['api', 'worker', 'temporal', 'mongod']);
    await client.json('POST', `/v1/webhooks/${id}/recover`, {
      since: new Date(Date.now() - RECOVERED_MS).toISOString(),
    });
    const { count, seconds } = await countDeliveries(receiver);
    report('deliveries', {
      deliveries: count,
      perSecond: roundTo(count / seconds, 1),
      ...processor(count),
      load: readLoadAverage(),
    });
  } finally {
    await client.json('DELETE', `/v1/webhooks/${id}`);
    await receiver.close();
  }
}
