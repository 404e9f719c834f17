import type { Browser, Page } from 'puppeteer';
import { createBusinessClient, getData, getRows } from '../support/business/client';
import type { BusinessClient } from '../support/business/client';
import { awaitClosedDialog, awaitOpenDialog, control, field, retype, sendDialog, text } from '../support/console-page';
import { closeTestPlatform } from '../support/tenant';
import { closeWithoutProblems, DESKTOP, openBrowser, openSignedIn, openWindow, PHONE } from '../support/web';
import type { WebWindow } from '../support/web';

let client: BusinessClient;
let browser: Browser;

beforeAll(async () => {
  [client, browser] = await Promise.all([createBusinessClient('Unterbrochen'), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

async function openAsAdmin(address: string, expectedStatuses: readonly number[] = [401]): Promise<WebWindow> {
  const window = await openWindow(browser, { expectedStatuses });
  await openSignedIn(window, client.tenant.admin, address);
  await window.page.locator('main h1').wait();
  return window;
}

/** Connections that a test ends on purpose are console errors, too. */
const withoutLostConnections = (problems: readonly string[]): string[] =>
  problems.filter((problem) => !/ERR_(INTERNET_DISCONNECTED|NETWORK_CHANGED|CONNECTION_RESET|FAILED)/.test(problem));

/** Receives goods of three products, five units of each. */
async function receiveGoods(): Promise<{ id: number; lines: { lineId: number }[] }> {
  const vendorId = getData(await client.post('/api/vendors', { name: 'Nordkabel GmbH' }))['id'];
  const lines = [];
  for (const name of ['Red cable', 'Blue cable', 'Green cable']) {
    const product = await client.post('/api/products', { name, price: 9 });
    lines.push({ productId: getData(product)['id'], quantity: 5, unitCost: 2 });
  }
  const order = getData(await client.post('/api/purchase-orders', { vendorId, lines }));
  const received = await client.post(`/api/purchase-orders/${String(order['id'])}/receive`, {});
  return getData(received)['receipt'] as { id: number; lines: { lineId: number }[] };
}

test('what is typed for a line of a return stays with its product when a colleague returns another one', async () => {
  const receipt = await receiveGoods();
  const read = getData(await client.get(`/api/payables/${receipt.id}`)) as unknown as typeof receipt & {
    lines: { productId: number }[];
  };
  const [red, , green] = read.lines;
  const window = await openAsAdmin(`/console/vendor-returns/new?receiptId=${receipt.id}`);
  const { page } = window;
  await retype(page, 'Green cable (of 5)', '2');
  const other = { receiptId: receipt.id, reason: 'Broken', lines: [{ lineId: red?.lineId, quantity: 5 }] };
  expect((await client.post('/api/vendor-returns', other)).status).toBe(201);
  const again = page.waitForResponse((response) => response.url().endsWith(`/api/payables/${receipt.id}`));
  // The receipt is read again, as when the user comes back to this window.
  // What was read in the last five seconds is not read again; the clock of the page goes on instead of the test.
  await page.evaluate('{ const now = Date.now; Date.now = () => now() + 60_000; }');
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await (await again).text();
  await field(page, 'Red cable (of 0)').wait();
  await retype(page, 'Reason', 'Wrong colour');
  await control(page, 'button', 'Post return').click();
  await page.waitForFunction('/vendor-returns\\/\\d+$/.test(location.pathname)');
  const changed = getData(await client.get(`/api/payables/${receipt.id}`)) as unknown as {
    lines: { lineId: number; returned: number }[];
  };
  const returned = changed.lines.map(({ lineId, returned: units }) => [lineId, units]);
  expect(returned).toEqual(
    expect.arrayContaining([
      [red?.lineId, 5],
      [green?.lineId, 2],
    ]),
  );
  await closeWithoutProblems(window);
});

/** Loses the responses of requests to a path after the service has executed them; returns a function that ends it. */
async function loseResponses(page: Page, pathname: string): Promise<() => Promise<void>> {
  const protocol = await page.createCDPSession();
  protocol.on('Fetch.requestPaused', ({ requestId }) => {
    void protocol.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
  });
  await protocol.send('Fetch.enable', { patterns: [{ urlPattern: `*${pathname}`, requestStage: 'Response' }] });
  return () => protocol.detach();
}

async function issueInvoice(name: string): Promise<{ id: number; customerId: unknown }> {
  const customerId = getData(await client.post('/api/customers', { name }))['id'];
  const lines = [{ description: 'Work', quantity: 1, unitPrice: 100 }];
  const { id } = getData(await client.post('/api/invoices', { customerId, lines })) as { id: number };
  return { id, customerId };
}

test('a payment whose response was lost counts once when it is sent again, and a later one of the same amount counts, too', async () => {
  const { id, customerId } = await issueInvoice('Doppelt AG');
  const window = await openAsAdmin(`/console/invoices/${id}`);
  const { page } = window;
  const listAmounts = async () => {
    const rows = getRows(await client.get(`/api/receivables/payments?customerId=${String(customerId)}`));
    return rows.map(({ amount }) => amount);
  };
  await control(page, 'button', 'Register payment').click();
  await retype(page, 'Amount in EUR', '30');
  const restore = await loseResponses(page, '/api/receivables/payments');
  await sendDialog(page).click();
  await page.locator('[role=dialog] [role=alert]').wait();
  expect(await listAmounts()).toEqual([30]);
  await restore();
  await sendDialog(page).click();
  await awaitClosedDialog(page);
  expect(await listAmounts()).toEqual([30]);
  await control(page, 'button', 'Register payment').click();
  await retype(page, 'Amount in EUR', '30');
  await sendDialog(page).click();
  await awaitClosedDialog(page);
  expect(await listAmounts()).toEqual([30, 30]);
  expect(withoutLostConnections(window.problems)).toEqual([]);
  await window.close();
});

/** The element that has the focus, once dialogs that close have returned it. */
async function readFocus(page: Page): Promise<string> {
  await page.waitForFunction('document.activeElement !== document.body');
  return String(await page.evaluate('document.activeElement.id || document.activeElement.textContent'));
}

test('the keyboard goes on in the page after an invoice was issued, paid in part, or was not saved', async () => {
  const { id: customerId } = getData(await client.post('/api/customers', { name: 'Tastatur KG' }));
  const lines = [{ description: 'Work', quantity: 1, unitPrice: 100 }];
  const draft = getData(await client.post('/api/invoices', { customerId, lines, draft: true }));
  const window = await openAsAdmin(`/console/invoices/${String(draft['id'])}`, [401, 409, 422]);
  const { page } = window;
  await control(page, 'button', 'Issue').click();
  await awaitOpenDialog(page);
  await sendDialog(page).click();
  await awaitClosedDialog(page);
  expect(await readFocus(page)).toBe('content');
  await control(page, 'button', 'Register payment').click();
  await retype(page, 'Amount in EUR', '30');
  await sendDialog(page).click();
  await awaitClosedDialog(page);
  await page.waitForFunction("document.activeElement.textContent === 'Register payment'");

  await client.post('/api/products', { name: 'Lamp', code: 'LAMP-1', price: 9 });
  await window.open('/console/products/new');
  await field(page, 'Name').fill('Another lamp');
  await field(page, 'Code').fill('LAMP-1');
  await retype(page, 'Price', '10');
  await page.focus('main form button[type=submit]');
  await page.keyboard.press('Enter');
  await page.locator('main form :is([role=alert], [aria-invalid=true])').wait();
  expect(await readFocus(page)).toBe('Save');
  await closeWithoutProblems(window);
});

test('the keyboard returns to the field from which the browser was to go back, once the user stays', async () => {
  const window = await openAsAdmin('/console/customers');
  const { page } = window;
  await control(page, 'link', 'New customer').click();
  await field(page, 'Name').fill('Bleibt GmbH');
  await (await field(page, 'Name').waitHandle()).focus();
  await page.evaluate('history.back()');
  await awaitOpenDialog(page);
  await control(page, 'button', 'Stay on the page').click();
  await awaitClosedDialog(page);
  await page.waitForFunction("document.activeElement.value === 'Bleibt GmbH'");
  await closeWithoutProblems(window);
});

test('a required field that is empty is not shown under the header', async () => {
  const window = await openAsAdmin('/console/customers/new');
  const { page } = window;
  await page.setViewport(PHONE);
  await page.evaluate("document.querySelector('main form button[type=submit]').scrollIntoView()");
  await page.locator('main form button[type=submit]').click();
  await page.waitForFunction("document.activeElement.matches('main input:invalid')");
  const top = 'Math.min(...[...document.activeElement.labels].map((label) => label.getBoundingClientRect().top))';
  await page.waitForFunction(`${top} >= document.querySelector('header').getBoundingClientRect().bottom`);
  await page.setViewport(DESKTOP);
  await closeWithoutProblems(window);
});

test('a page that cannot be read without a connection says so, and is shown once there is one', async () => {
  const window = await openAsAdmin('/console/customers');
  const { page } = window;
  await page.waitForNetworkIdle();
  await page.setOfflineMode(true);
  await page.locator('nav a[href="/console/journal"]').click();
  await text(page, 'Check your connection').wait();
  expect(await window.readText('main')).not.toContain('new version');
  await page.setOfflineMode(false);
  await control(page, 'button', 'Try again').click();
  await page.locator('::-p-xpath(//h1[.="Accounting"])').wait();
  expect(withoutLostConnections(window.problems.filter((each) => !each.startsWith('console: ')))).toEqual([]);
  await window.close();
});

test('the amount of a credit note is not computed before one of its lines has a quantity', async () => {
  const { id } = await issueInvoice('Gutschrift OHG');
  const window = await openAsAdmin(`/console/invoices/${id}`);
  const { page } = window;
  await control(page, 'button', 'Credit note').click();
  await awaitOpenDialog(page);
  await page.locator('[role=dialog] input[type=radio][value=lines]').click();
  await retype(page, 'Work (of 1)', '0.5');
  await text(page, '€60.00').wait();
  await closeWithoutProblems(window);
});
