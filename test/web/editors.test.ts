import type { Browser } from 'puppeteer';
import { createBusinessClient, getData } from '../support/business/client';
import type { BusinessClient } from '../support/business/client';
import { awaitClosedDialog, control, field, pick, retype, text } from '../support/console-page';
import { closeTestPlatform } from '../support/tenant';
import { closeWithoutProblems, DESKTOP, openBrowser, openSignedIn, openWindow, PHONE } from '../support/web';
import type { WebWindow } from '../support/web';

let client: BusinessClient;
let browser: Browser;
let window: WebWindow;

beforeAll(async () => {
  [client, browser] = await Promise.all([createBusinessClient('Lampen'), openBrowser()]);
  // A refused value and a conflict are provoked on purpose.
  window = await openWindow(browser, { expectedStatuses: [400, 401, 412] });
  await openSignedIn(window, client.tenant.admin, '/console/company');
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

test('the company page shows an empty default as empty and saves it', async () => {
  const { page } = window;
  await field(page, 'Legal name').wait();
  const { defaultTaxRateId } = getData(await client.get('/api/config/company'));
  await client.put('/api/config/company', { defaultTaxRateId: null });
  await window.open('/console/company');
  await field(page, 'Legal name').fill('Lampen GmbH');
  const values = await page.evaluate(`[...document.querySelectorAll('main input')].map(({ value }) => value)`);
  expect(values).not.toContain('null');
  await control(page, 'button', 'Save').click();
  await text(page, 'Saved').wait();
  const company = getData(await client.get('/api/config/company'));
  await client.put('/api/config/company', { defaultTaxRateId });
  expect(company).toMatchObject({ legalName: 'Lampen GmbH', defaultTaxRateId: null });
});

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
  await closeWithoutProblems(other);
});

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
});

test('a change that another user has made meanwhile is not overwritten, and nothing that was typed is lost', async () => {
  const { page } = window;
  const created = await client.post('/api/customers', { name: 'Nordlicht AG', notes: 'Old', phone: '+49 431 1' });
  const id = Number(getData(created)['id']);
  await window.open(`/console/customers/${id}/edit`);
  await field(page, 'Buyer reference').fill('04011000-12345-34');
  await retype(page, 'Notes', 'Mine');
  await client.put(`/api/customers/${id}`, { notes: 'Theirs', phone: '+49 431 2' });
  await control(page, 'button', 'Save').click();
  await control(page, 'button', 'Load the current version').click();
  await text(page, 'Changed by another user to: Theirs').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await control(page, 'button', 'Save').click();
  // The editor has the same heading as the page of the customer, but not its actions.
  await control(page, 'button', 'Register payment').wait();
  const customer = getData(await client.get(`/api/customers/${id}`));
  expect(customer).toMatchObject({ notes: 'Mine', phone: '+49 431 2', buyerReference: '04011000-12345-34' });
});

test('a dialog does not overwrite what another user has changed meanwhile', async () => {
  const { page } = window;
  const id = Number(getData(await client.post('/api/products/categories', { name: 'Lamps' }))['id']);
  await window.open('/console/company/categories');
  await control(page, 'button', 'Lamps').click();
  await retype(page, 'Name', 'Lamps and bulbs');
  await client.put(`/api/products/categories/${id}`, { active: false });
  await page.locator('[role=dialog] button[type=submit]').click();
  await control(page, 'button', 'Load the current version').click();
  await text(page, 'What you have typed was kept').wait();
  await page.locator('[role=dialog] button[type=submit]').click();
  await awaitClosedDialog(page);
  expect(getData(await client.get(`/api/products/categories/${id}`))).toMatchObject({
    name: 'Lamps and bulbs',
    active: false,
  });
});

/** What can be operated in the window and lies under a notice. */
const FIND_COVERED = `(() => {
  const notice = document.querySelector('.mantine-Notification-root');
  if (notice === null) return 'there is no notice';
  const isCovered = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return notice.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };
  return [...document.querySelectorAll('a, button, input, textarea, [role=tab]')]
    .filter((element) => !notice.contains(element) && isCovered(element))
    .map(({ outerHTML }) => outerHTML);
})()`;

test('a change of the period lock is not overwritten, and the notice after saving covers nothing on a phone', async () => {
  const { page } = window;
  await page.setViewport(PHONE);
  await window.open('/console/company/lock');
  await field(page, 'Reason').fill('Annual accounts');
  await client.put('/api/config/period-lock', { lockedThrough: '2025-12-31' });
  await control(page, 'button', 'Save').click();
  await control(page, 'button', 'Load the current version').click();
  await page.locator('input[value="2025-12-31"]').wait();
  await control(page, 'button', 'Save').click();
  await text(page, 'Saved').wait();
  expect(await page.evaluate(FIND_COVERED)).toEqual([]);
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await page.setViewport(DESKTOP);
  expect(getData(await client.get('/api/config/period-lock'))).toEqual({ lockedThrough: '2025-12-31' });
});

