import { readFileSync } from 'node:fs';
import { launch } from 'puppeteer';
import type { Browser, BrowserContext, Frame, HTTPRequest, LaunchOptions, Page } from 'puppeteer';
import { getOrigin, signInFromBrowser } from './browser';
import { findChromium } from './chromium';
import { describeOnFailure } from './failure-details';
import { pollUntilFound } from './poll';
import { readStack } from './stack';
import { EVENT_LIMIT_MS, PROCESS_LIMIT_MS } from './limits';

/** Widths that every page must suit: a phone and a desktop. */
export const PHONE = { width: 390, height: 844 } as const;
export const DESKTOP = { width: 1440, height: 900 } as const;

const AXE_SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2, levels A and AA. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Arguments of Chromium; a fake camera reads a file only if the test names one. */
export interface BrowserOptions {
  args?: readonly string[];
}

/**
 * Starts Chromium; one browser serves a whole test file. Its user prefers reduced motion: a dialog that moves while it
 * opens may be clicked where it no longer is, and colours that are still changing would be measured.
 */
export async function openBrowser({ args = [] }: BrowserOptions = {}): Promise<Browser> {
  const options: LaunchOptions = {
    executablePath: await findChromium(),
    headless: 'shell',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--lang=en', '--force-prefers-reduced-motion'],
      ...args,
    ],
    defaultViewport: DESKTOP,
    timeout: PROCESS_LIMIT_MS,
    // A wait of a page is one call of the protocol, whose own limit of three minutes would end it.
    protocolTimeout: PROCESS_LIMIT_MS,
  };
  // On a busy machine Chromium can end while it starts, as the product expects, too.
  return launch(options).catch(() => launch(options));
}

/** A window of its own, with its own cookies, that records what no page may do. */
export interface WebWindow {
  page: Page;
  context: BrowserContext;
  /** Opens a path of the API's origin and waits until the page has nothing more to request or to compute. */
  open(path: string): Promise<void>;
  /** The text of the first element with this selector. */
  readText(selector: string): Promise<string>;
  /** Console errors, uncaught exceptions and requests to other hosts so far. */
  problems: string[];
  /** Violations of WCAG 2.2 AA in the page as it is now, each with its first element. */
  findAccessibilityProblems(): Promise<string[]>;
  close(): Promise<void>;
}

/** Responses that a test provokes on purpose are console errors too; it names their statuses. */
export interface WindowOptions {
  expectedStatuses?: readonly number[];
}

