import type { Browser, Page } from 'puppeteer';
import { MINUTE_MS } from '../../domain/durations';
import { Export } from '../../models/business/exports/export';
import { createBusinessClient } from '../support/business/client';
import type { BusinessClient } from '../support/business/client';
import { choose, control, expectSuitable, retype, sendDialog } from '../support/console-page';
import { closeTestPlatform } from '../support/tenant';
import { closeAccessible, closeWithoutProblems, openBrowser, openSignedIn, openWindow, signIn } from '../support/web';
import type { WebWindow } from '../support/web';

let client: BusinessClient;
let browser: Browser;
let window: WebWindow;

beforeAll(async () => {
  [client, browser] = await Promise.all([createBusinessClient('Lampen'), openBrowser()]);
  window = await openWindow(browser);
  await openSignedIn(window, client.tenant.admin, '/console/invoices');
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

/** Text that is exactly this. */
const exactText = (page: Page, content: string) => page.locator(`::-p-xpath(//*[text()="${content}"])`);

test('an invoice is made from an empty form with live totals, issued, shown as PDF and paid', async () => {
  const { page } = window;
  await client.post('/api/customers', { name: 'Nordlicht AG' });
  await client.post('/api/products', { name: 'Desk lamp', price: 6.36, type: 'service' });
  await control(page, 'link', 'New invoice').click();
  await page.locator('::-p-xpath(//h1[text()="New invoice"])').wait();
  await choose(page, 'Customer', 'Nordlicht');
  await choose(page, 'Product', 'Desk lamp');
  await retype(page, 'Quantity', '15');
  await exactText(page, '€95.40').wait();
  await control(page, 'button', 'Save draft').click();
  await control(page, 'button', 'Issue').click();
  await sendDialog(page).click();
  await page.locator('canvas[data-page="1"]').wait();
  await control(page, 'button', 'Register payment').click();
  await sendDialog(page).click();
  await exactText(page, 'Paid').wait();
  expect(new URL(page.url()).pathname).toBe('/console/invoices/1');
  const [invoice] = (await client.get('/api/invoices')).body['data'] as object[];
  expect(invoice).toMatchObject({ status: 'paid', open: 0, total: 95.4 });
});

test('an electronic invoice that is refused says which rules the invoice violates', async () => {
  const other = await openWindow(browser, { expectedStatuses: [401, 409] });
  await openSignedIn(other, client.tenant.admin, '/console/invoices/1');
  await control(other.page, 'button', 'Download').click();
  await control(other.page, 'menuitem', 'E-invoice (UBL)').click();
  await other.page.locator('::-p-xpath(//*[@role="alert"]//li[contains(., "BR-08")])').wait();
  await closeAccessible(other);
});

test('an export shows its progress and its file can be downloaded', async () => {
  const { page } = window;
  await window.open('/console/invoices?status=paid');
  await control(page, 'button', 'Export').click();
  await control(page, 'menuitem', 'CSV').click();
  await control(page, 'button', 'Download').wait();
  await exactText(page, '1 of 1 rows').wait();
  const [row] = (await client.get('/api/exports')).body['data'] as object[];
  expect(row).toMatchObject({ resource: 'invoices', filters: { status: 'paid' }, state: 'completed' });
});

test('an export in progress shows how far it is, and is cancelled', async () => {
  const { page } = window;
  // As the export of the test before was when it had written a part of its rows.
  const progress = { state: 'running', rowsDone: 400, rowsTotal: 1000, completedAt: null };
  await Export.updateOne({ organisationId: client.tenant.organisationId }, { $set: progress });
  await window.open('/console/exports');
  await exactText(page, '400 of 1,000 rows').wait();
  await page.locator('[role=progressbar][aria-valuenow="40"]').wait();
  await control(page, 'button', 'Cancel').click();
  // Not the choice of the same name in the closed list of states.
  await page.locator('main tbody ::-p-text(Cancelled)').wait();
  const [row] = (await client.get('/api/exports')).body['data'] as object[];
  expect(row).toMatchObject({ state: 'cancelled' });
});

test('an export takes the filters of its list along', async () => {
  const { page } = window;
  const lists = [
    [
      '/receivables?state=overdue&search=Nordlicht',
      { resource: 'receivables', filters: { state: 'overdue', search: 'Nordlicht' } },
    ],
    [
      '/receivables?tab=payments&search=Nordlicht',
      { resource: 'receivable-payments', filters: { search: 'Nordlicht' } },
    ],
    ['/stock?warehouseId=1', { resource: 'stock', filters: { warehouseId: 1 } }],
    ['/stock?asOf=2026-01-31', { resource: 'stock-valuation', filters: { asOf: '2026-01-31' } }],
    [
      '/stock?tab=ledger&productId=1&dateFrom=2026-01-01',
      { resource: 'stock-ledger', filters: { productId: 1, dateFrom: '2026-01-01' } },
    ],
    ['/leads?status=new', { resource: 'leads', filters: { status: 'new' } }],
  ] as const;
  for (const [path, expected] of lists) {
    await window.open(`/console${path}`);
    await control(page, 'button', 'Export').click();
    await control(page, 'menuitem', 'CSV').click();
    await page.waitForFunction("location.pathname === '/console/exports'");
    const [row] = (await client.get('/api/exports')).body['data'] as object[];
    expect(row).toMatchObject(expected);
  }
});

test('an opportunity is moved to another stage with the keyboard', async () => {
  const { page } = window;
  await client.post('/api/crm/opportunities', { name: 'Fit out the office', amount: 12_500 });
  await window.open('/console/opportunities');
  const announced = (words: string) => page.locator(`::-p-xpath(//*[@aria-live][contains(., "${words}")])`).wait();
  await page.locator('[data-rfd-drag-handle-draggable-id]').wait();
  await page.focus('[data-rfd-drag-handle-draggable-id]');
  await page.keyboard.press('Space');
  await announced('lifted');
  await page.keyboard.press('ArrowRight');
  await announced('over Qualified');
  await page.keyboard.press('Space');
  await page.locator('[data-rfd-droppable-id=qualified] [data-rfd-draggable-id]').wait();
  const [moved] = (await client.get('/api/crm/opportunities')).body['data'] as object[];
  expect(moved).toMatchObject({ stage: 'qualified' });
});

test('goods are ordered and received into stock', async () => {
  const { page } = window;
  await client.post('/api/vendors', { name: 'Sueddraht GmbH' });
  await client.post('/api/products', { name: 'Copper wire', price: 9 });
  await window.open('/console/purchase-orders/new');
  await choose(page, 'Vendor', 'Sueddraht');
  await choose(page, 'Product', 'Copper wire');
  await retype(page, 'Quantity', '10');
  await retype(page, 'Unit cost', '4.2');
  await control(page, 'button', 'Save').click();
  await control(page, 'button', 'Receive goods').click();
  await sendDialog(page).click();
  // The receipt is opened, which the bill of the vendor is made from.
  await control(page, 'link', 'Open the order').click();
  await page.locator('::-p-xpath(//span[text()="Received"])').wait();
  const [level] = (await client.get('/api/inventory/stock')).body['data'] as object[];
  expect(level).toMatchObject({ onHand: 10, averageCost: 4.2 });
});

/** Records of the pages that no test before has created. */
async function createFurtherRecords(): Promise<void> {
  const lines = [{ description: 'Advice', quantity: 1, unitPrice: 100 }];
  await client.post('/api/invoices', { customerId: 1, lines });
  await client.post('/api/credit-notes', { invoiceId: 2, reason: 'Complaint' });
  await client.post('/api/invoices', { customerId: 1, draft: true, lines });
  await client.post('/api/payables/payments', { vendorId: 1, amount: 10, method: 'cash' });
  const ordered = [{ productId: 1, quantity: 3, unitCost: 2 }];
  await client.post('/api/purchase-orders', { vendorId: 1, draft: true, lines: ordered });
}

test(
  'every business page suits screen readers, phones and dark mode, without an error or a request to another host',
  async () => {
    await createFurtherRecords();
    for (const path of [
      '/invoices',
      '/invoices/new',
      '/invoices/1',
      '/invoices/3/edit',
      '/customers',
      '/customers/new',
      '/customers/1',
      '/customers/1/edit',
      '/vendors',
      '/vendors/new',
      '/vendors/1',
      '/vendors/1/edit',
      '/receivables',
      '/receivables?tab=aging',
      '/receivables?tab=payments',
      '/receivables/payments/1',
      '/payables',
      '/payables/payments/new',
      '/payables/payments/1',
      '/exports',
      '/credit-notes',
      '/credit-notes/1',
      '/products',
      '/products/new',
      '/products/1',
      '/stock',
      '/stock/adjust',
      '/stock/transfer',
      '/purchase-orders',
      '/purchase-orders/new',
      '/purchase-orders/1',
      '/purchase-orders/2/edit',
      '/bills/new',
      '/bills/1',
      '/opportunities',
      '/leads',
      '/company',
      '/company?tab=taxes',
      '/company?tab=numbering',
      '/company?tab=lock',
      '/invariants',
    ])
      await expectSuitable(window, `/console${path}`);
    expect(window.problems).toEqual([]);
    // Each page takes seconds.
  },
  30 * MINUTE_MS,
);

test('a user without the permission sees neither the action nor the page', async () => {
  const other = await openWindow(browser);
  await openSignedIn(other, await client.tenant.createUserWithRole('viewer'), '/console/invoices/new');
  await other.page.locator('[role=alert]').wait();
  await other.open('/console/invoices/1');
  await control(other.page, 'button', 'Download').wait();
  expect(await other.readText('main')).not.toMatch(/Credit note|Register payment/);
  await closeWithoutProblems(other);
});

test('a session that has ended leads to the sign-in page at the same address', async () => {
  const other = await openWindow(browser);
  await other.open('/console/invoices?status=paid');
  const account = await client.tenant.createUserWithRole('sales');
  await signIn(other, account);
  const { body } = await client.get('/api/invoices?status=paid');
  const [{ number = '' } = {}] = body['data'] as { number?: string }[];
  await control(other.page, 'link', number).wait();
  await other.context.deleteCookie(...(await other.context.cookies()));
  await control(other.page, 'link', 'Customers').click();
  await other.page.locator('input[type=password]').wait();
  await signIn(other, account);
  await control(other.page, 'link', 'Nordlicht AG').wait();
  await closeWithoutProblems(other);
});
