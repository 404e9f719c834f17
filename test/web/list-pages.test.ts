import type { Browser } from 'puppeteer';
import { call } from '../support/client';
import { control, field, text } from '../support/console-page';
import { closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';
import { closeAccessible, DESKTOP, openBrowser, openSignedIn, openWindow } from '../support/web';

let tenant: Tenant;
let browser: Browser;

beforeAll(async () => {
  [tenant, browser] = await Promise.all([createTenant('Pages'), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

/** Documents on one page of the blocklist. */
const PAGE_SIZE = 20;

async function blockDocument(documentNumber: string, reason = 'Reported as stolen'): Promise<string> {
  const json = { documentNumber, issuingState: 'FRA', reason };
  const { body } = await call('POST', '/v1/blocklist/documents', { key: tenant.identityKey, json });
  return (body as { document: { id: string } }).document.id;
}

test('going back from the last page shows the range of the page before, and a page without records leads to the first', async () => {
  const oldest = await blockDocument('XX0');
  for (let number = 1; number <= 2 * PAGE_SIZE; number += 1) await blockDocument(`XX${number}`);
  const window = await openWindow(browser);
  const { page } = window;
  await openSignedIn(window, tenant.admin, '/console/blocklist');
  await text(page, '1–20 of 41').wait();
  await control(page, 'button', 'Next').click();
  await text(page, '21–40 of 41').wait();
  await control(page, 'button', 'Next').click();
  await text(page, '41–41 of 41').wait();
  await control(page, 'button', 'Previous').click();
  await text(page, '21–40 of 41').wait();
  await control(page, 'button', 'Next').click();
  await text(page, '41–41 of 41').wait();
  await call('DELETE', `/v1/blocklist/documents/${oldest}`, { key: tenant.identityKey });
  await page.reload();
  await text(page, 'This page of the list has no records any more.').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await control(page, 'button', 'First page').click();
  await text(page, '1–20 of 40').wait();
  await closeAccessible(window);
});

test('a long text in a list is wrapped and does not move the other columns out of sight', async () => {
  await blockDocument(
    'YY1',
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2),
  );
  const window = await openWindow(browser);
  const { page } = window;
  await openSignedIn(window, tenant.admin, '/console/blocklist');
  await text(page, 'Donaudampfschifffahrt').wait();
  const end = await page.evaluate("document.querySelector('main tbody td:last-child').getBoundingClientRect().right");
  expect(end).toBeLessThanOrEqual(DESKTOP.width);
  await closeAccessible(window);
});

test('days that end before they begin are named at the first day until one of them is changed', async () => {
  const window = await openWindow(browser, { expectedStatuses: [400] });
  const { page } = window;
  await openSignedIn(window, tenant.admin, '/console/sessions?from=2026-01-05&to=2026-01-02');
  await text(page, 'must not be after Jan 2, 2026').wait();
  expect(await page.$$eval('[aria-invalid=true]', (fields) => fields.length)).toBe(1);
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await window.open('/console/sessions?from=2026-01-02&to=2026-01-02');
  expect(await page.$$eval('[aria-invalid=true]', (fields) => fields.length)).toBe(0);
  await window.open('/console/invoices?dateFrom=2026-01-05&dateTo=2026-01-02');
  await text(page, 'must not be after Jan 2, 2026').wait();
  expect(await page.$$eval('[aria-invalid=true]', (fields) => fields.length)).toBe(1);
  await closeAccessible(window);
});

test('days that end before they begin are not requested: the list stays until both fit, and is then filtered by both', async () => {
  // Fails for a response of status 400.
  const window = await openWindow(browser);
  const { page } = window;
  await openSignedIn(window, tenant.admin, '/console/sessions?from=2026-01-05');
  const typeDay = async (label: string, keys: string): Promise<void> => {
    const input = await field(page, label).waitHandle();
    await input.focus();
    await page.keyboard.type(keys);
  };
  await typeDay('Created to', '01022026');
  await text(page, 'must not be after Jan 2, 2026').wait();
  expect(page.url()).toMatch(/sessions\?from=2026-01-05$/);
  await typeDay('Created from', '01012026');
  await page.waitForFunction("location.search === '?from=2026-01-01&to=2026-01-02'");
  expect(await page.$$eval('[aria-invalid=true]', (fields) => fields.length)).toBe(0);
  await closeAccessible(window);
});