function recordProblems(page: Page, origin: string, expectedStatuses: readonly number[]): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    const expected = expectedStatuses.some((status) => text.includes(`status of ${status} `));
    const { url = '' } = message.location();
    if (message.type() === 'error' && !expected) problems.push(`console: ${text} ${url}`.trim());
  });
  page.on('pageerror', (error) => problems.push(`exception: ${String(error)}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (['http:', 'https:'].includes(url.protocol) && url.origin !== origin) problems.push(`request: ${url.origin}`);
  });
  return problems;
}

interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

async function findAccessibilityProblems(page: Page): Promise<string[]> {
  // The page follows a change of the window or of the colour scheme with its next frame.
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  // While a dialog fades in, its contrast is not what a person reads.
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
  // A document that was searched before has axe, and what the browser has compiled of it.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(AXE_SOURCE);
  // What passes need not be described, nor how to select an element.
  const options = JSON.stringify({
    runOnly: { type: 'tag', values: AXE_TAGS },
    resultTypes: ['violations'],
    selectors: false,
  });
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults;
  const outlines = (await page.evaluate(FIND_FAINT_OUTLINES)) as string[];
  return [
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
    ),
    ...outlines,
  ];
}

/** Fields and choices whose outline has less than 3 : 1 against the page (WCAG 2.2, 1.4.11), which axe does not measure. */
const FIND_FAINT_OUTLINES = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  // Colours are drawn, because a browser writes them in many notations.
  const readColor = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const toLinear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const getLuminance = ([red, green, blue]) =>
    0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
  const getBackground = (element) => {
    for (let each = element.parentElement; each !== null; each = each.parentElement) {
      const color = readColor(getComputedStyle(each).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  const getContrast = (one, other) => {
    const [low, high] = [getLuminance(one), getLuminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const selector = '[data-variant=default] > .mantine-Input-input, .mantine-Checkbox-input, .mantine-Radio-radio';
  return [...document.querySelectorAll(selector)]
    .filter((element) => !element.matches(':disabled, :checked, [data-disabled], [data-indeterminate]') && element.checkVisibility())
    .map((element) => [element, getContrast(readColor(getComputedStyle(element).borderTopColor), getBackground(element))])
    .filter(([, contrast]) => contrast < 3)
    .map(([element, contrast]) => 'outline of ' + contrast.toFixed(2) + ': ' + element.outerHTML.slice(0, 200));
})()`;

/**
 * Changes an attribute of the page whenever a text changes in place. Locators of Puppeteer look again when elements or
 * attributes change, but not when only a text does, for which they would wait until their limit.
 */
const REPORT_CHANGED_TEXTS = `new MutationObserver(() => document.documentElement.toggleAttribute('data-text-changed'))
  .observe(document, { characterData: true, subtree: true })`;

/**
 * Opens an address and waits until the page neither requests nor computes anything. `networkidle0` of Puppeteer waits for
 * half a second without a request instead, in which a slow page may still compute, and a fast one has long been ready.
 */
async function openUntilQuiet(page: Page, url: string): Promise<void> {
  const pending = new Set<HTTPRequest>();
  let sent = 0;
  const listeners = {
    request: (request: HTTPRequest) => {
      pending.add(request);
      sent += 1;
    },
    requestfinished: (request: HTTPRequest) => void pending.delete(request),
    requestfailed: (request: HTTPRequest) => void pending.delete(request),
    // What the document before had requested is not reported any more.
    framenavigated: (frame: Frame) => frame === page.mainFrame() && pending.clear(),
  };
  page.on('request', listeners.request).on('requestfinished', listeners.requestfinished);
  page.on('requestfailed', listeners.requestfailed).on('framenavigated', listeners.framenavigated);
  await page.goto(url);
  let known = -1;
  await pollUntilFound(async () => {
    const isKnown = sent === known;
    known = sent;
    // React waits up to 300 ms before it shows a page whose script has arrived, and the page requests its records then.
    const isShown = await page.evaluate(
      "new Promise((resolve) => requestIdleCallback(() => resolve(document.querySelector('[role=status][aria-busy]') === null)))",
    );
    return isKnown && isShown === true && sent === known && pending.size === 0 ? true : undefined;
  });
  page.off('request', listeners.request).off('requestfinished', listeners.requestfinished);
  page.off('requestfailed', listeners.requestfailed).off('framenavigated', listeners.framenavigated);
}

/** Contexts whose windows were closed, for later windows. */
const unused = new WeakMap<Browser, BrowserContext[]>();

/** Closes the windows of a context and removes its cookies and permissions, so that a later window can use it. */
async function releaseContext(context: BrowserContext): Promise<void> {
  await Promise.all((await context.pages()).map((page) => page.close()));
  await context.deleteCookie(...(await context.cookies()));
  await context.clearPermissionOverrides();
  const browser = context.browser();
  unused.set(browser, [...(unused.get(browser) ?? []), context]);
}

/**
 * Opens a window that has no cookies and has stored nothing. What an earlier window has cached of the scripts and styles
 * remains: to load them again takes the browser and the API a processor second.
 */
async function openEmptyPage(browser: Browser, origin: string): Promise<Page> {
  const context = unused.get(browser)?.pop() ?? (await browser.createBrowserContext());
  const page = await context.newPage();
  const protocol = await page.createCDPSession();
  await protocol.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await protocol.detach();
  return page;
}

/** What the text of a page does not contain: the content of its fields, and the names of buttons with an icon. */
const LIST_CONTROLS = `[...document.querySelectorAll('input:not([type=password]), textarea, [aria-label]')].map((element) =>
  (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.type) +
  (element.value ? '=' + element.value : ''))`;

/** Opens a window with cookies and stored data of its own. */
export async function openWindow(
  browser: Browser,
  { expectedStatuses = [401] }: WindowOptions = {},
): Promise<WebWindow> {
  const { origin } = new URL(readStack().api);
  const page = await openEmptyPage(browser, origin);
  const context = page.browserContext();
  page.setDefaultTimeout(EVENT_LIMIT_MS);
  await page.evaluateOnNewDocument(REPORT_CHANGED_TEXTS);
  // Forms ask before a test leaves them for another address.
  page.on('dialog', (dialog) => void dialog.accept());
  const problems = recordProblems(page, origin, expectedStatuses);
  const stopDescribing = describeOnFailure(async () => {
    const shown = await page.evaluate('document.body.innerText');
    const controls = (await page.evaluate(LIST_CONTROLS)) as string[];
    return [`${page.url()} shows:`, shown, `controls: ${controls.join(', ')}`, ...problems].join('\n');
  });
  return {
    page,
    context,
    problems,
    open: (path) => openUntilQuiet(page, origin + path),
    readText: async (selector) =>
      String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`)),
    findAccessibilityProblems: () => findAccessibilityProblems(page),
    close: () => {
      stopDescribing();
      return releaseContext(context);
    },
  };
}

/** Signs in on the page that is open, as a user does, and waits for the frame of the console. */
export async function signIn(
  { page }: WebWindow,
  { email, password }: { email: string; password: string },
  mode: 'live' | 'test' = 'live',
): Promise<void> {
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  if (mode === 'test') await page.locator('label::-p-text(Test)').click();
  await page.locator('button[type=submit]').click();
  await page.locator('nav').wait();
}

/**
 * Opens a path of the console with the cookie that the sign-in page gets, and waits for the frame of the console. For tests
 * of other pages: the sign-in page takes the browser as long as one of these.
 */
export async function openSignedIn(
  window: WebWindow,
  account: { email: string; password: string },
  path: string,
  mode: 'live' | 'test' = 'live',
): Promise<void> {
  const { response, headers } = await signInFromBrowser(account, { mode });
  expect(response.status).toBe(200);
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(headers['cookie'] ?? '') ?? [];
  const { hostname: domain } = new URL(getOrigin());
  const cookie = { name, value, domain, path: '/', httpOnly: true, sameSite: 'Strict', secure: false } as const;
  await window.context.setCookie(cookie);
  await window.open(path);
  await window.page.locator('nav').wait();
}

/** Closes a window in which nothing may have failed. */
export async function closeWithoutProblems(window: WebWindow): Promise<void> {
  expect(window.problems).toEqual([]);
  await window.close();
}

/** As `closeWithoutProblems`, for a window whose page has to be accessible as it is now. */
export async function closeAccessible(window: WebWindow): Promise<void> {
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await closeWithoutProblems(window);
}
