import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'puppeteer';
import { buildCamt053, buildCamtEntry } from '../support/business/banking/statements';
import { createBusinessClient, getRows } from '../support/business/client';
import type { BusinessClient } from '../support/business/client';
import { buildEmailSettings, startMailServer } from '../support/business/mail-server';
import type { MailServer } from '../support/business/mail-server';
import { call } from '../support/client';
import { control, field, holdRequests, pick, retype, sendDialog, text } from '../support/console-page';
import { closeTestPlatform } from '../support/tenant';
import { DESKTOP, openBrowser, openSignedIn, openWindow, PHONE } from '../support/web';
import type { WebWindow } from '../support/web';

let client: BusinessClient;
let browser: Browser;
let window: WebWindow;
let server: MailServer;
const PASSWORD = 'smtp-password-1';

beforeAll(async () => {
  [client, browser, server] = await Promise.all([
    createBusinessClient('Kontor'),
    openBrowser(),
    startMailServer({ password: PASSWORD }),
  ]);
  window = await openWindow(browser);
  await openSignedIn(window, client.tenant.admin, '/console/company');
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await closeTestPlatform();
});

const formatEuros = (amount: number): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(amount);

const read = async (address: string): Promise<object> => (await client.get(address)).body['data'] as object;

test('saving the company changes what was typed and keeps every other field', async () => {
  const { page } = window;
  const address = {
    line1: 'Hafenstr. 1',
    line2: null,
    city: 'Hamburg',
    region: null,
    postalCode: '20457',
    country: 'DE',
  };
  await client.put('/api/config/company', {
    legalForm: 'GmbH',
    managingDirectors: ['Ada Brandt'],
    shareCapital: { amount: 25_000, currencyCode: 'EUR' },
    taxNumber: '22/815/08150',
    address,
    iban: 'DE89370400440532013000',
    defaultDeliveryDate: 'issue_date',
    overReceiptTolerancePercent: 2.5,
  });
  const before = await read('/api/config/company');
  await window.open('/console/company');
  const printed = page.waitForResponse(
    (response) => response.url().endsWith('/preview') && (response.request().postData() ?? '').includes('123456'),
  );
  await field(page, 'Phone').fill('+49 40 123456');
  // The sample document is printed with what is not saved yet.
  expect((await printed).status()).toBe(200);
  await control(page, 'button', 'Save').click();
  await text(page, 'Saved').wait();
  const after = await read('/api/config/company');
  expect({ ...after, updatedAt: null }).toEqual({ ...before, phone: '+49 40 123456', updatedAt: null });
});

test('the tax rates of a country are chosen, and a rate is changed without losing its translations', async () => {
  const { page } = window;
  await window.open('/console/company/taxes');
  await control(page, 'button', 'Choose the rates of a country').click();
  await sendDialog(page).click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await control(page, 'button', 'Reduced rate').wait();
  const rates = (await client.get('/api/config/tax-rates?pageSize=100')).body['data'] as { id: number; name: string }[];
  const reduced = rates.find(({ name }) => name === 'Reduced rate');
  await control(page, 'button', 'Reduced rate').click();
  await page.locator('[role=dialog] input[type=date]').wait();
  const validTo = await field(page, 'Valid to').waitHandle();
  await validTo.focus();
  await page.keyboard.type('12312027');
  await sendDialog(page).click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  const changed = await read(`/api/config/tax-rates/${reduced?.id}`);
  expect({ ...changed, updatedAt: null }).toEqual({ ...reduced, validTo: '2027-12-31', updatedAt: null });
});

test('a reminder schedule is set', async () => {
  const { page } = window;
  await window.open('/console/company/reminders');
  await control(page, 'button', 'Add a reminder').click();
  await field(page, 'Fee').fill('5');
  await control(page, 'button', 'Save').click();
  await text(page, 'Saved').wait();
  expect(await read('/api/config/reminders')).toMatchObject({ levels: [{ daysAfterDue: 7, fee: 5 }] });
});

test('a number that settings need cannot be emptied, which stored 0', async () => {
  const { page } = window;
  for (const [path, label] of [
    ['/console/company/reminders', 'Hour'],
    ['/console/company', 'Oldest exchange rate'],
  ] as const) {
    await window.open(path);
    await retype(page, label, '');
    await control(page, 'button', 'Save').click();
    await page.locator('main input:invalid').wait();
  }
});

