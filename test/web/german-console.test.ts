import type { Browser } from 'puppeteer';
import { makeDemoImages } from '../../scripts/demo/images';
import { call } from '../support/client';
import { control, field, text } from '../support/console-page';
import { createSession, postDocument } from '../support/identity/identity';
import { CompanyRegisters } from '../support/identity/company-registers';
import { closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';
import { closeAccessible, openBrowser, openWindow, PHONE, signIn } from '../support/web';
import type { WebWindow } from '../support/web';

let tenant: Tenant;
let browser: Browser;
let registers: CompanyRegisters;

beforeAll(async () => {
  [tenant, browser, registers] = await Promise.all([createTenant('German'), openBrowser(), CompanyRegisters.start()]);
});
afterAll(async () => {
  await browser.close();
  await registers.stop();
  await closeTestPlatform();
});

async function openInGerman(path: string, size?: typeof PHONE): Promise<WebWindow> {
  const window = await openWindow(browser, { expectedStatuses: [400, 401, 404, 409] });
  if (size !== undefined) await window.page.setViewport(size);
  await window.page.evaluateOnNewDocument("localStorage.setItem('vouch-console-language', 'de')");
  await window.open(path);
  await signIn(window, tenant.admin);
  await window.page.locator('main h1').wait();
  return window;
}

const measureWidths = async ({ page }: WebWindow, selector: string): Promise<number[]> =>
  (await page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => Math.round(each.getBoundingClientRect().width))`,
  )) as number[];

test('a problem of a field is in German, and on a phone the fields of a form are as wide as it', async () => {
  const window = await openInGerman('/console/blocklist', PHONE);
  const { page } = window;
  await field(page, 'Dokumentnummer').fill('X'.repeat(51));
  await field(page, 'Ausstellender Staat').fill('FRA');
  await control(page, 'button', 'Dokument sperren').click();
  await text(page, 'darf höchstens 50 Zeichen haben').wait();
  const [form] = await measureWidths(window, 'main form');
  const fields = await measureWidths(window, 'main form input');
  expect(fields).toEqual([form, form, form]);
  await closeAccessible(window);
});

test('what the API refuses is in German, without the names of its requests and fields', async () => {
  const json = { documentNumber: 'C01X00T47', issuingState: 'D' };
  await call('POST', '/v1/blocklist/documents', { key: tenant.identityKey, json });
  const window = await openInGerman('/console/blocklist');
  const { page } = window;
  await field(page, 'Dokumentnummer').fill('C01X00T47');
  await field(page, 'Ausstellender Staat').fill('D');
  await control(page, 'button', 'Dokument sperren').click();
  await text(page, 'Das Dokument steht schon auf der Sperrliste.').wait();
  await window.open('/console/webhooks/whk_01ARZ3NDEKTSV4RRFFQ69G5FAV');
  await text(page, 'Den Datensatz gibt es nicht oder nicht mehr.').wait();
  await closeAccessible(window);
});

test('a path without a page has a heading, and leads to the home page', async () => {
  const window = await openInGerman('/console/gibt-es-nicht');
  const { page } = window;
  await page.locator('main h1::-p-text(Seite nicht gefunden)').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await control(page, 'link', 'Zur Übersicht').click();
  await page.waitForFunction("location.pathname === '/console/' || location.pathname === '/console'");
  await closeAccessible(window);
});

test('why a company could not be screened is in German, with the code as title', async () => {
  const json = { companyName: 'Harbour Lights Ltd', country: 'GB' };
  const { body } = await call('POST', '/v1/kyb', { key: tenant.identityKey, json });
  const { check } = body as { check: { id: string; aml: { reason: string } } };
  expect(check.aml.reason).toBe('lists_unavailable');
  const window = await openInGerman(`/console/companies/${check.id}`);
  const { page } = window;
  await page.locator('main [title=lists_unavailable]::-p-text(keine Sanktionsliste war verfügbar)').wait();
  await page.locator('main ::-p-text(Grund: keine Sanktionsliste war verfügbar)').wait();
  await closeAccessible(window);
});

test('what was read on a document is shown in full, with dates in German', async () => {
  const { passport } = await makeDemoImages();
  const { id } = await createSession(tenant.identityKey, { features: ['id'] });
  await postDocument(tenant.identityKey, { sessionId: id, frontImage: passport });
  const window = await openInGerman(`/console/sessions/${id}`);
  const { page } = window;
  await page.setViewport({ width: 1440, height: 900 });
  await page.locator('main td::-p-text(12.08.1994)').wait();
  const cut = await page.evaluate(
    "[...document.querySelectorAll('main table .mantine-Badge-label')].filter((each) => each.scrollWidth > each.clientWidth).length",
  );
  expect(cut).toBe(0);
  await closeAccessible(window);
});
