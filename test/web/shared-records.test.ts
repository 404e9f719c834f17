import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'puppeteer';
import sharp from 'sharp';
import { createBusinessClient, getData, getRows } from '../support/business/client';
import type { BusinessClient } from '../support/business/client';
import { CompanyRegisters } from '../support/identity/company-registers';
import { CONSULTATION_NUMBER } from '../support/identity/registers/vies';
import { awaitClosedDialog, control, field, pick, retype, sendDialog, text } from '../support/console-page';
import { pollUntilFound } from '../support/poll';
import { closeTestPlatform } from '../support/tenant';
import { openBrowser, openSignedIn, openWindow } from '../support/web';
import type { WebWindow } from '../support/web';

let client: BusinessClient;
let browser: Browser;
let window: WebWindow;
let registers: CompanyRegisters;

beforeAll(async () => {
  registers = await CompanyRegisters.start();
  [client, browser] = await Promise.all([createBusinessClient('Kontor'), openBrowser()]);
  // Conflicts are provoked on purpose.
  window = await openWindow(browser, { expectedStatuses: [401, 412] });
  await openSignedIn(window, client.tenant.admin, '/console/company');
});
afterAll(async () => {
  await browser.close();
  await registers.stop();
  await closeTestPlatform();
});

const CHANGED = 'Another user has changed this record meanwhile';

test('a record of a list that another user has deactivated meanwhile is shown as it is, and not changed back', async () => {
  const { page } = window;
  const currency = getData(await client.post('/api/config/currencies', { code: 'CHF' }));
  const address = `/api/config/currencies/${String(currency['id'])}`;
  await window.open('/console/company/currencies');
  await control(page, 'button', 'Deactivate: CHF').wait();
  await client.put(address, { active: false });
  await control(page, 'button', 'Deactivate: CHF').click();
  await text(page, CHANGED).wait();
  await control(page, 'button', 'Activate: CHF').click();
  await control(page, 'button', 'Deactivate: CHF').wait();
  expect(getData(await client.get(address))).toMatchObject({ active: true });
});

test('an opportunity that another user has moved meanwhile keeps that stage', async () => {
  const { page } = window;
  const { id } = getData(await client.post('/api/crm/opportunities', { name: 'New hall', amount: 900 }));
  await window.open('/console/opportunities');
  await control(page, 'button', 'Move New hall').click();
  await control(page, 'menuitem', 'Qualified').wait();
  await client.put(`/api/crm/opportunities/${String(id)}/stage`, { stage: 'negotiation' });
  await control(page, 'menuitem', 'Qualified').click();
  await text(page, CHANGED).wait();
  await page.locator('[data-rfd-droppable-id=negotiation] [data-rfd-draggable-id]').wait();
  expect(getData(await client.get(`/api/crm/opportunities/${String(id)}`))).toMatchObject({ stage: 'negotiation' });
});

test('a logo, a text of a message and a chart of accounts do not overwrite what another user has changed', async () => {
  const { page } = window;
  const folder = await mkdtemp(path.join(tmpdir(), 'vouch-logo-'));
  const logo = path.join(folder, 'logo.png');
  await sharp({ create: { width: 80, height: 40, channels: 3, background: '#005f73' } }).toFile(logo);
  await window.open('/console/company');
  await field(page, 'Legal name').wait();
  await client.put('/api/config/company', { website: 'https://kontor.example' });
  const [chooser] = await Promise.all([page.waitForFileChooser(), control(page, 'button', 'Choose a file').click()]);
  await chooser.accept([logo]);
  await control(page, 'button', 'Load the current version').click();
  await page.waitForSelector('input[value="https://kontor.example"]');
  expect(getData(await client.get('/api/config/company'))).toMatchObject({ logo: null });
  await rm(folder, { recursive: true });

  await window.open('/console/company/templates?kind=reminder&language=en');
  await retype(page, 'Subject', 'Mine {{documentNumber}}');
  const theirs = { kind: 'reminder', language: 'en', subject: 'Theirs', text: 'Please pay.' };
  await client.put('/api/config/email/templates', theirs);
  await control(page, 'button', 'Save').click();
  await control(page, 'button', 'Load the current version').click();
  await text(page, 'Changed by another user to: Theirs').wait();
  await control(page, 'button', 'Save').click();
  await text(page, 'Saved').wait();
  expect(getRows(await client.get('/api/config/email/templates'))).toContainEqual({
    ...theirs,
    subject: 'Mine {{documentNumber}}',
    changed: true,
  });

  await window.open('/console/company/accounts');
  await control(page, 'button', 'Choose another preset').click();
  await pick(page, 'Preset', 'SKR04');
  await client.put('/api/config/accounting', { fiscalYearStartMonth: 4 });
  await sendDialog(page).click();
  await control(page, 'button', 'Load the current version').wait();
  // The form in which the dialog was opened is not sent.
  const conflicts = '//button[contains(., "Load the current version")]';
  expect(await page.$$(`::-p-xpath(${conflicts})`)).toHaveLength(1);
  await control(page, 'button', 'Load the current version').click();
  await text(page, 'What you have typed was kept').wait();
  await sendDialog(page).click();
  await awaitClosedDialog(page);
  expect(getData(await client.get('/api/config/accounting'))).toMatchObject({
    preset: 'skr04',
    fiscalYearStartMonth: 4,
  });
});

test('the VAT id of a customer, a vendor and the company is verified on request, with consultation number and time', async () => {
  const { page } = window;
  await client.put('/api/config/company', { taxId: 'DE136695976', address: { country: 'DE' } });
  // VIES gives a consultation number to a company whose own number is valid.
  await pollUntilFound(async () => {
    const company = getData(await client.get('/api/config/company'));
    return (company['taxIdVerification'] as { status: string } | null)?.status === 'valid' ? true : undefined;
  });
  const party = { name: 'Boulangerie du Port', taxId: 'FR40303265045', address: { country: 'FR' } };
  const customer = getData(await client.post('/api/customers', party));
  const vendor = getData(await client.post('/api/vendors', party));
  for (const address of [`/console/customers/${String(customer['id'])}`, `/console/vendors/${String(vendor['id'])}`]) {
    await window.open(address);
    await text(page, CONSULTATION_NUMBER).wait();
    const before = registers.requests.length;
    await control(page, 'button', 'Verify VAT id now').click();
    await pollUntilFound(() => Promise.resolve(registers.requests.length > before ? true : undefined));
    await page.waitForFunction('document.querySelector("button[data-loading]") === null');
    await text(page, `consultation number ${CONSULTATION_NUMBER}`).wait();
    expect(await window.findAccessibilityProblems()).toEqual([]);
  }
  await window.open('/console/company');
  await text(page, 'Valid by VIES').wait();
  await control(page, 'button', 'Verify VAT id now').click();
  await pollUntilFound(async () => {
    const { data } = (await client.get('/api/config/company/tax-id-verifications')).body as { data: object[] };
    return data.length > 1 ? true : undefined;
  });
});

test('no page logged an error or sent a request to another host', () => {
  expect(window.problems).toEqual([]);
});
