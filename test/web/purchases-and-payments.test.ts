import type { Browser, Page } from 'puppeteer';
import { createBusinessClient, getData } from '../support/business/client';
import type { BusinessClient } from '../support/business/client';
import { awaitClosedDialog, control, expectSuitable, field, retype, text } from '../support/console-page';
import { closeTestPlatform } from '../support/tenant';
import { closeWithoutProblems, openBrowser, openSignedIn, openWindow } from '../support/web';
import type { WebWindow } from '../support/web';

let client: BusinessClient;
let browser: Browser;
let window: WebWindow;

beforeAll(async () => {
  [client, browser] = await Promise.all([createBusinessClient('Lampen'), openBrowser()]);
  window = await openWindow(browser, { expectedStatuses: [401] });
  await openSignedIn(window, client.tenant.admin, '/console/vendors');
});
afterAll(async () => {
  await closeWithoutProblems(window);
  await browser.close();
  await closeTestPlatform();
});

/** Types a day into a date field, in the format of the language of the browser. */
async function typeDate(page: Page, label: string, day: string): Promise<void> {
  const [year, month, date] = day.split('-');
  const input = await field(page, label).waitHandle();
  await input.focus();
  await page.keyboard.type(`${month}${date}${year}`);
}

test('goods are received in part, billed at another price with the difference, and credited by the vendor', async () => {
  const { page } = window;
  const [vendor, product] = await Promise.all([
    client.post('/api/vendors', { name: 'Sueddraht GmbH' }),
    client.post('/api/products', { name: 'Copper wire', price: 9 }),
  ]);
  const [vendorId, productId] = [getData(vendor)['id'], getData(product)['id']];
  const lines = [{ productId, quantity: 10, unitCost: 4 }];
  const order = getData(await client.post('/api/purchase-orders', { vendorId, lines }));
  await window.open(`/console/purchase-orders/${String(order['id'])}`);
  await control(page, 'button', 'Receive goods').click();
  await retype(page, 'Copper wire (of 10)', '4');
  await page.locator('[role=dialog] button[type=submit]').click();
  await control(page, 'button', 'Record a bill').click();
  await field(page, 'Number of the vendor').fill('R-118');
  await typeDate(page, 'Date', String(order['orderDate']));
  await typeDate(page, 'Date of supply', '2026-01-15');
  await page.locator('input[type=checkbox]:checked').wait();
  // The line of the receipt has replaced the empty one.
  await page
    .locator('::-p-xpath(//input[@id = //label[starts-with(normalize-space(.), "Unit cost")]/@for][@value="4"])')
    .wait();
  await retype(page, 'Unit cost', '4.5');
  await control(page, 'button', 'Record').click();
  await text(page, 'Difference of price').wait();
  await text(page, '€2.00').wait();
  const received = getData(await client.get(`/api/purchase-orders/${String(order['id'])}`));
  expect(received).toMatchObject({ status: 'partially_received', lines: [{ received: 4 }] });
  const billPath = new URL(page.url()).pathname.replace('/console/bills', '/api/payables');
  expect(getData(await client.get(billPath))).toMatchObject({ number: 'R-118', supplyDate: '2026-01-15' });
  await control(page, 'button', 'Record a credit note').click();
  await field(page, 'Number of the vendor').fill('G-7');
  await typeDate(page, 'Date', String(order['orderDate']));
  await retype(page, 'Quantity', '1');
  await control(page, 'button', 'Record').click();
  await text(page, 'Credit note of the vendor').wait();
  const [bill] = (await client.get('/api/payables?search=R-118')).body['data'] as object[];
  expect(bill).toMatchObject({ amount: 21.6, credited: 5.4, open: 16.2 });
});

