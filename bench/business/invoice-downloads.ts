import { Client, readObject, readText } from '../../scripts/demo/client';
import type { Json } from '../../scripts/demo/client';
import { readRunningService } from '../../scripts/demo/running-service';

/** Lines of each invoice. */
export const LINES = 8;

/** Downloads a file. @returns duration in milliseconds */
export type Download = (invoiceId: number, format: string) => Promise<number>;

/** A function that downloads one rendition with the token of a user. It throws unless the response is 200. */
export function createDownload(api: string, token: string): Download {
  const headers = { authorization: `Bearer ${token}` };
  return async (invoiceId, format) => {
    const begun = performance.now();
    const response = await fetch(`${api}/api/invoices/${invoiceId}/pdf?format=${format}`, { headers });
    const bytes = await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${response.status}: ${Buffer.from(bytes).toString('utf8')}`);
    return performance.now() - begun;
  };
}

/** Runs `work` over all values, `atOnce` concurrently. @returns the results and the total duration in seconds */
export async function mapConcurrently(
  values: readonly number[],
  atOnce: number,
  work: (value: number) => Promise<number>,
) {
  const remaining = [...values];
  const results: number[] = [];
  const start = performance.now();
  const runner = async (): Promise<void> => {
    for (let value = remaining.shift(); value !== undefined; value = remaining.shift()) results.push(await work(value));
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return { results, seconds: (performance.now() - start) / 1000 };
}

/** Issues invoices of eight lines that meet the requirements of electronic invoicing. */
export async function issueInvoices(client: Client, count: number): Promise<number[]> {
  const createResource = async (path: string, body: Json): Promise<number> =>
    Number(readObject(await client.json('POST', path, body), 'data')['id']);
  const address = { line1: '2 Market Square', city: 'Cork', postalCode: 'T12 AB34', country: 'IE' };
  const customerId = await createResource('/api/customers', { name: 'Benchmark customer', address });
  const productId = await createResource('/api/products', { name: 'Delivered goods', type: 'service', price: 49.95 });
  const lines = Array.from({ length: LINES }, (_, index) => ({ productId, quantity: index + 1, unitPrice: 49.95 }));
  const { results } = await mapConcurrently(Array.from({ length: count }, Number), 8, () =>
    createResource('/api/invoices', { customerId, lines }),
  );
  return results;
}

/** A client of the running service that is signed in as its administrator. */
export async function signIn(): Promise<{ api: string; token: string; client: Client }> {
  const { api, admin } = readRunningService();
  const token = readText(readObject(await new Client(api, {}).json('POST', '/api/auth/login', admin), 'data'), 'token');
  return { api, token, client: new Client(api, { authorization: `Bearer ${token}` }) };
}
