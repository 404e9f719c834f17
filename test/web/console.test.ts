import type { Browser } from 'puppeteer';
import { getOrigin } from '../support/browser';
import { createClientWithToken, signIn as signInToBusiness } from '../support/business/client';
import { call } from '../support/client';
import { awaitClosedDialog, control, field, pick, retype, text } from '../support/console-page';
import { closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';
import {
  closeAccessible,
  closeWithoutProblems,
  openBrowser,
  openSignedIn,
  openWindow,
  PHONE,
  signIn,
} from '../support/web';
import { EVENT_LIMIT_MS } from '../support/limits';

let tenant: Tenant;
let browser: Browser;

beforeAll(async () => {
  [tenant, browser] = await Promise.all([createTenant('Console'), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

describe('the frame of the console', () => {
  test('is shown at the address of the link after signing in, with the pages and mode of the user', async () => {
    await call('POST', '/v1/sessions', { key: tenant.identityKey, json: { externalId: 'customer-4711' } });
    const reviewer = await tenant.createIdentityUser('reviewer');
    const window = await openWindow(browser);
    const { page } = window;
    await window.open('/console/sessions?status=not_started');
    expect(await window.findAccessibilityProblems()).toEqual([]);
    await signIn(window, reviewer);
    await page.locator('::-p-text(customer-4711)').wait();
    expect(new URL(page.url()).pathname).toBe('/console/sessions');
    expect(await window.readText('header')).toContain('Live');
    expect(await window.findAccessibilityProblems()).toEqual([]);
    await page.setViewport(PHONE);
    expect(await window.findAccessibilityProblems()).toEqual([]);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await closeAccessible(window);
  });

  test('follows the mode and the signed-in user of another window of the same browser', async () => {
    const { body } = await call('POST', '/v1/sessions', { key: tenant.identityKey, json: { externalId: 'live-only' } });
    const window = await openWindow(browser);
    const { page } = window;
    await window.open('/console/sessions');
    await signIn(window, tenant.admin);
    await page.locator('::-p-text(live-only)').wait();
    const other = await window.context.newPage();
    other.setDefaultTimeout(EVENT_LIMIT_MS);
    await other.goto(`${getOrigin()}/console/sessions`);
    await other.locator('::-p-aria([name="Mode: Live"][role="button"])').click();
    await other.locator('::-p-text(Show test records)').click();
    await other.locator('::-p-aria([name="Mode: Test"][role="button"])').wait();
    await page.bringToFront();
    await page.locator('::-p-aria([name="Mode: Test"][role="button"])').wait();
    await page.locator('::-p-text(No session yet.)').wait();
    expect(await window.readText('main')).not.toContain('live-only');
    expect((body['session'] as { mode: string }).mode).toBe('live');
    await other.bringToFront();
    await other.locator('header button.mantine-ActionIcon-root').click();
    await other.locator('::-p-text(Sign out)').click();
    await other.locator('input[type=password]').wait();
    await page.bringToFront();
    await page.locator('input[type=password]').wait();
    await closeWithoutProblems(window);
  });
});

test('an editor with unsent values is not left unasked, and is left after saving', async () => {
  const window = await openWindow(browser);
  const { page } = window;
  await window.open('/console/customers/new');
  await signIn(window, tenant.admin);
  await field(page, 'Name').fill('Halbfertig GmbH');
  const leave = () => page.locator('nav a[href="/console/vendors"]').click();
  await leave();
  await text(page, 'What you have typed on this page has not been saved.').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await control(page, 'button', 'Stay on the page').click();
  await awaitClosedDialog(page);
  expect(new URL(page.url()).pathname).toBe('/console/customers/new');
  expect(await page.evaluate("[...document.querySelectorAll('main input')].map(({ value }) => value)")).toContain(
    'Halbfertig GmbH',
  );
  await leave();
  await control(page, 'button', 'Leave').click();
  await page.waitForFunction("location.pathname === '/console/vendors'");
  await awaitClosedDialog(page);
  await window.open('/console/customers/new');
  await field(page, 'Name').fill('Fertig GmbH');
  await control(page, 'button', 'Save').click();
  await control(page, 'button', 'Register payment').wait();
  await leave();
  await page.waitForFunction("location.pathname === '/console/vendors'");
  await closeWithoutProblems(window);
});

test('values that were typed before the session ended are still there after signing in again', async () => {
  const window = await openWindow(browser);
  const { page } = window;
  await window.open('/console/customers/new');
  await signIn(window, tenant.admin);
  await field(page, 'Name').fill('Fast fertig GmbH');
  await window.context.deleteCookie(...(await window.context.cookies()));
  await control(page, 'button', 'Save').click();
  await text(page, 'what you have typed is kept').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await signIn(window, tenant.admin);
  await control(page, 'button', 'Save').click();
  await text(page, 'Fast fertig GmbH').wait();
  await control(page, 'button', 'Register payment').wait();
  await closeWithoutProblems(window);
});

test('values that were typed in test mode before the session ended are kept by the preselected mode', async () => {
  const window = await openWindow(browser);
  const { page } = window;
  await openSignedIn(window, tenant.admin, '/console/sessions/new', 'test');
  await field(page, 'External id').fill('customer-4712');
  await window.context.deleteCookie(...(await window.context.cookies()));
  await page.locator('main button[type=submit]').click();
  await text(page, 'what you have typed is kept').wait();
  await signIn(window, tenant.admin);
  await control(page, 'button', 'Mode: Test').wait();
  expect(await page.evaluate("[...document.querySelectorAll('main input')].map(({ value }) => value)")).toContain(
    'customer-4712',
  );
  await closeWithoutProblems(window);
});

test('unsent texts of messages are given up for those of another kind or for another mode only after asking', async () => {
  const window = await openWindow(browser);
  const { page } = window;
  await openSignedIn(window, tenant.admin, '/console/company/templates');
  await retype(page, 'Subject', 'Our new subject');
  await pick(page, 'Message', 'Credit note');
  await text(page, 'What you have typed on this page has not been saved.').wait();
  await control(page, 'button', 'Stay on the page').click();
  await awaitClosedDialog(page);
  await control(page, 'button', 'Mode: Live').click();
  await control(page, 'menuitem', 'Show test records').click();
  await control(page, 'button', 'Stay on the page').click();
  await awaitClosedDialog(page);
  await control(page, 'button', 'Mode: Live').wait();
  expect(await page.evaluate("[...document.querySelectorAll('main input')].map(({ value }) => value)")).toContain(
    'Our new subject',
  );
  await pick(page, 'Message', 'Credit note');
  await control(page, 'button', 'Leave').click();
  await page.waitForFunction("location.search.includes('kind=credit_note')");
  await closeWithoutProblems(window);
});

/** Whether the keyboard is in the navigation. */
const IS_IN_NAVIGATION = "document.activeElement.closest('.mantine-AppShell-navbar') !== null";

test('the keyboard leaves out the closed navigation of a narrow window, and continues in the page that a link opens', async () => {
  const window = await openWindow(browser);
  const { page } = window;
  await window.open('/console/sessions');
  await signIn(window, tenant.admin);
  await text(page, 'Sessions').wait();
  await page.setViewport(PHONE);
  await page.waitForFunction(
    "getComputedStyle(document.querySelector('.mantine-AppShell-navbar')).visibility === 'hidden'",
  );
  await page.focus('.skip-link');
  const visited: unknown[] = [];
  // Menu, mode, account, and on to the page.
  for (let stop = 0; stop < 5; stop += 1) {
    await page.keyboard.press('Tab');
    visited.push(await page.evaluate(IS_IN_NAVIGATION));
  }
  expect(visited).toEqual([false, false, false, false, false]);
  await page.focus('header button[aria-expanded=false]');
  await page.keyboard.press('Enter');
  await page.locator('header button[aria-expanded=true]').wait();
  await page.focus('nav a[href="/console/review"]');
  await page.keyboard.press('Enter');
  await page.waitForFunction("location.pathname === '/console/review'");
  await page.waitForFunction("document.activeElement?.id === 'content'");
  await page.locator('header button[aria-expanded=false]').wait();
  await closeWithoutProblems(window);
});

test('a page of live records says so in test mode, and shows them on request', async () => {
  const client = createClientWithToken(tenant, (await signInToBusiness(tenant.admin)).token);
  await client.post('/api/customers', { name: 'Live GmbH' });
  const window = await openWindow(browser);
  const { page } = window;
  await window.open('/console/customers');
  await signIn(window, tenant.admin, 'test');
  await text(page, 'This page shows live records only').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await control(page, 'button', 'Show live records').click();
  await control(page, 'link', 'Live GmbH').wait();
  // A link to a page that does not exist any more, as after its last record was deleted.
  await window.open('/console/customers?page=9');
  await text(page, 'This page of the list has no records any more.').wait();
  await control(page, 'button', 'First page').click();
  await control(page, 'link', 'Live GmbH').wait();
  await closeWithoutProblems(window);
});

test('a sign-out that fails without a connection is reported, and the user stays signed in', async () => {
  const window = await openWindow(browser);
  const { page } = window;
  await window.open('/console/sessions');
  await signIn(window, tenant.admin);
  // Everything of the page has been read, so that nothing but the sign-out can fail.
  await page.locator('main [aria-busy=false]').wait();
  await page.waitForNetworkIdle();
  await page.setOfflineMode(true);
  await page.locator('header button.mantine-ActionIcon-root').click();
  await page.locator('::-p-text(Sign out)').click();
  await page.locator('[role=alert]::-p-text(connection)').wait();
  await page.setOfflineMode(false);
  expect(window.problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/.test(problem))).toEqual(
    [],
  );
  await page.locator('header button.mantine-ActionIcon-root').click();
  await page.locator('::-p-text(Sign out)').click();
  await page.locator('input[type=password]').wait();
  await window.close();
});
