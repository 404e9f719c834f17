import type { Browser, Page } from 'puppeteer';
import { openCaptureLink, PHONE_WITH_TOUCH } from '../support/capture-window';
import { createSession } from '../support/identity/identity';
import { closeTestPlatform, createTenant } from '../support/tenant';
import { DESKTOP, openBrowser } from '../support/web';

let key: string;
let browser: Browser;

beforeAll(async () => {
  [{ identityKey: key }, browser] = await Promise.all([createTenant('Layout'), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

/** Where the buttons of the page begin, in pixels from its upper edge. */
const FIND_BUTTONS = `Object.fromEntries([...document.querySelectorAll('main button')]
  .map((button) => [button.textContent, Math.round(button.getBoundingClientRect().top + scrollY)]))`;

/** Lets the code for a phone wait until the page is released. */
const HOLD_CODE = `{
  const send = window.fetch;
  window.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.endsWith('/v1/capture/hand-overs')) await new Promise((resolve) => (window.release = resolve));
    return send(input, init);
  };
}`;

/** Replaces the camera by one that opens when the page is released. */
const holdCamera = (width: number, height: number): string => `{
  if (navigator.mediaDevices !== undefined) navigator.mediaDevices.getUserMedia = async () => {
    await new Promise((resolve) => (window.release = resolve));
    const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
    const context = canvas.getContext('2d');
    const draw = () => {
      context.fillRect(0, 0, canvas.width, canvas.height);
      requestAnimationFrame(draw);
    };
    draw();
    return canvas.captureStream(30);
  };
}`;

async function release(page: Page): Promise<unknown> {
  await page.waitForFunction('window.release !== undefined');
  const before: unknown = await page.evaluate(FIND_BUTTONS);
  await page.evaluate('window.release()');
  return before;
}

test('the buttons below the code for a phone stay where they are when it appears', async () => {
  const { url } = await createSession(key, { features: ['id'] });
  const prepare = (page: Page) => page.evaluateOnNewDocument(HOLD_CODE);
  const computer = await openCaptureLink(browser, url, { viewport: DESKTOP, prepare });
  const { page } = computer.window;
  await computer.consent();
  await page.locator('::-p-text(Continue on this device)').wait();
  const before = await release(page);
  await page.locator('svg[data-text]').wait();
  expect(await page.evaluate(FIND_BUTTONS)).toEqual(before);
  await computer.window.close();
});

test.each([
  { device: 'a phone held upright', viewport: PHONE_WITH_TOUCH, size: [720, 1280] },
  { device: 'a computer', viewport: DESKTOP, size: [1280, 960] },
] as const)(
  'the buttons below the camera of $device stay where they are when its picture appears',
  async ({ viewport, size: [width, height] }) => {
    const { url } = await createSession(key, { features: ['liveness'] });
    const prepare = (page: Page) => page.evaluateOnNewDocument(holdCamera(width, height));
    const window = await openCaptureLink(browser, url, { viewport, prepare });
    const { page } = window.window;
    await window.consent();
    if (viewport === DESKTOP) await window.press('Continue on this device');
    await window.expectText('Show that you are here');
    const before = await release(page);
    await page.locator('main button:not([disabled])::-p-text(Begin)').wait();
    expect(await page.evaluate(FIND_BUTTONS)).toEqual(before);
    await window.window.close();
  },
);
