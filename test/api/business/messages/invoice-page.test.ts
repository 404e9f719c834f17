import sharp from 'sharp';
import { getApiUrl } from '../../../support/client';
import {
  addCustomer,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { readQrPixels } from '../../../support/business/printed-pdf';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { InvoiceLink } from '../../../../models/business/messages/invoice-link';

let client: BusinessClient;
let invoiceId: number;
let customerId: number;

/** The path of a link, which has the PUBLIC_URL of the stack. */
const pathOf = (url: string): string => new URL(url).pathname;

const open = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${getApiUrl()}${path}`, { headers });

async function createLink(id = invoiceId, body: object = {}): Promise<{ id: string; path: string }> {
  const response = await client.post(`/api/invoices/${id}/links`, body);
  expect(response.status).toBe(201);
  const { id: linkId, url } = getData(response);
  return { id: String(linkId), path: pathOf(String(url)) };
}

beforeAll(async () => {
  client = await createBusinessClient('Seite <script>alert(1)</script>');
  await client.put('/api/config/company', {
    iban: 'DE89370400440532013000',
    taxId: 'DE123456789',
    address: { line1: 'Weg 1', city: 'Berlin', postalCode: '10115', country: 'DE' },
  });
  customerId = await addCustomer(client, { name: 'Käufer <b>AG</b>', language: 'de' });
  const lines = [{ productId: await addService(client, { name: '"><img src=x>' }), quantity: 2, unitPrice: 50 }];
  invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
});
afterAll(closeTestPlatform);

describe('GET /invoice/:token', () => {
  test('shows the invoice and how to pay what is open, without a sign-in, only to the holder of the link', async () => {
    const total = Number(getData(await client.get(`/api/invoices/${invoiceId}`))['grandTotal']);
    await client.post('/api/receivables/payments', {
      customerId,
      amount: 30,
      allocations: [{ documentId: invoiceId, amount: 30 }],
    });
    const { path } = await createLink();
    const response = await open(path);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[\w+/=]+'; img-src data:;/);
    expect(policy).not.toContain('script-src');
    const page = await response.text();
    expect(page).toContain(/nonce-([\w+/=]+)/.exec(policy)?.[1] ?? 'missing');
    expect(page).not.toMatch(/<script|<b>|<img src=x/);
    expect(page).toContain('DE89 3704 0044 0532 0130 00');
    expect(page).toContain(`${new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2 }).format(total - 30)}`);

    const code = /<svg class="qr".*?<\/svg>/.exec(page)?.[0].replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
    const image = sharp(Buffer.from(code ?? ''))
      .resize(400)
      .flatten({ background: 'white' })
      .extend({
        ...{ top: 40, bottom: 40, left: 40, right: 40 },
        background: 'white',
      });
    const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const text = await readQrPixels(new Uint8ClampedArray(data), info.width, info.height);
    expect(text).toContain(`EUR${(total - 30).toFixed(2)}`);
    expect(text).toContain('DE89370400440532013000');
  });

  test('offers the files as issued', async () => {
    const { id, path } = await createLink();
    const response = await open(`${path}/pdf`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(response.headers.get('content-disposition')).toContain('attachment');
    const own = await client.get(`/api/invoices/${invoiceId}/pdf`);
    expect(Buffer.from(await response.arrayBuffer()).equals(own.bytes)).toBe(true);
    expect((await open(`${path}/docx`)).status).toBe(404);
    const [link] = getRows(await client.get(`/api/invoices/${invoiceId}/links`)).filter((row) => row['id'] === id);
    expect(link).toMatchObject({ revokedAt: null, firstOpenedAt: expect.any(String) as string });
  });

  test('is closed by revoking the link (link_revoked), by its expiry, and to a token that was changed', async () => {
    const { id, path } = await createLink(invoiceId, { expiresInDays: 1 });
    // Not the last character: some of its bits are not part of the token.
    const forged = path.replace(/.(?=.$)/, (character) => (character === 'A' ? 'B' : 'A'));
    expect((await open(forged)).status).toBe(404);
    const other = await createLink();
    expect((await open(path.replace(/lnk_[^.]+/, other.id))).status).toBe(404);

    await getTestPlatform();
    await InvoiceLink.updateOne({ _id: other.id }, { $set: { expiresAt: new Date() } });
    const expired = await open(other.path, { 'accept-language': 'fr' });
    expect([expired.status, await expired.text()]).toEqual([410, expect.stringContaining('Ce lien a expiré')]);

    expect((await open(path)).status).toBe(200);
    const revoked = getData(await client.delete(`/api/invoices/${invoiceId}/links/${id}`));
    expect(revoked).toMatchObject({ id, revokedAt: expect.any(String) as string });
    // `link_revoked`: the page says so in words.
    const closed = await open(path);
    expect([closed.status, closed.headers.get('x-robots-tag')]).toEqual([410, 'noindex, nofollow, noarchive']);
    expect((await open(`${path}/pdf`)).status).toBe(410);
  });

  test('a draft has no page', async () => {
    const lines = [{ productId: await addService(client), quantity: 1 }];
    const draft = getCreatedId(await client.post('/api/invoices', { customerId, draft: true, lines }));
    const response = await client.post(`/api/invoices/${draft}/links`, {});
    expect([response.status, response.body['code']]).toEqual([409, 'invoice_not_issued']);
  });
});