test('an entry of the journal shows its lines and leads to its invoice, and so does the VAT report', async () => {
  const { page } = window;
  const customer = (await client.post('/api/customers', { name: 'Nordlicht AG' })).body['data'] as { id: number };
  const line = { description: 'Advice', quantity: 10, unitPrice: 100 };
  await client.post('/api/invoices', { customerId: customer.id, lines: [line] });
  await client.post('/api/invoices/1/issue', {});
  await window.open('/console/journal/vat');
  await control(page, 'button', 'Entries and documents').click();
  await control(page, 'button', 'Invoice').click();
  await page.locator('[role=dialog] table').wait();
  await page.locator('[role=dialog] a').click();
  await page.locator('::-p-xpath(//h1[starts-with(., "INV-")])').wait();
  expect(new URL(page.url()).pathname).toBe('/console/invoices/1');
});

test('reminders of a customer are paused with a reason, and resumed', async () => {
  const { page } = window;
  await window.open('/console/customers/1');
  await control(page, 'button', 'Pause reminders').click();
  await field(page, 'Reason').fill('Instalments agreed');
  await sendDialog(page).click();
  await text(page, 'Reason: Instalments agreed').wait();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await control(page, 'button', 'Resume reminders').click();
  await control(page, 'button', 'Pause reminders').wait();
  expect((await client.get('/api/customers/1/reminder-pause')).body['data']).toBeNull();
});

test('the journal is handed over as DATEV file with progress', async () => {
  const { page } = window;
  const numbers = { datevConsultantNumber: 1001, datevClientNumber: 1, preset: 'skr03' };
  await client.put('/api/config/accounting', numbers);
  await window.open('/console/journal');
  await control(page, 'button', 'Hand over').click();
  await sendDialog(page).click();
  await control(page, 'button', 'Download').wait();
  const [row] = (await client.get('/api/exports')).body['data'] as object[];
  expect(row).toMatchObject({ resource: 'journal', format: 'datev', state: 'completed' });
});

test('a statement is imported, a transaction is matched by an explained proposal and another by hand', async () => {
  const { page } = window;
  const today = new Date().toISOString().slice(0, 10);
  const [invoice] = (await client.get('/api/receivables')).body['data'] as { number: string; open: number }[];
  const open = String(invoice?.open).replace('.', ',');
  const csv = [
    'Buchung;Betrag;Name;Text',
    `${today};${open};Nordlicht AG;Rechnung ${invoice?.number}`,
    `${today};12,50;Nordlicht AG;Anzahlung`,
  ].join('\n');
  const folder = await mkdtemp(path.join(tmpdir(), 'statement-'));
  await writeFile(path.join(folder, 'statement.csv'), csv);
  await window.open('/console/banking/import');
  const [chooser] = await Promise.all([
    page.waitForFileChooser(),
    page.locator('::-p-xpath(//button[contains(., "Choose a file")])').click(),
  ]);
  await chooser.accept([path.join(folder, 'statement.csv')]);
  await field(page, 'Booking date').fill('Buchung');
  await field(page, 'Amount').fill('Betrag');
  await field(page, 'Name').fill('Name');
  await field(page, 'Text').fill('Text');
  await pick(page, 'Dates', 'YYYY-MM-DD');
  await page.locator('main form button[type=submit]').click();
  await text(page, 'Rechnung INV-').wait();
  await window.open('/console/banking/transactions/1');
  await text(page, `The text names ${invoice?.number}.`).wait();
  await text(page, `${formatEuros(invoice?.open ?? 0)} is the open amount of ${invoice?.number}.`).wait();
  await control(page, 'button', 'Reject the proposal of Nordlicht AG').click();
  await text(page, '1 proposal was rejected.').wait();
  await control(page, 'button', 'Propose again').click();
  await control(page, 'button', 'Accept the proposal of Nordlicht AG').click();
  await control(page, 'link', 'Show the payment').wait();
  await window.open('/console/banking/transactions/2');
  const release = await holdRequests(page, '/api/receivables');
  const requested = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/receivables');
  await field(page, 'Customer').fill('Nordlicht');
  await page.locator('::-p-xpath(//*[@role="option"][contains(., "Nordlicht")])').click();
  await requested;
  // The documents that are read would move it under the mouse.
  expect(await page.$('::-p-aria([name="Register the payment"][role="button"])')).toBeNull();
  release();
  await control(page, 'button', 'Register the payment').click();
  await control(page, 'link', 'Show the payment').wait();
  const transactions = (await client.get('/api/bank-transactions?sortBy=id&sortDir=asc')).body['data'] as object[];
  expect(transactions).toMatchObject([
    { state: 'matched', paymentId: 1 },
    { state: 'matched', paymentId: 2 },
  ]);
  await rm(folder, { recursive: true });
});