test('the expected date of a placed order is changed, and replacements of returned goods are received', async () => {
  const { page } = window;
  const [vendor, product] = await Promise.all([
    client.post('/api/vendors', { name: 'Glaswerk AG' }),
    client.post('/api/products', { name: 'Lamp glass', price: 9 }),
  ]);
  const lines = [{ productId: getData(product)['id'], quantity: 3, unitCost: 4 }];
  const created = await client.post('/api/purchase-orders', { vendorId: getData(vendor)['id'], lines });
  const path = `/api/purchase-orders/${String(getData(created)['id'])}`;
  await window.open(path.replace('/api', '/console'));
  await control(page, 'button', 'Change the expected date').click();
  await typeDate(page, 'Expected', '2099-12-01');
  await page.locator('[role=dialog] button[type=submit]').click();
  await awaitClosedDialog(page);
  expect(getData(await client.get(path))).toMatchObject({ status: 'ordered', expectedDate: '2099-12-01' });

  const { receipt } = getData(await client.post(`${path}/receive`, {})) as { receipt: { id: number } };
  await window.open(path.replace('/api', '/console'));
  await control(page, 'link', 'Glaswerk AG').wait();
  expect(await page.$('::-p-aria([name="Receive goods"][role="button"])')).toBeNull();
  const returned = { receiptId: receipt.id, reason: 'Broken', lines: [{ lineId: 1, quantity: 2 }] };
  expect((await client.post('/api/vendor-returns', returned)).status).toBe(201);
  await window.open(path.replace('/api', '/console'));
  await control(page, 'button', 'Receive goods').click();
  await text(page, 'What was returned to the vendor can be received again.').wait();
  await retype(page, 'Lamp glass (of 2)', '1');
  await page.locator('[role=dialog] button[type=submit]').click();
  await control(page, 'button', 'Record a bill').wait();
  expect(getData(await client.get(path))).toMatchObject({
    status: 'received',
    lines: [{ received: 4, returned: 2 }],
  });
});

test('a payment settles chosen invoices; its rest is applied, refunded and an allocation reversed', async () => {
  const { page } = window;
  const customerId = getData(await client.post('/api/customers', { name: 'Zahlmeister AG' }))['id'];
  const issue = async (unitPrice: number) =>
    getData(
      await client.post('/api/invoices', { customerId, lines: [{ description: 'Work', quantity: 1, unitPrice }] }),
    );
  const [first, second] = [await issue(100), await issue(50)];
  await window.open(`/console/customers/${String(customerId)}`);
  await control(page, 'button', 'Register payment').click();
  await field(page, 'Amount').fill('150');
  await page.locator('input[type=radio][value=chosen]').click();
  await page.locator(`input[aria-label="${String(second['number'])} in EUR"]`).fill('60');
  await text(page, '€90.00').wait();
  await control(page, 'button', 'Register').click();
  await control(page, 'button', 'Apply credit').click();
  await field(page, 'Document').click();
  await page.locator(`::-p-xpath(//*[@role="option"][contains(., "${String(first['number'])}")])`).click();
  await retype(page, 'Amount in EUR', '40');
  await page.locator('[role=dialog] button[type=submit]').click();
  await text(page, '€50.00').wait();
  await awaitClosedDialog(page);
  await control(page, 'button', 'Refund').click();
  await page.locator('[role=dialog] button[type=submit]').click();
  await text(page, 'The refund was posted.').wait();
  await awaitClosedDialog(page);
  // The refund is listed at its payment, and leads back to it.
  const path = await page.evaluate('location.pathname');
  await page.locator('::-p-xpath(//h2[.="Refunds"]/following::table[1]//a)').click();
  await text(page, 'Refund of').wait();
  await page.locator(`main a[href="${String(path)}"]`).click();
  await text(page, 'Refunds').wait();
  const opened = async () => {
    const { body } = await client.get(`/api/receivables?customerId=${String(customerId)}&state=open`);
    return (body['data'] as { open: number }[]).map(({ open }) => open);
  };
  expect(await opened()).toEqual([80]);
  await control(page, 'button', 'Reverse').click();
  await page.locator('[role=dialog] textarea').fill('Applied to the wrong invoice');
  await page.locator('[role=dialog] button[type=submit]').click();
  // The refund had left no credit; what the allocation had used is available again.
  await control(page, 'button', 'Apply credit').wait();
  expect((await opened()).toSorted((one, other) => one - other)).toEqual([60, 80]);
});

