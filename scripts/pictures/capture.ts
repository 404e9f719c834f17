import type { Browser, Page } from 'puppeteer';
import { readObject, readText } from '../demo/client';
import type { Client } from '../demo/client';
import { openPage, settle } from './browser';
import type { Scheme, Size } from './browser';

const button = (name: string): string => `::-p-aria([name="${name}"][role="button"])`;

/** Texts that show which screen of the capture page is open. */
const SCREENS = {
  phone: 'Continue on your phone?',
  choice: 'Which document do you have at hand?',
  document: 'Open the passport at the page with your photo',
  liveness: 'Show that you are here',
};

const createSession = async (client: Client, features: readonly string[]): Promise<string> =>
  readText(readObject(await client.json('POST', '/v1/sessions', { features }), 'session'), 'url');

/** How the capture page is looked at. */
export interface CaptureView {
  browser: Browser;
  client: Client;
  size: Size;
  scheme: Scheme;
  /** Saves a picture of the page. */
  save: (page: Page, name: string) => Promise<void>;
}

/** Gives consent; a computer then offers the phone and stays here. */
async function beginSession(
  { browser, client, size, scheme }: CaptureView,
  features: readonly string[],
): Promise<Page> {
  const page = await openPage(browser, size, scheme);
  await page.goto(await createSession(client, features), { waitUntil: 'networkidle2' });
  await page.locator(button('I agree and continue')).wait();
  return page;
}

async function consent(view: CaptureView, page: Page, name?: string): Promise<void> {
  await page.locator(button('I agree and continue')).click();
  if (view.size === 'phone') return;
  await page.locator(`::-p-text(${SCREENS.phone})`).wait();
  await settle(page);
  if (name !== undefined) await view.save(page, name);
  await page.locator(button('Continue on this device')).click();
}

/** Photographs the screens of a document: consent, hand-over of a computer, choice and camera. */
async function photographDocument(view: CaptureView): Promise<void> {
  const page = await beginSession(view, ['id']);
  await view.save(page, 'capture');
  await consent(view, page, 'capture-phone');
  await page.locator(`::-p-text(${SCREENS.choice})`).wait();
  await view.save(page, 'capture-choice');
  await page.select('main select', 'SE');
  await page.locator('::-p-aria([name="Passport"][role="radio"])').click();
  await page.locator(button('Continue')).click();
  await page.locator(`::-p-text(${SCREENS.document})`).wait();
  await settle(page);
  await view.save(page, 'capture-document');
  await page.browserContext().close();
}

/** Photographs the first screen of the movements, and the camera for one picture in their place. */
async function photographSelfie(view: CaptureView): Promise<void> {
  const page = await beginSession(view, ['liveness']);
  await consent(view, page);
  await page.locator(`::-p-text(${SCREENS.liveness})`).wait();
  await settle(page);
  await view.save(page, 'capture-liveness');
  await page.locator(button('I cannot perform movements')).click();
  await page.locator(button('Take picture')).click();
  await page.locator(button('Use this picture')).wait();
  await view.save(page, 'capture-selfie');
  await page.browserContext().close();
}

/** Photographs the screens of the capture page that a person passes before a check runs. */
export async function photographCapture(view: CaptureView): Promise<void> {
  await photographDocument(view);
  await photographSelfie(view);
}
