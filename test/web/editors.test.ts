import type { Browser, Page } from 'puppeteer';
import { createBusinessClient, getData } from '../support/business/client';
import type { BusinessClient } from '../support/business/client';
import { closeTestPlatform } from '../support/tenant';
import { DESKTOP, openBrowser, openWindow, PHONE, signIn } from '../support/web';
import type { WebWindow } from '../support/web';

let client: BusinessClient;
let browser: Browser;
let window: WebWindow;

beforeAll(async () => {
  [client, browser] = await Promise.all([createBusinessClient('Lampen'), openBrowser()]);
  // A conflict is provoked on purpose.
  window = await openWindow(browser, { expectedStatuses: [401, 412] });
  await window.open('/console/company');
  await signIn(window, client.tenant.admin);
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

/** The link or button with this name. */
const control = (page: Page, role: 'link' | 'button' | 'menuitem', name: string) =>
  page.locator(`::-p-aria([name="${name}"][role="${role}"])`);

/** The field with this label. */
const field = (page: Page, label: string) =>
  page.locator(`::-p-xpath(//*[@id = //label[starts-with(normalize-space(.), "${label}")]/@for])`);

const text = (page: Page, content: string) => page.locator(`::-p-xpath(//*[contains(text(), "${content}")])`);

test('the company page shows an empty default as empty and saves it', async () => {
  const { page } = window;
  await field(page, 'Legal name').wait();
  const written = await client.put('/api/config/company', { defaultTaxRateId: null });
  expect(written.status).toBe(200);
  await window.open('/console/company');
  await field(page, 'Legal name').fill('Lampen GmbH');
  const values = await page.evaluate(`[...document.querySelectorAll('main input')].map(({ value }) => value)`);
  expect(values).not.toContain('null');
  await control(page, 'button', 'Save').click();
  await text(page, 'Saved').wait();
  const company = getData(await client.get('/api/config/company'));
  expect(company).toMatchObject({ legalName: 'Lampen GmbH', defaultTaxRateId: null });
}, 60_000);

test('a user with a temporary password can only change it, and then sees the page that was opened', async () => {
  const account = await client.tenant.createUserWithRole('sales');
  const users = (await client.get('/api/admin/users?pageSize=100')).body['data'] as { id: number; email: string }[];
  const id = users.find(({ email }) => email === account.email)?.id ?? 0;
  const reset = getData(await client.post(`/api/admin/users/${id}/reset-password`, {}));
  const temporary = String(reset['password']);
  const other = await openWindow(browser);
  await other.open('/console/customers');
  await other.page.locator('input[type=email]').fill(account.email);
  await other.page.locator('input[type=password]').fill(temporary);
  await other.page.locator('button[type=submit]').click();
  await other.page.locator('::-p-xpath(//h1[text()="Choose your own password"])').wait();
  expect(await other.page.$$('nav')).toEqual([]);
  expect(await other.findAccessibilityProblems()).toEqual([]);
  await field(other.page, 'Current password').fill(temporary);
  await field(other.page, 'New password').fill('a lamp that is never lit 7');
  await control(other.page, 'button', 'Save').click();
  await other.page.locator('::-p-xpath(//h1[text()="Customers"])').wait();
  expect(other.problems).toEqual([]);
  await other.close();
}, 60_000);

test('an opportunity is moved by its menu on a phone, where the page does not scroll sideways', async () => {
  const { page } = window;
  await client.post('/api/crm/opportunities', { name: 'Fit out the office', amount: 12_500 });
  await page.setViewport(PHONE);
  await window.open('/console/opportunities');
  await control(page, 'button', 'Move Fit out the office').click();
  await control(page, 'menuitem', 'Qualified').click();
  await page.locator('[data-rfd-droppable-id=prospecting]:not(:has([data-rfd-draggable-id]))').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  await page.setViewport(DESKTOP);
  const [moved] = (await client.get('/api/crm/opportunities')).body['data'] as object[];
  expect(moved).toMatchObject({ stage: 'qualified' });
}, 60_000);

test('a change that another user has made meanwhile is not overwritten, and nothing that was typed is lost', async () => {
  const { page } = window;
  const created = await client.post('/api/customers', { name: 'Nordlicht AG', notes: 'Old', phone: '+49 431 1' });
  const id = Number(getData(created)['id']);
  await window.open(`/console/customers/${id}/edit`);
  await field(page, 'Buyer reference').fill('04011000-12345-34');
  await field(page, 'Notes').fill('Mine');
  await client.put(`/api/customers/${id}`, { notes: 'Theirs', phone: '+49 431 2' });
  await control(page, 'button', 'Save').click();
  await control(page, 'button', 'Load the current version').click();
  await text(page, 'Changed by another user to: Theirs').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await control(page, 'button', 'Save').click();
  await page.locator('::-p-xpath(//h1[text()="Nordlicht AG"])').wait();
  const customer = getData(await client.get(`/api/customers/${id}`));
  expect(customer).toMatchObject({ notes: 'Mine', phone: '+49 431 2', buyerReference: '04011000-12345-34' });
}, 60_000);

test('no page logged an error or sent a request to another host', () => {
  expect(window.problems).toEqual([]);
});
