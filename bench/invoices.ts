import { Client, part, text } from '../scripts/demo/client';
import type { Json } from '../scripts/demo/client';
import { runningService } from '../scripts/demo/running-service';
import { load, processorMeter } from './processor-time';
import { percentile, report, rounded } from './report';

/** So many that the compiler of the API has done its work, as in a service that runs. */
const WARM_UP = 1000;
const ALONE = 150;
const AT_ONCE = [4, 16, 64] as const;
const EACH = 600;

/** Signs in and makes what an invoice needs: two goods in stock, a service and a customer. */
async function prepare(api: string, admin: { email: string; password: string }) {
  const anonymous = new Client(api, {});
  const token = text(part(await anonymous.json('POST', '/api/auth/login', admin), 'data'), 'token');
  const client = new Client(api, { authorization: `Bearer ${token}` });
  const made = async (path: string, body: Json): Promise<number> =>
    Number(part(await client.json('POST', path, body), 'data')['id']);
  const stocked = { price: 10, initialStock: { quantity: 1_000_000, unitCost: 3.21 } };
  const first = await made('/api/products', { name: 'Benchmark goods A', ...stocked });
  const second = await made('/api/products', { name: 'Benchmark goods B', ...stocked });
  const service = await made('/api/products', { name: 'Benchmark service', type: 'service', price: 25 });
  const customerId = await made('/api/customers', { name: 'Benchmark customer' });
  const lines = [
    { productId: first, quantity: 2, unitPrice: 9.99 },
    { productId: second, quantity: 1, unitPrice: 19.5 },
    { productId: service, quantity: 1.5, unitPrice: 80 },
  ];
  return { client, body: { customerId, paymentTerms: 'NET30', currencyCode: 'EUR', lines } };
}

/** Issues `count` invoices, `atOnce` in flight. @returns figures whose names begin with `name` */
async function issue(client: Client, body: Json, count: number, atOnce: number, name: string) {
  const milliseconds: number[] = [];
  let left = count;
  const processor = processorMeter(['api', 'mongod']);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1;
        const begun = performance.now();
        await client.json('POST', '/api/invoices', body);
        milliseconds.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const own = Object.entries({
    P50Ms: rounded(percentile(milliseconds, 0.5), 1),
    P95Ms: rounded(percentile(milliseconds, 0.95), 1),
    PerSecond: rounded(count / seconds, 1),
    ...processor(count),
    load: load(),
  });
  return Object.fromEntries(own.map(([key, value]) => [`${name}_${key}`, value]));
}

/**
 * Invoices of three lines, two of them goods, through HTTP on the running stack: one at a time, then several at once.
 * Start the stack with RATE_LIMIT_BUSINESS_PER_MINUTE=1000000, or the limit of 100 a minute is what is measured.
 */
export async function benchInvoices(): Promise<void> {
  const { api, admin } = runningService();
  const { client, body } = await prepare(api, admin);
  await issue(client, body, WARM_UP, 4, 'warm');
  const figures = await issue(client, body, ALONE, 1, 'alone');
  for (const atOnce of AT_ONCE) Object.assign(figures, await issue(client, body, EACH, atOnce, `atOnce${atOnce}`));
  report('invoices', { invoices: WARM_UP + ALONE + EACH * AT_ONCE.length, ...figures });
}
