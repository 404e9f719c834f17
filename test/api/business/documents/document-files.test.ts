import { createHash } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import { Rendition } from '../../../../models/business/documents/rendition';
import { newId } from '../../../../lib/ids';
import { Outbox } from '../../../../models/platform/transactions/outbox';
import { workflowIds } from '../../../../workflows/contracts';
import { pollUntilFound } from '../../../support/poll';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { readPageTexts } from '../../../support/business/printed-pdf';
import { ALL_BUSINESS_PERMISSIONS, closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';

interface Issued {
  id: number;
  number: string;
}

let tenant: Tenant;
let key: string;
let customerId: number;
let productId: number;

const createRecord = async (path: string, json: object): Promise<Record<string, unknown>> => {
  const response = await call('POST', path, { key, json });
  expect([response.status, response.body['message']]).toEqual([201, response.body['message']]);
  return response.body['data'] as Record<string, unknown>;
};

async function issueInvoice(lines = 2): Promise<Issued> {
  const invoice = await createRecord('/api/invoices', {
    customerId,
    lines: Array.from({ length: lines }, (_, index) => ({ productId, quantity: index + 1, unitPrice: 12.5 })),
    notes: 'Gràcies — <b>Ευχαριστώ</b>',
  });
  return { id: Number(invoice['id']), number: String(invoice['number']) };
}

const download = (id: number | string, headers: Record<string, string> = {}, query = ''): Promise<ApiResponse> =>
  call('GET', `/api/invoices/${id}/pdf${query}`, { key, headers });

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const findRenditions = async (documentId: number) => {
  await getTestPlatform();
  return Rendition.find({ organisationId: tenant.organisationId, documentKind: 'invoice', documentId }).lean();
};

beforeAll(async () => {
  tenant = await createTenant('Printer & Sons');
  key = await tenant.createBusinessKey(ALL_BUSINESS_PERMISSIONS);
  customerId = Number((await createRecord('/api/customers', { name: 'Käufer <GmbH>' }))['id']);
  productId = Number(
    (await createRecord('/api/products', { code: 'S-1', name: 'Service', type: 'service', price: 10 }))['id'],
  );
});

afterAll(closeTestPlatform);

describe('GET /api/invoices/:id/pdf', () => {
  test('returns a PDF with the number as file name and its hash as ETag, always with the same bytes', async () => {
    const invoice = await issueInvoice();
    const first = await download(invoice.id);
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('application/pdf');
    expect(first.headers.get('content-disposition')).toContain(`filename="${invoice.number}.pdf"`);
    expect(first.headers.get('etag')).toBe(`"${sha256(first.bytes)}"`);
    const pdf = await PDFDocument.load(first.bytes, { updateMetadata: false });
    expect(pdf.getPageCount()).toBe(1);
    expect(pdf.getTitle()).toContain(invoice.number);
    const second = await download(invoice.id);
    expect(second.bytes.equals(first.bytes)).toBe(true);
  });

  test('responds with 304 to a client that has the file', async () => {
    const { id } = await issueInvoice();
    const etag = (await download(id)).headers.get('etag') ?? '';
    const again = await download(id, { 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect(again.bytes).toHaveLength(0);
  });

  test('renders once for concurrent requests', async () => {
    const { id } = await issueInvoice();
    const responses = await Promise.all(Array.from({ length: 12 }, () => download(id)));
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
    expect(new Set(responses.map((response) => sha256(response.bytes))).size).toBe(1);
    expect(await findRenditions(id)).toHaveLength(1);
    const { temporal } = await getTestPlatform();
    const workflowId = workflowIds.documentRenditions(tenant.organisationId);
    // The file is answered before the run has ended, and another run may begin for the last of the requests.
    const { runId } = await temporal.workflow.getHandle(workflowId).describe();
    const handle = temporal.workflow.getHandle(workflowId, runId);
    await handle.result();
    expect((await handle.describe()).status.name).toBe('COMPLETED');
  });

  test('stores the object under the organisation, with content hash and file hash in the key', async () => {
    const { id } = await issueInvoice();
    const { bytes } = await download(id);
    const [rendition] = await findRenditions(id);
    expect(rendition).toMatchObject({
      status: 'stored',
      sha256: sha256(bytes),
      sizeBytes: bytes.length,
      generation: 1,
    });
    expect(rendition?.objectKey).toBe(
      `${tenant.organisationId}/invoice-pdf/${rendition?.contentHash}/${sha256(bytes)}.pdf`,
    );
  });

  test('prints a long invoice over several pages', async () => {
    const { id } = await issueInvoice(120);
    const pdf = await PDFDocument.load((await download(id)).bytes);
    expect(pdf.getPageCount()).toBeGreaterThan(2);
  });

  test('responds with 202 at once if the client prefers it, and with the document to a later request', async () => {
    const { id } = await issueInvoice();
    const accepted = await download(id, { prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({ ok: true, data: { status: 'rendering' } });
    expect(Number(accepted.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await download(id)).status).toBe(200);
    expect((await download(id, { prefer: 'respond-async' })).status).toBe(200);
  });

  test('responds with 503 and Retry-After when the wait of the client is over', async () => {
    const { id } = await issueInvoice(200);
    const hasty = await download(id, { prefer: 'wait=0' });
    expect(hasty.status).toBe(503);
    expect(hasty.body).toMatchObject({ ok: false, code: 'pdf_not_ready' });
    expect(Number(hasty.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await download(id)).status).toBe(200);
  });

  test.each(['removed', 'altered'])(
    'renders a document whose object was %s again, with the same bytes',
    async (what) => {
      const { id } = await issueInvoice();
      const before = await download(id);
      const { objects } = await getTestPlatform();
      const objectKey = (await findRenditions(id))[0]?.objectKey ?? '';
      if (what === 'removed') await objects.remove(objectKey);
      else await objects.put(objectKey, Buffer.from('%PDF-1.4 another'), 'application/pdf');
      const after = await download(id);
      expect(after.status).toBe(200);
      expect(after.bytes.equals(before.bytes)).toBe(true);
      expect((await findRenditions(id))[0]).toMatchObject({ status: 'stored', generation: 2 });
    },
  );

  test('a document that cannot be rendered goes on in a workflow of its own and holds up no other', async () => {
    const [bad, good] = [await issueInvoice(), await issueInvoice()];
    const { temporal } = await getTestPlatform();
    // Its content is not the one that was requested.
    const contentHash = 'another';
    const requestedAt = new Date();
    const { organisationId } = tenant;
    const document = {
      organisationId,
      documentKind: 'invoice',
      documentId: bad.id,
      format: 'pdf',
      contentHash,
    } as const;
    await Rendition.create({ _id: newId('ren'), ...document, generation: 1, status: 'pending', requestedAt });
    expect((await download(good.id)).status).toBe(200);
    const own = workflowIds.documentRendition(organisationId, bad.id, 'pdf', contentHash);
    await pollUntilFound(async () =>
      (await Outbox.exists({ workflowId: own, doneAt: { $ne: null } })) ? true : undefined,
    );
    await expect(temporal.workflow.getHandle(own).result()).rejects.toThrow();
    const failed = { status: 'failed', failure: 'not_found', hasOwnWorkflow: true };
    expect(await findRenditions(bad.id)).toMatchObject([failed]);
    expect((await download(bad.id)).status).toBe(200);
  });

  test('renders again after an earlier attempt failed', async () => {
    const { id } = await issueInvoice();
    const first = await download(id);
    // The state after four failed attempts: nothing stored, the workflow ended.
    await Rendition.updateOne(
      { organisationId: tenant.organisationId, documentId: id },
      {
        $set: { status: 'failed', failure: 'rendering_failed', objectKey: null, sha256: null },
        $inc: { generation: 1 },
      },
    );
    expect((await download(id)).bytes.equals(first.bytes)).toBe(true);
  });

  test('has a second, stamped file for a void invoice', async () => {
    const { id } = await issueInvoice();
    const issued = await download(id);
    const response = await call('POST', `/api/invoices/${id}/void`, { key, json: { reason: 'a mistake' } });
    expect(response.status).toBe(200);
    const voidedOn = String((response.body['data'] as Record<string, unknown>)['voidedOn']);
    const stamped = await download(id);
    expect(stamped.status).toBe(200);
    expect((await readPageTexts(stamped.bytes)).join()).toContain(
      `Voided on ${new Date(voidedOn).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })}`,
    );
    expect((await readPageTexts(issued.bytes)).join()).not.toContain('Voided');
    expect((await download(id)).bytes.equals(stamped.bytes)).toBe(true);
    expect((await findRenditions(id)).map(({ format, status }) => [format, status])).toEqual([
      ['pdf', 'stored'],
      ['pdf_void', 'stored'],
    ]);
  });

  test.each([
    ['an unknown format', '?format=docx', /format: accepts pdf, facturx, ubl/],
    ['an unknown parameter', '?pages=1', /pages: is not a known field/],
  ])('refuses %s and says what it accepts', async (_, query, message) => {
    const { id } = await issueInvoice();
    const response = await download(id, {}, query);
    expect(response.status).toBe(400);
    expect((response.body['errors'] as string[]).join()).toMatch(message);
  });

  test.each(['999999', 'abc', '0', '-1', '1.5', '0x1', '01', '1e0', '%201'])(
    'responds with 404 for the invoice id %s',
    async (id) => {
      expect((await download(id)).status).toBe(404);
    },
  );

  test('is the same 404 for another organisation’s invoice', async () => {
    const { id } = await issueInvoice();
    const stranger = await createTenant('Stranger');
    const foreign = await stranger.createBusinessKey(ALL_BUSINESS_PERMISSIONS);
    expect((await call('GET', `/api/invoices/${id}/pdf`, { key: foreign })).status).toBe(404);
  });

  test('needs a credential, and the permission to read invoices', async () => {
    const { id } = await issueInvoice();
    expect((await call('GET', `/api/invoices/${id}/pdf`)).status).toBe(401);
    const limited = await tenant.createBusinessKey(['customers:read']);
    expect((await call('GET', `/api/invoices/${id}/pdf`, { key: limited })).status).toBe(403);
  });
});
