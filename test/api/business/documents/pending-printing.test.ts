import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { PdfRenderer } from '../../../../activities/rendering/documents';
import { createPendingRenderingActivities } from '../../../../activities/rendering/pending';
import type { RenderedPending } from '../../../../activities/rendering/pending';
import { createInsertFeed } from '../../../../lib/change-feed';
import { Rendition } from '../../../../models/business/documents/rendition';
import type { Platform } from '../../../../services/platform/platform';
import { buildPendingRendition } from '../../../support/business/pending-rendition';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

/** Longer than the other document takes on a busy machine. */
const MAX_DOCUMENT_MS = 15_000;

let platform: Platform;
let client: BusinessClient;

beforeAll(async () => {
  platform = await getTestPlatform();
  client = await createBusinessClient('Pending');
});
afterAll(closeTestPlatform);

/** Issues an invoice whose PDF is requested. */
async function requestPdf(customerId: number, productId: number): Promise<{ renditionId: string; number: string }> {
  const issued = await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1 }] });
  const rendition = await buildPendingRendition(client.tenant.organisationId, getCreatedId(issued));
  await Rendition.create(rendition);
  return { renditionId: rendition._id, number: String(getData(issued)['number']) };
}

/** Prints without a browser. */
const printer: PdfRenderer = {
  renderPdf: (_html, { contentId }) => Promise.resolve(Buffer.from(`printed ${contentId}`)),
};

test('a document that is requested shortly after another one is printed by the same activity', async () => {
  const { organisationId } = client.tenant;
  const [customerId, productId] = [await addCustomer(client), await addService(client)];
  const first = await requestPdf(customerId, productId);
  const requests = createInsertFeed(Rendition.collection.name, 'organisationId', platform.logger);
  const options = { pages: 1, stopping: new AbortController().signal, requests };
  const { renderPending } = createPendingRenderingActivities(platform, printer, options);
  let second: { renditionId: string } | undefined;
  const waitFor = requests.waitFor.bind(requests);
  // The activity waits when its first document is stored.
  jest.spyOn(requests, 'waitFor').mockImplementation(async (...wait) => {
    const waiting = waitFor(...wait);
    second ??= await requestPdf(customerId, productId);
    return waiting;
  });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const rendered = (await environment.run(() => renderPending({ organisationId }))) as RenderedPending;
  await requests.close();

  expect(rendered).toEqual({ stored: 2, separated: [], isUnfinished: false });
  for (const { renditionId } of [first, second ?? first])
    expect(await Rendition.findById(renditionId).lean()).toMatchObject({ status: 'stored' });
});

test('a document whose printing hangs gets a workflow of its own, which stores it; the others do not wait for it', async () => {
  const { organisationId } = client.tenant;
  const [customerId, productId] = [await addCustomer(client), await addService(client)];
  const hanging = await requestPdf(customerId, productId);
  const other = await requestPdf(customerId, productId);
  const renderer: PdfRenderer = {
    renderPdf: (html, { contentId }) =>
      html.includes(hanging.number)
        ? new Promise(() => undefined)
        : Promise.resolve(Buffer.from(`printed ${contentId}`)),
  };
  const { changes: requests } = platform;
  const options = { pages: 1, stopping: new AbortController().signal, requests, maxDocumentMs: MAX_DOCUMENT_MS };
  const { renderPending } = createPendingRenderingActivities(platform, renderer, options);
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const rendered = (await environment.run(() => renderPending({ organisationId }))) as RenderedPending;

  expect(rendered).toEqual({ stored: 1, separated: [hanging.renditionId], isUnfinished: false });
  expect(await Rendition.findById(other.renditionId).lean()).toMatchObject({ status: 'stored' });
  const { documentId } = await Rendition.findById(hanging.renditionId).orFail().lean();
  // The worker of the stack prints it.
  const { status, bytes } = await client.get(`/api/invoices/${documentId}/pdf`);
  expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
  expect(await Rendition.findById(hanging.renditionId).lean()).toMatchObject({
    status: 'stored',
    hasOwnWorkflow: true,
  });
});
