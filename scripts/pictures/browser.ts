import { launch } from 'puppeteer';
import type { Browser, Page } from 'puppeteer';
import { findChromiumPath } from '../demo/running-service';

/** The widths at which every page is looked at: a phone and a desktop. */
export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;

export type Size = keyof typeof SIZES;

export const SCHEMES = ['light', 'dark'] as const;

export type Scheme = (typeof SCHEMES)[number];

/** Starts Chromium with a camera that shows a moving test pattern. */
export const openBrowser = (): Promise<Browser> =>
  launch({
    executablePath: findChromiumPath(),
    headless: 'shell',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--lang=en',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
    ],
    defaultViewport: SIZES.desktop,
  });

/** A page of a context of its own, in a size and colour scheme, without animations. */
export async function openPage(browser: Browser, size: Size, scheme: Scheme): Promise<Page> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport(SIZES[size]);
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  return page;
}

const QUIET_MS = 500;
const MAX_WAIT_MS = 15_000;

/** Waits until a page has read what it shows; one that follows a process never becomes quiet. */
export async function settle(page: Page): Promise<void> {
  await page.waitForNetworkIdle({ idleTime: QUIET_MS, timeout: MAX_WAIT_MS }).catch(() => undefined);
  // One request that takes long, such as a page that is printed, or a picture that is decoded, may still be running.
  await page.waitForSelector('.mantine-Loader-root', { hidden: true, timeout: MAX_WAIT_MS }).catch(() => undefined);
}

const CHART_MS = 2000;

/** Waits until the charts of a page, if it has any, have drawn their bars. */
export async function drawCharts(page: Page): Promise<void> {
  const charts = await page.$$('.recharts-responsive-container');
  if (charts.length > 0) await new Promise((resolve) => setTimeout(resolve, CHART_MS));
}

/** Signs in to the console as a user does. */
export async function signIn(page: Page, api: string, user: { email: string; password: string }): Promise<void> {
  await page.goto(`${api}/console`, { waitUntil: 'networkidle2' });
  await page.locator('input[type=email]').fill(user.email);
  await page.locator('input[type=password]').fill(user.password);
  await page.locator('button[type=submit]').click();
  await page.locator('#content').wait();
  await settle(page);
}