/** Confirms the dialog that asks for a reason. */
async function confirmWithReason(page: Page, reason: string): Promise<void> {
  await page.locator('[role=dialog] textarea').fill(reason);
  await page.locator('[role=dialog] button[type=submit]').click();
  await awaitClosedDialog(page);
}

test('a bill that was recorded wrongly is voided with a reason, and its goods receipt waits for a bill again', async () => {
  const { page } = window;
  const create = async (path: string, body: object) => getData(await client.post(path, body));
  const { id: vendorId } = await create('/api/vendors', { name: 'Falschmann GmbH' });
  const { id: productId } = await create('/api/products', { name: 'Wrong wire', price: 9 });
  const lines = [{ productId, quantity: 10, unitCost: 4 }];
  const order = await create('/api/purchase-orders', { vendorId, lines });
  const { receipt } = await create(`/api/purchase-orders/${String(order['id'])}/receive`, {});
  const { id: receiptId } = receipt as { id: number };
  const { id: billId } = await create('/api/payables', {
    vendorId,
    number: 'R-911',
    date: order['orderDate'],
    receiptIds: [receiptId],
    lines,
  });
  await window.open(`/console/bills/${String(billId)}`);
  await control(page, 'button', 'Void').click();
  await confirmWithReason(page, 'Another number');
  await page.locator('::-p-xpath(//*[@role="alert"][contains(., ": Another number")])').wait();
  // A void bill is neither paid, credited nor voided.
  for (const action of ['Void', 'Register payment', 'Record a credit note'])
    expect(await page.$(`::-p-xpath(//main//button[normalize-space(.)="${action}"])`)).toBeNull();
  expect(getData(await client.get(`/api/payables/${String(billId)}`))).toMatchObject({
    status: 'void',
    voidReason: 'Another number',
  });
  await window.open(`/console/bills/${String(receiptId)}`);
  await control(page, 'button', 'Record a bill').wait();
});

