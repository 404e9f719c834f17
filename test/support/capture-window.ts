import type { Browser, Page } from 'puppeteer';
import { getOrigin } from './browser';
import { DESKTOP, openWindow, PHONE } from './web';
import type { WebWindow } from './web';

/** A phone as its browser describes itself to a page. */
export const PHONE_WITH_TOUCH = { ...PHONE, hasTouch: true, isMobile: true } as const;

/** Records the text of the button that receives the next click; null for none. */
const RECORD_PRESSED = `{
  window.pressed = null;
  const record = ({ target }) => (window.pressed = target.closest('button')?.textContent ?? null);
  window.addEventListener('click', record, { capture: true, once: true });
}`;

/** A window of the capture page with the controls of this page, by the texts that a person reads. */
export class CaptureWindow {
  constructor(readonly window: WebWindow) {}

  /**
   * Presses a button once it can be pressed; again, as a person does, if it moved from under the pointer meanwhile, such as
   * when the camera turns out to have a picture of another shape.
   * @param name its accessible name
   */
  async press(name: string): Promise<void> {
    const { page } = this.window;
    const button = page.locator(`::-p-aria([name="${name}"][role="button"])`);
    for (;;) {
      const handle = await button.waitHandle();
      const label: unknown = await (await handle.getProperty('textContent')).jsonValue();
      await page.evaluate(RECORD_PRESSED);
      await button.click();
      // Without a record, the page was left, or is being left: it has received the click.
      const pressed = await page.evaluate('window.pressed').catch(() => undefined);
      if (pressed === label || pressed === undefined) return;
    }
  }

  /** Waits for a text, and looks for what assistive technology could not use. */
  async expectText(text: string): Promise<void> {
    await this.window.page.locator(`::-p-text(${text})`).wait();
    expect([text, await this.window.findAccessibilityProblems()]).toEqual([text, []]);
  }

  /** Passes the first screen. */
  async consent(): Promise<void> {
    await this.expectText('Before you start');
    await this.press('I agree and continue');
  }

  /** Takes one picture of the face in place of movements, and accepts it. */
  async takeSelfie(): Promise<void> {
    await this.press('I cannot perform movements');
    await this.expectText('Take a picture of your face');
    await this.press('Take picture');
    await this.expectText('Is your face clearly visible?');
    await this.press('Use this picture');
  }
}

export interface CaptureWindowOptions {
  /** Size and kind of the device. @default a phone without touch */
  viewport?: object;
  /** Statuses of responses that the test provokes. */
  statuses?: readonly number[];
  /** Changes the page before the link is opened. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** Opens a link to the capture page in a browser of its own. */
export async function openCaptureLink(
  browser: Browser,
  url: string | null,
  { viewport = PHONE, statuses = [], prepare }: CaptureWindowOptions = {},
): Promise<CaptureWindow> {
  const window = await openWindow(browser, { expectedStatuses: statuses });
  await prepare?.(window.page);
  await window.page.setViewport({ ...DESKTOP, ...viewport });
  const { pathname, hash } = new URL(url ?? '');
  await window.page.goto(`${getOrigin()}${pathname}${hash}`);
  return new CaptureWindow(window);
}
