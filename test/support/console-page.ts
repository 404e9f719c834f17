import type { Page } from 'puppeteer';
import { pollUntilFound } from './poll';
import { DESKTOP, PHONE } from './web';
import type { WebWindow } from './web';

/** The link, button or entry of a menu with this name. */
export const control = (page: Page, role: 'link' | 'button' | 'menuitem' | 'tab', name: string) =>
  page.locator(`::-p-aria([name="${name}"][role="${role}"])`);

/** The field with this label. */
export const field = (page: Page, label: string) =>
  page.locator(`::-p-xpath(//*[@id = //label[starts-with(normalize-space(.), "${label}")]/@for])`);

/** Text that is shown; what is typed into a field, and the options of its closed list, are not. */
export const text = (page: Page, content: string) =>
  page.locator(
    `::-p-xpath(//*[not(self::textarea or ancestor-or-self::*[@role="option"])][contains(text(), "${content}")])`,
  );

/** The button that sends the open dialog. */
export const sendDialog = (page: Page) => page.locator('[role=dialog] button[type=submit]');

const IS_FOCUS_INSIDE = `(() => {
  const dialogs = [...document.querySelectorAll('[role=dialog][aria-modal=true]')];
  return dialogs.length === 0 || dialogs.some((dialog) => dialog.contains(document.activeElement));
})()`;

/**
 * Waits until a dialog that opens has moved the focus to itself, which would close a list that was opened before. It moves
 * the focus twice, the second time after it was painted.
 */
export async function settleFocus(page: Page): Promise<void> {
  await page.waitForFunction(IS_FOCUS_INSIDE);
  await page.evaluate('new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve)))');
}

/** Waits until a dialog is open and has moved the focus to itself, so that its fields can be used. */
export async function awaitOpenDialog(page: Page): Promise<void> {
  await page.waitForSelector('[role=dialog]');
  await settleFocus(page);
}

/** Waits until a dialog no longer covers the page. */
export const awaitClosedDialog = (page: Page) => page.waitForSelector('[role=dialog]', { hidden: true });

/**
 * Holds the requests of a path back, as a slow connection does.
 * @returns a function that sends them and those that follow
 */
export async function holdRequests(page: Page, pathname: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isHeld = new URL(request.url()).pathname === pathname;
    void (isHeld ? released.then(() => request.continue()) : request.continue());
  });
  return release;
}

/** Chooses from a field with a list. */
export async function pick(page: Page, label: string, option: string): Promise<void> {
  await field(page, label).wait();
  await settleFocus(page);
  await field(page, label).click();
  await page.locator(`::-p-xpath(//*[@role="option"][contains(., "${option}")])`).click();
}

/** Types over the content of a field, and finds out whether the field kept the focus until the end. */
async function typeOver(page: Page, label: string, value: string): Promise<true | undefined> {
  // The click waits until the field stands still: a dialog that opens moves the focus once more.
  await field(page, label).click();
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyA');
  await page.keyboard.up('Control');
  if (value === '') await page.keyboard.press('Backspace');
  else await page.keyboard.type(value);
  const input = await field(page, label).waitHandle();
  return (
    (await input.evaluate((element) =>
      (element as unknown as { matches: (css: string) => boolean }).matches(':focus'),
    )) || undefined
  );
}

/**
 * Replaces the content of a field as a user does, which `fill` of a controlled field does not. A dialog can move the focus to
 * itself until it was painted, which a busy machine does late: then the rest of the text has not reached the field.
 */
export async function retype(page: Page, label: string, value: string): Promise<void> {
  await pollUntilFound(() => typeOver(page, label, value));
}

/** Chooses from a field that searches as the user types. */
export async function choose(page: Page, label: string, search: string): Promise<void> {
  await field(page, label).click();
  await page.keyboard.type(search);
  await page.locator(`::-p-xpath(//*[@role="option"][contains(., "${search}")])`).click();
}

/**
 * The page as it is shown on a desktop, and on a phone in dark mode, has no violation of WCAG 2.2 AA, and a phone does not
 * scroll it sideways.
 */
export async function expectSuitable(window: WebWindow, path: string): Promise<void> {
  const { page } = window;
  await page.setViewport(DESKTOP);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  await window.open(path);
  const found = await window.findAccessibilityProblems();
  await page.setViewport(PHONE);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  found.push(...(await window.findAccessibilityProblems()));
  const width = await page.evaluate('document.documentElement.scrollWidth');
  await page.setViewport(DESKTOP);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  expect([path, found, width]).toEqual([path, [], PHONE.width]);
}