test('an invoice and a bill show what settled them, where a write-off is voided and an allocation reversed; a credit note shows what it settled', async () => {
  const { page } = window;
  await client.put('/api/config/company', { writeOffLimit: 5 });
  const create = async (path: string, body: object) => getData(await client.post(path, body));
  const { id: customerId } = await create('/api/customers', { name: 'Teilzahler KG' });
  const lines = [{ description: 'Work', quantity: 1, unitPrice: 100 }];
  const invoice = await create('/api/invoices', { customerId, lines });
  const documentId = invoice['id'];
  const payment = { customerId, amount: 85, allocations: [{ documentId, amount: 85 }] };
  const { id: paymentId } = await create('/api/receivables/payments', payment);
  const note = await create('/api/credit-notes', {
    invoiceId: documentId,
    reason: 'Shorter',
    lines: [{ invoiceLineId: 1, amount: 26 }],
  });
  await create('/api/receivables/write-offs', { documentId, reason: 'Charges of the bank' });
  const readOpen = async () => getData(await client.get(`/api/invoices/${String(documentId)}`))['open'];
  // 120.00 less 85.00, 31.20 and 3.80.
  expect(await readOpen()).toBe(0);

  await expectSuitable(window, `/console/invoices/${String(documentId)}`);
  await text(page, 'Settled by').wait();
  // Oldest first.
  await page
    .locator(`::-p-xpath(//tbody/tr[contains(., "Payment")]/following-sibling::tr//a[.="${String(note['number'])}"])`)
    .wait();
  await control(page, 'link', `Payment ${String(paymentId)}`).wait();
  await text(page, 'Write-off: Charges of the bank').wait();
  await control(page, 'button', 'Void').click();
  await confirmWithReason(page, 'Paid after all');
  await text(page, 'Voided on').wait();
  expect(await readOpen()).toBe(3.8);
  await page.locator(`::-p-xpath(//tr[contains(., "Payment ${String(paymentId)}")]//button[.="Reverse"])`).click();
  await confirmWithReason(page, 'Another invoice');
  await text(page, 'Reversed on').wait();
  expect(await readOpen()).toBe(88.8);
  await control(page, 'link', String(note['number'])).click();
  await text(page, 'Settled documents').wait();
  await page.locator(`::-p-xpath(//tr[contains(., "Applied")]//a[.="${String(invoice['number'])}"])`).wait();

  const { id: vendorId } = await create('/api/vendors', { name: 'Papier OHG' });
  const bought = (unitCost: number) => ({
    vendorId,
    date: String(invoice['issueDate']),
    lines: [{ description: 'Paper', quantity: 1, unitCost }],
  });
  const bill = await create('/api/payables', { ...bought(10), number: 'P-1' });
  const credit = { ...bought(8), number: 'P-2', payableId: bill['id'] };
  const { id: creditId } = await create('/api/payables/credit-notes', credit);
  await create('/api/payables/write-offs', { documentId: bill['id'], reason: 'Waived' });
  await expectSuitable(window, `/console/bills/${String(bill['id'])}`);
  await text(page, 'Write-off: Waived').wait();
  await control(page, 'link', 'P-2').click();
  await page.waitForFunction(`location.pathname === '/console/bills/${String(creditId)}'`);
  await text(page, 'Settled documents').wait();
  await control(page, 'link', 'P-1').wait();
});

test('a small rest of a payment is written off on its page, and the write-off voided', async () => {
  const { page } = window;
  await client.put('/api/config/company', { writeOffLimit: 5 });
  const customerId = getData(await client.post('/api/customers', { name: 'Rundet auf GmbH' }))['id'];
  const payment = { customerId, amount: 0.04, allocations: [] };
  const id = String(getData(await client.post('/api/receivables/payments', payment))['id']);
  const readRest = async () => getData(await client.get(`/api/receivables/payments/${id}`))['unapplied'];
  await window.open(`/console/receivables/payments/${id}`);
  await control(page, 'button', 'Write off').click();
  await confirmWithReason(page, 'Cents');
  await text(page, 'Write-off: Cents').wait();
  expect(await readRest()).toBe(0);
  await expectSuitable(window, `/console/receivables/payments/${id}`);
  await page.locator('::-p-xpath(//tr[contains(., "Write-off: Cents")]//button[.="Void"])').click();
  await confirmWithReason(page, 'Applied to an invoice');
  await control(page, 'button', 'Apply credit').wait();
  expect(await readRest()).toBe(0.04);
});

test('the page of a payment lists every document that it settled, also more than a page of the API contains', async () => {
  const { page } = window;
  const customerId = getData(await client.post('/api/customers', { name: 'Sammelzahler AG' }))['id'];
  const rows = Array.from({ length: 100 }, () => ({
    customerId,
    lines: [{ description: 'Work', quantity: 1, unitPrice: 1 }],
  }));
  expect((await client.post('/api/invoices/batch', { rows })).status).toBe(200);
  const last = getData(await client.post('/api/invoices', rows[0]))['number'];
  const { id } = getData(await client.post('/api/receivables/payments', { customerId, amount: 1000 }));
  let requests = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) requests += 1;
  });
  await window.open(`/console/receivables/payments/${String(id)}`);
  await control(page, 'link', String(last)).wait();
  // A user may send a hundred in a minute.
  expect(requests).toBeLessThan(20);
  expect(await page.$$('main tbody tr')).toHaveLength(101);
});