test('the proposal of a registered payment is rejected, and made again', async () => {
  const { page } = window;
  const customerId = Number(getRows(await client.get('/api/customers'))[0]?.['id']);
  expect((await client.post('/api/receivables/payments', { customerId, amount: 77, allocations: [] })).status).toBe(
    201,
  );
  const date = new Date().toISOString().slice(0, 10);
  const body = Buffer.from(
    buildCamt053({ id: 'S-77', entries: [buildCamtEntry({ date, amount: '77.00', reference: 'R-77' })] }),
  );
  const form = { format: 'camt.053', file: { body, name: 'statement', type: 'application/xml' } };
  const [statement] = getRows(await call('POST', '/api/bank-statements', { token: client.token, form }));
  const [transaction] = getRows(await client.get(`/api/bank-transactions?statementId=${String(statement?.['id'])}`));
  await window.open(`/console/banking/transactions/${String(transaction?.['id'])}`);
  await control(page, 'button', 'Reject the proposal of Nordlicht AG').click();
  await text(page, '1 proposal was rejected.').wait();
  await text(page, 'No registered payment and no open document fits.').wait();
  await control(page, 'button', 'Propose again').click();
  await control(page, 'button', 'Accept the proposal of Nordlicht AG').click();
  await control(page, 'link', 'Show the payment').wait();
});

test('the mail server is set and tested, and an invoice is sent with a preview and a copy, and linked, and a statement is sent', async () => {
  const { page } = window;
  const settings = { ...buildEmailSettings(server, PASSWORD), bounceAddress: 'bounces@seller.example' };
  await client.put('/api/config/email', settings);
  const before = await read('/api/config/email');
  await window.open('/console/company/email');
  await field(page, 'Name of the sender').fill('Kontor billing');
  await control(page, 'button', 'Save').click();
  await page.locator('::-p-xpath(//*[@role="alert"][contains(., "Saved")]//button[@aria-label="Close"])').wait();
  const after = await read('/api/config/email');
  expect({ ...after, updatedAt: null }).toEqual({ ...before, fromName: 'Kontor billing', updatedAt: null });
  await control(page, 'button', 'Send a test message').click();
  await page.locator('::-p-xpath(//*[@role="status"]//*[text()="Sent"])').wait();
  await window.open('/console/invoices/1');
  await control(page, 'button', 'Send').click();
  await page.locator('::-p-xpath(//*[@role="region"][@aria-label="Preview"][contains(., "INV-")])').wait();
  await field(page, 'Recipient').fill('buyer@customer.example');
  await field(page, 'Copy to (cc)').fill('office@customer.example');
  await page.keyboard.press('Enter');
  await sendDialog(page).click();
  // The dialog covers the page until everything was read again; the message may be sent before.
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator('::-p-xpath(//main//table//*[text()="Sent"])').wait();
  await page.locator('::-p-xpath(//main//table//*[text()="Created by Test admin"])').wait();
  await control(page, 'button', 'New link').click();
  await sendDialog(page).click();
  await control(page, 'button', 'Revoke').wait();
  await window.open('/console/customers/1');
  await control(page, 'button', 'Statement').click();
  await control(page, 'menuitem', 'Send by e-mail').click();
  await field(page, 'Recipient').fill('books@customer.example');
  await sendDialog(page).click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await server.waitForCount(3);
  expect(server.received.map(({ to }) => to)).toEqual([
    [client.tenant.admin.email],
    ['buyer@customer.example', 'office@customer.example'],
    ['books@customer.example'],
  ]);
});

/** The page, on a desktop or on a phone in dark mode, has no violation of WCAG 2.2 AA. */
async function expectAccessible(address: string, isPhone: boolean): Promise<void> {
  await window.page.setViewport(isPhone ? PHONE : DESKTOP);
  const scheme = { name: 'prefers-color-scheme', value: isPhone ? 'dark' : 'light' };
  await window.page.emulateMediaFeatures([scheme]);
  await window.open(address);
  expect([address, await window.findAccessibilityProblems()]).toEqual([address, []]);
}

test('every page of settings, accounting, banking and messages suits screen readers, phones and dark mode, without an error or a request to another host', async () => {
  const addresses = [
    '/company/series',
    '/company/email',
    '/company/templates',
    '/company/reminders',
    '/company/currencies',
    '/company/exchange-rates',
    '/company/accounts',
    '/company/warehouses',
    '/company/categories',
    '/journal',
    '/journal?entry=invoice:1',
    '/journal/trial-balance',
    '/journal/vat',
    '/invoices/1',
    '/reminders',
    '/banking',
    '/banking/import',
    '/banking/statements',
    '/banking/transactions/2',
  ];
  // In turn, because a page that suits one rarely fails the other, and each takes seconds.
  for (const [index, address] of addresses.entries()) await expectAccessible(`/console${address}`, index % 2 === 1);
  expect(window.problems).toEqual([]);
});
