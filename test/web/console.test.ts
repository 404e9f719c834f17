import type { Browser } from 'puppeteer';
import { call } from '../support/client';
import { closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';
import { openBrowser, openWindow, PHONE, signIn } from '../support/web';

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
    expect(await window.findAccessibilityProblems()).toEqual([]);
    expect(window.problems).toEqual([]);
    await window.close();
  });
});
