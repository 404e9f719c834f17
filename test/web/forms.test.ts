import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'puppeteer';
import { createBusinessClient, getData, getRows } from '../support/business/client';
import type { BusinessClient } from '../support/business/client';
import {
  awaitClosedDialog,
  awaitOpenDialog,
  choose,
  control,
  field,
  pick,
  retype,
  sendDialog,
  text,
} from '../support/console-page';
import { closeTestPlatform } from '../support/tenant';
import { closeAccessible, openBrowser, openSignedIn, openWindow, signIn } from '../support/web';
import type { WebWindow } from '../support/web';
import { registerWebhook } from '../support/webhooks';

let client: BusinessClient;
let browser: Browser;

beforeAll(async () => {
  [client, browser] = await Promise.all([createBusinessClient('Formular'), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

async function openAsAdmin(
  address: string,
  language: 'en' | 'de' = 'en',
  expectedStatuses: readonly number[] = [401],
): Promise<WebWindow> {
  const window = await openWindow(browser, { expectedStatuses });
  await window.page.evaluateOnNewDocument(`localStorage.setItem('vouch-console-language', '${language}')`);
  await openSignedIn(window, client.tenant.admin, address);
  await window.page.locator('main h1').wait();
  return window;
}

test('a bill that was not recorded is not left unasked, and is kept when the session ends', async () => {
  const { name } = getData(await client.post('/api/vendors', { name: 'Kupferwerk AG' }));
  const window = await openAsAdmin('/console/bills/new');
  const { page } = window;
  await choose(page, 'Vendor', String(name));
  await field(page, 'Number of the vendor').fill('R-7');
  await (await field(page, 'Date').waitHandle()).focus();
  await page.keyboard.type('11022026');
  await field(page, 'Description').fill('Rent of the warehouse');
  await retype(page, 'Unit cost', '250');
  await page.locator('nav a[href="/console/vendors"]').click();
  await text(page, 'What you have typed on this page has not been saved.').wait();
  await control(page, 'button', 'Stay on the page').click();
  await awaitClosedDialog(page);
  await window.context.deleteCookie(...(await window.context.cookies()));
  await control(page, 'button', 'Record').click();
  await text(page, 'what you have typed is kept').wait();
  await signIn(window, client.tenant.admin);
  await control(page, 'button', 'Record').click();
  await page.locator('::-p-xpath(//h1[text()="R-7"])').wait();
  // What was recorded can be left.
  await page.locator('nav a[href="/console/vendors"]').click();
  await page.waitForFunction("location.pathname === '/console/vendors'");
  await closeAccessible(window);
});

test('a dialog that was closed can be left, and what is typed in an open one is kept when the session ends', async () => {
  const window = await openAsAdmin('/console/leads');
  const { page } = window;
  await control(page, 'button', 'New lead').click();
  await awaitOpenDialog(page);
  await field(page, 'Name').fill('Lea Sommer');
  await page.keyboard.press('Escape');
  await awaitClosedDialog(page);
  await page.locator('nav a[href="/console/vendors"]').click();
  await page.waitForFunction("location.pathname === '/console/vendors'");
  await window.open('/console/leads');
  await control(page, 'button', 'New lead').click();
  await awaitOpenDialog(page);
  await field(page, 'Name').fill('Lea Winter');
  await window.context.deleteCookie(...(await window.context.cookies()));
  await sendDialog(page).click();
  await text(page, 'what you have typed is kept').wait();
  await signIn(window, client.tenant.admin);
  await sendDialog(page).click();
  await page.locator('::-p-xpath(//td[contains(., "Lea Winter")])').wait();
  await closeAccessible(window);
});

/** Ends the sign-in, sends the open dialog, signs in again, and sends what was kept. */
async function sendAfterSignInEnded(window: WebWindow): Promise<void> {
  await window.context.deleteCookie(...(await window.context.cookies()));
  await sendDialog(window.page).click();
  await text(window.page, 'what you have typed is kept').wait();
  await signIn(window, client.tenant.admin);
  // Why it could not be sent before is not shown any more.
  await window.page.waitForSelector('[role=dialog] [role=alert]', { hidden: true });
  await sendDialog(window.page).click();
}

test('what is typed for a new key, user or recovery of events is kept when the session ends', async () => {
  const { webhook } = await registerWebhook(client.tenant.identityKey, 'https://receiver.example/hook', [
    'webhook.test',
  ]);
  const window = await openAsAdmin('/console/keys');
  const { page } = window;
  await control(page, 'button', 'New key').click();
  await awaitOpenDialog(page);
  await field(page, 'Name').fill('Checkout server');
  await page.locator('[role=dialog] input[aria-haspopup=listbox]').fill('sessions:read');
  await page.locator('[role=option]').click();
  await page.keyboard.press('Tab');
  await page.waitForSelector('[role=option]', { hidden: true });
  await sendAfterSignInEnded(window);
  await page.locator('[data-testid=secret]').wait();

  await window.open('/console/users');
  await control(page, 'button', 'New user').click();
  await awaitOpenDialog(page);
  await field(page, 'Name').fill('Nora Feld');
  await field(page, 'Email address').fill(`nora-${client.tenant.organisationId.toLowerCase()}@example.com`);
  await pick(page, 'Role in business', 'Sales');
  await sendAfterSignInEnded(window);
  await page.locator('[data-testid=secret]').wait();

  await window.open(`/console/webhooks/${webhook.id}`);
  await control(page, 'button', 'Recover missed events').click();
  await awaitOpenDialog(page);
  await page.focus('[role=dialog] input[type=datetime-local]');
  await page.keyboard.type('11022026');
  await page.keyboard.press('Tab');
  await page.keyboard.type('0900AM');
  await sendAfterSignInEnded(window);
  await awaitClosedDialog(page);
  await closeAccessible(window);
});

test('a file that is never rendered is not awaited without end, and the page says what can be done', async () => {
  const customer = getData(await client.post('/api/customers', { name: 'Druckerei AG' }));
  const window = await openAsAdmin('/console/customers');
  const { page } = window;
  // The page asks again at once instead of after two seconds.
  await page.evaluateOnNewDocument(`{
    const { setTimeout } = window;
    window.setTimeout = (run, ms, ...values) => setTimeout(run, ms === 2000 ? 0 : ms, ...values);
  }`);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isStatement = new URL(request.url()).pathname.endsWith('/statement/file');
    const body = JSON.stringify({ data: { status: 'rendering' }, message: 'The file is being rendered.' });
    void (isStatement ? request.respond({ status: 202, contentType: 'application/json', body }) : request.continue());
  });
  await window.open(`/console/customers/${String(customer['id'])}`);
  await control(page, 'button', 'Statement').click();
  await control(page, 'menuitem', 'PDF').click();
  await text(page, 'The file is not ready yet. Try again in a few minutes').wait();
  await control(page, 'button', 'Statement').wait();
  await closeAccessible(window);
});

test('a line of a purchase order whose product is changed has no text, cost and tax rate of the product before', async () => {
  const [vendor, before] = await Promise.all([
    client.post('/api/vendors', { name: 'Lampenbau AG' }),
    client.post('/api/products', { name: 'Floor lamp', price: 90 }),
    client.post('/api/products', { name: 'Desk lamp', price: 40 }),
  ]);
  const lines = [{ productId: getData(before)['id'], quantity: 3, unitCost: 60 }];
  const order = getData(
    await client.post('/api/purchase-orders', { vendorId: getData(vendor)['id'], draft: true, lines }),
  );
  const window = await openAsAdmin(`/console/purchase-orders/${String(order['id'])}/edit`);
  const { page } = window;
  await page.locator('::-p-xpath(//input[starts-with(@value, "Floor lamp (")])').wait();
  await choose(page, 'Product', 'Desk lamp');
  await retype(page, 'Unit cost', '25');
  await control(page, 'button', 'Save').click();
  await page.locator('main td::-p-text(Desk lamp)').wait();
  const changed = getData(await client.get(`/api/purchase-orders/${String(order['id'])}`));
  expect(changed).toMatchObject({ lines: [{ description: 'Desk lamp', quantity: 3, unitCost: 25 }] });
  await closeAccessible(window);
});

test('a payment and a credit can settle any of many open invoices, the oldest due first', async () => {
  const customer = getData(await client.post('/api/customers', { name: 'Vielkauf GmbH' }));
  const customerId = customer['id'];
  const numbers: string[] = [];
  for (let count = 0; count < 22; count += 1) {
    const lines = [{ description: 'Work', quantity: 1, unitPrice: 10 }];
    numbers.push(String(getData(await client.post('/api/invoices', { customerId, lines }))['number']));
  }
  const window = await openAsAdmin(`/console/receivables/payments/new?partyId=${String(customerId)}`);
  const { page } = window;
  await field(page, 'Amount').fill('20');
  await page.locator('input[type=radio][value=chosen]').click();
  await page.locator(`input[aria-label="${numbers.at(-1)} in EUR"]`).fill('12');
  await page.locator(`input[aria-label="${numbers[0]} in EUR"]`).wait();
  await text(page, '€8.00').wait();
  await control(page, 'button', 'Register').click();
  await control(page, 'button', 'Apply credit').click();
  await pick(page, 'Document', String(numbers[0]));
  await sendDialog(page).click();
  await text(page, 'The credit was applied.').wait();
  await awaitClosedDialog(page);
  await closeAccessible(window);
});

test('numbers are written in fields as on the rest of the page', async () => {
  const product = getData(await client.post('/api/products', { name: 'Schraube', price: 0.0125 }));
  const window = await openAsAdmin('/console/products', 'de');
  const { page } = window;
  await text(page, '0,0125').wait();
  await control(page, 'link', 'Schraube').click();
  const price = await field(page, 'Preis').waitHandle();
  expect(await price.evaluate((input) => (input as unknown as { value: string }).value)).toBe('0,0125');
  await retype(page, 'Preis', '1234,5');
  expect(await price.evaluate((input) => (input as unknown as { value: string }).value)).toBe('1234,5');
  await control(page, 'button', 'Speichern').click();
  await text(page, '1.234,50').wait();
  expect(getData(await client.get(`/api/products/${String(product['id'])}`))).toMatchObject({ price: 1234.5 });
  await closeAccessible(window);
});

const readValue = async (page: Page, label: string): Promise<string> =>
  (await field(page, label).waitHandle()).evaluate((input) => (input as unknown as { value: string }).value);

/** Pastes text instead of what is selected in the field that has the focus, as a browser does. */
const paste = (page: Page, content: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', '${content}');
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    if (document.activeElement.dispatchEvent(event)) document.execCommand('insertText', false, '${content}');
  })()`);

test.each([
  ['en', 'Price', '1,234.56', { '1,234': '1234', '12,5': '12.5', '1,234,567': '1234567', '€ 1.234,56': '1234.56' }],
  ['de', 'Preis', '1.234,56', { '1.234': '1234', '12.5': '12,5', '1.234.567': '1234567', '€ 1,234.56': '1234,56' }],
] as const)('a number with separators of groups is typed and pasted in %s', async (language, label, typed, others) => {
  const product = getData(await client.post('/api/products', { name: `Kabel ${language}`, price: 1 }));
  const window = await openAsAdmin(`/console/products/${String(product['id'])}`, language);
  const { page } = window;
  for (const [content, shown] of Object.entries(others)) {
    await retype(page, label, content);
    await page.keyboard.press('Tab');
    expect(await readValue(page, label)).toBe(shown);
    await retype(page, label, '7');
    await page.keyboard.press('Backspace');
    await paste(page, content);
    await page.keyboard.press('Tab');
    expect(await readValue(page, label)).toBe(shown);
  }
  // What is sent with Enter has not been left before.
  await retype(page, label, typed);
  expect(await readValue(page, label)).toBe(typed);
  await page.keyboard.press('Enter');
  await page.waitForFunction("location.pathname === '/console/products'");
  await text(page, typed).wait();
  expect(getData(await client.get(`/api/products/${String(product['id'])}`))).toMatchObject({ price: 1234.56 });
  await closeAccessible(window);
});

test('the title of a page whose record does not exist names no number', async () => {
  const titles = {
    '/console/invoices/987654': 'Invoice',
    '/console/invoices/987654/edit': 'Invoice',
    '/console/receivables/payments/987654': 'Payment',
    '/console/payables/payments/987654': 'Payment',
    '/console/banking/transactions/987654': 'Bank transaction',
    '/console/credit-notes/987654': 'Credit note',
    '/console/sales-orders/987654': 'Sales order',
    '/console/purchase-orders/987654': 'Purchase order',
    '/console/bills/987654': 'Bill',
  };
  const window = await openAsAdmin('/console/invoices', 'en', [401, 404]);
  for (const [address, title] of Object.entries(titles)) {
    await window.open(address);
    await window.page.locator('main [role=alert]').wait();
    const shown = [address, await window.readText('main h1'), await window.page.title()];
    expect(shown).toEqual([address, title, `${title} – Vouch`]);
  }
  await closeAccessible(window);
});

test('a user whose role was taken away meanwhile is shown the pages of the new one, in the words of a user', async () => {
  const account = await client.tenant.createUserWithRole('sales');
  const users = getRows(await client.get(`/api/admin/users?search=${encodeURIComponent(account.email)}`));
  const window = await openWindow(browser, { expectedStatuses: [401, 403] });
  const { page } = window;
  await openSignedIn(window, account, '/console/leads');
  await control(page, 'button', 'New lead').click();
  await awaitOpenDialog(page);
  await field(page, 'Name').fill('Lea Herbst');
  await client.put(`/api/admin/users/${String(users[0]?.['id'])}`, { role: 'viewer' });
  await sendDialog(page).click();
  const notice = '.notices ::-p-text(Your role does not include this.)';
  await page.locator(notice).wait();
  await awaitClosedDialog(page);
  await page.waitForFunction("!document.querySelector('main').textContent.includes('New lead')");
  // The page of the new role has replaced the dialog, and why the lead was not created can still be read.
  expect(await page.$(notice)).not.toBeNull();
  await closeAccessible(window);
});

test('the button that shows a password has a name in German', async () => {
  const window = await openAsAdmin('/console/profile', 'de');
  const { page } = window;
  await control(page, 'button', 'Passwort anzeigen oder verbergen').wait();
  expect(await page.$$('[aria-label="Toggle password visibility"]')).toEqual([]);
  await closeAccessible(window);
});

test('a statement in the encoding of older exports is imported by its columns, which is said in German', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'statement-'));
  const file = path.join(folder, 'umsaetze.csv');
  await writeFile(file, 'Buchungstag;Betrag (Währung);Empfänger\n02.11.2026;12,50;Müller AG\n', 'latin1');
  const window = await openAsAdmin('/console/banking/import', 'de');
  const { page } = window;
  const [chooser] = await Promise.all([
    page.waitForFileChooser(),
    page.locator('::-p-xpath(//button[contains(., "Datei wählen")])').click(),
  ]);
  await chooser.accept([file]);
  for (const [label, column] of Object.entries({
    Buchungsdatum: 'Buchungstag',
    Betrag: 'Währung',
    Name: 'Empfänger',
  })) {
    await field(page, label).click();
    await page.keyboard.type(column);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
  await page.locator('main button[type=submit]').click();
  await text(page, 'Importiert. Umsätze aus früheren Auszügen sind ausgelassen.').wait();
  await text(page, 'Müller AG').wait();
  await rm(folder, { recursive: true });
  await closeAccessible(window);
});