test('a draft keeps every field when another one is changed, and all of them are in the editor', async () => {
  const { page } = window;
  const [customer, product, series] = await Promise.all([
    client.post('/api/customers', { name: 'Seehafen AG' }),
    client.post('/api/products', { name: 'Desk lamp', price: 20 }),
    client.post('/api/config/document-series', { documentType: 'invoice', prefix: 'EXP' }),
  ]);
  const productId = getData(product)['id'];
  const created = await client.post('/api/invoices', {
    customerId: getData(customer)['id'],
    draft: true,
    issueDate: '2026-11-02',
    dueDate: '2026-12-24',
    paymentTerms: 'NET60',
    seriesId: getData(series)['id'],
    language: 'fr',
    reference: 'PO-7781',
    buyerReference: '04011000-12345-34',
    notes: 'Merci',
    deliveryPeriod: { start: '2026-10-01', end: '2026-10-31' },
    earlyPaymentDiscount: { percent: 2, days: 10 },
    adjustments: [{ type: 'charge', reason: 'Freight', amount: 7.5 }],
    lines: [
      {
        productId,
        quantity: 3,
        unitPrice: 24,
        description: 'Lampe',
        details: 'Blanche',
        unit: 'NAR',
        priceIncludesTax: true,
        discountPercent: 5,
        deliveryDate: '2026-10-15',
        adjustments: [{ type: 'discount', reason: 'Loyalty', percent: 1.5 }],
      },
      { description: 'Montage', quantity: 1, unitPrice: 50 },
    ],
  });
  expect(created.status).toBe(201);
  const { id } = getData(created);
  const comparable = (draft: Record<string, unknown>): object => ({ ...draft, updatedAt: null, notes: null });
  await window.open(`/console/invoices/${String(id)}/edit`);
  await text(page, '€').wait();
  const shown = await page.evaluate(
    `[...document.querySelectorAll('main input, main textarea')].map(({ value }) => value)`,
  );
  for (const value of [
    '2026-12-24',
    '2026-10-31',
    '04011000-12345-34',
    'Freight',
    'Blanche',
    '2026-10-15',
    'Loyalty',
    'Montage',
  ])
    expect(shown).toContain(value);
  await retype(page, 'Notes', 'Merci beaucoup');
  await control(page, 'button', 'Save draft').click();
  await text(page, 'Merci beaucoup').wait();
  const saved = getData(await client.get(`/api/invoices/${String(id)}`));
  expect(saved['notes']).toBe('Merci beaucoup');
  expect(comparable(saved)).toEqual(comparable(getData(created)));
  await window.open(`/console/invoices/${String(id)}/edit`);
  // A field of a line sends all lines.
  await retype(page, 'Further text', 'Noire');
  await control(page, 'button', 'Save draft').click();
  await text(page, 'Merci beaucoup').wait();
  const changed = getData(await client.get(`/api/invoices/${String(id)}`));
  const [first, ...others] = saved['lines'] as object[];
  expect(comparable(changed)).toEqual(comparable({ ...saved, lines: [{ ...first, details: 'Noire' }, ...others] }));
});

/** Fields of one row whose inputs are not at one height, by their labels. */
const FIND_UNALIGNED_FIELDS = `[...document.querySelectorAll('.mantine-SimpleGrid-root')].flatMap((grid) => {
  const fields = [...grid.querySelectorAll(':scope > .mantine-InputWrapper-root')].map((field) => ({
    label: field.querySelector('label').textContent,
    row: field.getBoundingClientRect(),
    input: field.querySelector('.mantine-Input-wrapper').getBoundingClientRect(),
  }));
  return fields.flatMap((one) => fields
    .filter(({ row, input }) => row.top < one.row.bottom && one.row.top < row.bottom && one.input.top !== input.top)
    .map(({ label }) => label));
})`;

test('price, currency and unit of a product cannot be emptied, which changed nothing', async () => {
  const { page } = window;
  const { id } = getData(await client.post('/api/products', { name: 'Floor lamp', price: 20 }));
  await window.open(`/console/products/${String(id)}`);
  for (const [label, before] of [
    ['Price', '20'],
    ['Unit', 'C62'],
  ] as const) {
    await retype(page, label, '');
    await control(page, 'button', 'Save').click();
    await page.locator('main input:invalid').wait();
    await retype(page, label, before);
  }
  await pick(page, 'Currency', 'EUR');
  await control(page, 'button', 'Save').click();
  await text(page, 'Saved').wait();
  expect(getData(await client.get(`/api/products/${String(id)}`))).toMatchObject({ price: 20, currencyCode: 'EUR' });
});

test('inputs of one row are at one height, whichever have a hint or a problem', async () => {
  const { page } = window;
  for (const path of [
    '/customers/new',
    '/products/new',
    '/purchase-orders/new',
    '/bills/new',
    '/invoices/new',
    '/company',
  ]) {
    await window.open(`/console${path}`);
    await page.locator('.mantine-SimpleGrid-root .mantine-InputWrapper-root').wait();
    expect([path, await page.evaluate(FIND_UNALIGNED_FIELDS)]).toEqual([path, []]);
  }
  await window.open('/console/vendors/new');
  await field(page, 'Name').fill('Lampenwerk');
  await field(page, 'IBAN').fill('DE00');
  await control(page, 'button', 'Save').click();
  await page.locator('.mantine-InputWrapper-error').wait();
  expect(await page.evaluate(FIND_UNALIGNED_FIELDS)).toEqual([]);
});

test('every new page suits screen readers, phones and dark mode', async () => {
  const { page } = window;
  for (const path of ['/receivables/payments/new', '/bills/new-credit-note', '/customers/1?tab=statement']) {
    await page.setViewport(PHONE);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await window.open(`/console${path}`);
    expect([path, await window.findAccessibilityProblems()]).toEqual([path, []]);
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, PHONE.width]);
  }
  await page.setViewport(DESKTOP);
});

test('no page logged an error or sent a request to another host', () => {
  expect(window.problems).toEqual([]);
});
