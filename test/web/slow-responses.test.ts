import type { Browser } from 'puppeteer';
import { createBusinessClient, getData, getRows } from '../support/business/client';
import type { BusinessClient } from '../support/business/client';
import { getOrigin } from '../support/browser';
import { awaitClosedDialog, control, holdRequests, sendDialog, text } from '../support/console-page';
import { call } from '../support/client';
import { closeTestPlatform } from '../support/tenant';
import { closeWithoutProblems, openBrowser, openSignedIn, openWindow } from '../support/web';
import type { WebWindow } from '../support/web';

let client: BusinessClient;
let browser: Browser;

beforeAll(async () => {
  [client, browser] = await Promise.all([createBusinessClient('Langsam'), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

/** Opens a page of the console of which the requests of one path wait until `release` is called. */
async function openWhileHeld(address: string, pathname: string): Promise<WebWindow & { release: () => void }> {
  const window = await openWindow(browser);
  await openSignedIn(window, client.tenant.admin, '/console');
  const release = await holdRequests(window.page, pathname);
  // Its network is not quiet.
  await window.page.goto(`${getOrigin()}${address}`);
  return { ...window, release };
}

test('a dialog that is opened while a list is being read is not covered by the loader of the list', async () => {
  const numbers = { datevConsultantNumber: 1001, datevClientNumber: 1, preset: 'skr03' };
  expect((await client.put('/api/config/accounting', numbers)).status).toBe(200);
  const { release, ...window } = await openWhileHeld('/console/journal', '/api/journal');
  const { page } = window;
  await page.locator('main [aria-busy=true] [role=status]').wait();
  await control(page, 'button', 'Hand over').click();
  const started = page.waitForRequest(
    (request) => request.method() === 'POST' && new URL(request.url()).pathname === '/api/exports',
  );
  await sendDialog(page).click();
  await started;
  release();
  await awaitClosedDialog(page);
  await closeWithoutProblems(window);
});

test('the rates of a country are chosen once the country of the company is known', async () => {
  const country = { address: { line1: 'Hafenstr. 1', city: 'Hamburg', postalCode: '20457', country: 'DE' } };
  expect((await client.put('/api/config/company', country)).status).toBe(200);
  const { release, ...window } = await openWhileHeld('/console/company/taxes', '/api/config/tax-sets');
  const { page } = window;
  await control(page, 'button', 'Choose the rates of a country').click();
  await page.locator('[role=dialog]').wait();
  expect(await page.$('[role=dialog] form')).toBeNull();
  release();
  await sendDialog(page).click();
  await awaitClosedDialog(page);
  await control(page, 'button', 'Reduced rate').wait();
  const rates = getRows(await client.get('/api/config/tax-rates?pageSize=100'));
  expect(rates).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'Reduced rate', percent: 7 })]));
  await closeWithoutProblems(window);
});

test('a list goes on only from the page that is shown, however often “Next” is pressed', async () => {
  const body = (number: number) => ({
    documentNumber: `ZZ${number}`,
    issuingState: 'FRA',
    reason: 'Reported as stolen',
  });
  for (let number = 1; number <= 41; number += 1)
    await call('POST', '/v1/blocklist/documents', { key: client.tenant.identityKey, json: body(number) });
  const window = await openWindow(browser);
  const { page } = window;
  await openSignedIn(window, client.tenant.admin, '/console/blocklist');
  await text(page, '1–20 of 41').wait();
  const release = await holdRequests(page, '/v1/blocklist/documents');
  await control(page, 'button', 'Next').click();
  await page.waitForFunction("new URLSearchParams(location.search).get('skip') === '20'");
  await control(page, 'button', 'Next').click();
  release();
  await text(page, '21–40 of 41').wait();
  await control(page, 'button', 'Next').click();
  await text(page, '41–41 of 41').wait();
  await closeWithoutProblems(window);
});

test('amounts of a payment are asked for once its currency is known', async () => {
  const customerId = getData(await client.post('/api/customers', { name: 'Zahlmeister AG' }))['id'];
  const lines = [{ description: 'Work', quantity: 1, unitPrice: 100 }];
  expect((await client.post('/api/invoices', { customerId, lines })).status).toBe(201);
  const address = `/console/receivables/payments/new?partyId=${String(customerId)}`;
  const { release, ...window } = await openWhileHeld(address, '/api/config/company');
  const { page } = window;
  await page.locator('input[type=radio][value=chosen]').click();
  expect(await page.$('main table input')).toBeNull();
  release();
  await page.locator('main table input').wait();
  expect(await page.$$('main table input')).toHaveLength(1);
  await closeWithoutProblems(window);
});

test('why amounts of a payment cannot be asked for is said when the company cannot be read', async () => {
  const window = await openWindow(browser, { expectedStatuses: [401, 404] });
  const { page } = window;
  await openSignedIn(window, client.tenant.admin, '/console');
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isCompany = new URL(request.url()).pathname === '/api/config/company';
    void (isCompany ? request.respond({ status: 404, body: '{}' }) : request.continue());
  });
  await window.open('/console/receivables/payments/new');
  await page.locator('main form [role=alert]').wait();
  await closeWithoutProblems(window);
});
