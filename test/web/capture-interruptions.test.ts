import type { Browser, Page } from 'puppeteer';
import sharp from 'sharp';
import { makeDemoImages } from '../../scripts/demo/images';
import { openCaptureLink, PHONE_WITH_TOUCH } from '../support/capture-window';
import { call } from '../support/client';
import { holdRequests } from '../support/console-page';
import { createFakeCamera, createPlainPicture } from '../support/fake-camera';
import type { FakeCamera } from '../support/fake-camera';
import { createSession, getSession } from '../support/identity/identity';
import { pollUntilFound } from '../support/poll';
import { closeTestPlatform, createTenant } from '../support/tenant';
import { DESKTOP, openBrowser } from '../support/web';
import { EVENT_LIMIT_MS } from '../support/limits';

let key: string;
let camera: FakeCamera;
let browser: Browser;

beforeAll(async () => {
  const [tenant, images, fake] = await Promise.all([createTenant('Interrupted'), makeDemoImages(), createFakeCamera()]);
  key = tenant.identityKey;
  camera = fake;
  await camera.show(images.selfie.body);
  browser = await openBrowser({ args: camera.args });
});
afterAll(async () => {
  await browser.close();
  await camera.remove();
  await closeTestPlatform();
});

/** As when another app takes the camera, or a cable is pulled: `stop` of the page itself causes no event. */
const endTrack = (page: Page): Promise<unknown> =>
  page.evaluate(`{
    const [track] = document.querySelector('video').srcObject.getTracks();
    track.stop();
    track.dispatchEvent(new Event('ended'));
  }`);

/** As when the person switches to another app, or back. */
const setVisibility = (page: Page, state: 'hidden' | 'visible'): Promise<unknown> =>
  page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => ${JSON.stringify(state)} });
    document.dispatchEvent(new Event('visibilitychange'));
  }`);

const isPlaying =
  "document.querySelector('video')?.srcObject?.active === true && !document.querySelector('video').paused";

test('a camera that stops is explained, and opened again by the person or when the page is shown again', async () => {
  const { url } = await createSession(key, { features: ['liveness'] });
  const phone = await openCaptureLink(browser, url, { viewport: PHONE_WITH_TOUCH });
  const { page, problems } = phone.window;
  await phone.consent();
  await phone.expectText('Show that you are here');
  await page.waitForFunction(isPlaying);
  await endTrack(page);
  await phone.expectText('The camera has stopped');
  // There is no button for files on this screen: the text names the one that leads there.
  await phone.expectText('You can also choose “I cannot perform movements” and use a file.');
  await phone.press('Try again');
  await page.waitForFunction(isPlaying);
  await setVisibility(page, 'hidden');
  await endTrack(page);
  await phone.expectText('The camera has stopped');
  await setVisibility(page, 'visible');
  await page.waitForFunction(isPlaying);
  await phone.press('I cannot perform movements');
  await phone.expectText('Take a picture of your face');
  await page.waitForFunction(isPlaying);
  await endTrack(page);
  await phone.expectText('You can also choose a file.');
  await phone.press('Perform the movements instead');
  await phone.expectText('Show that you are here');
  expect(problems).toEqual([]);
  await phone.window.close();
});

test('a camera that stops while it is opened is explained, too', async () => {
  const { url } = await createSession(key, { features: ['liveness'] });
  const endWhileOpening = `{
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = async function () {
      HTMLMediaElement.prototype.play = play;
      const [track] = this.srcObject.getTracks();
      track.stop();
      track.dispatchEvent(new Event('ended'));
    };
  }`;
  const prepare = (page: Page) => page.evaluateOnNewDocument(endWhileOpening);
  const phone = await openCaptureLink(browser, url, { viewport: PHONE_WITH_TOUCH, prepare });
  await phone.consent();
  await phone.expectText('The camera has stopped');
  await phone.press('Try again');
  await phone.window.page.waitForFunction(isPlaying);
  expect(phone.window.problems).toEqual([]);
  await phone.window.close();
});

test('a long name of the organisation stays within a window of 320 px', async () => {
  const { identityKey } = await createTenant('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunternehmen');
  const { url } = await createSession(identityKey, { features: ['liveness'] });
  const phone = await openCaptureLink(browser, url, { viewport: { width: 320, height: 640 } });
  const { page, problems } = phone.window;
  const measureWidth = () => page.evaluate('document.documentElement.scrollWidth');
  await phone.expectText('Before you start');
  expect(await measureWidth()).toBe(320);
  await phone.consent();
  await phone.expectText('Show that you are here');
  expect(await measureWidth()).toBe(320);
  expect(problems).toEqual([]);
  await phone.window.close();
});

test('movements that are interrupted send no pictures and are begun again', async () => {
  const { id, url } = await createSession(key, { features: ['liveness'] });
  const phone = await openCaptureLink(browser, url, { viewport: PHONE_WITH_TOUCH });
  const { page, problems } = phone.window;
  // The movements take seconds: only the text is awaited before they are interrupted.
  const begin = async (): Promise<void> => {
    await phone.press('Begin');
    await page.locator('::-p-text(Look straight at the camera)').wait();
  };
  await phone.consent();
  await begin();
  await setVisibility(page, 'hidden');
  await setVisibility(page, 'visible');
  await phone.expectText('The page was left while the pictures were taken.');
  await begin();
  await endTrack(page);
  await phone.expectText('The camera has stopped');
  await phone.press('Try again');
  await page.locator('main button:not([disabled])::-p-text(Begin)').wait();
  expect((await getSession(key, id)).steps).toMatchObject([{ attempts: 0 }]);
  expect(problems).toEqual([]);
  await phone.window.close();
});

test('a chosen picture is scaled without the place where it was taken, and can be sent again after its upload was cancelled', async () => {
  const { selfie } = await makeDemoImages();
  const large = await sharp(selfie.body)
    .resize({ width: 3000 })
    .withExif({ IFD3: { GPSLatitude: '53/1 33/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg({ quality: 98 })
    .toBuffer();
  const { id, url } = await createSession(key, { features: ['liveness'] });
  const phone = await openCaptureLink(browser, url, { viewport: PHONE_WITH_TOUCH });
  const { page, problems } = phone.window;
  await phone.consent();
  await phone.press('I cannot perform movements');
  const [chooser] = await Promise.all([page.waitForFileChooser(), phone.press('Choose a file')]);
  await chooser.accept([await camera.saveFile('large.jpg', large)]);
  await phone.expectText('Is your face clearly visible?');
  await page.emulateNetworkConditions({ download: 1_000_000, upload: 2000, latency: 0 });
  await phone.press('Use this picture');
  await phone.expectText('Sending …');
  await phone.press('Cancel');
  await phone.expectText('Is your face clearly visible?');
  await page.emulateNetworkConditions(null);
  await phone.press('Use this picture');
  const { steps, evidence } = await pollUntilFound(async () => {
    const session = await getSession(key, id);
    return session.steps.some(({ attempts }) => attempts > 0) ? session : undefined;
  });
  expect(steps).toMatchObject([{ attempts: 1 }]);
  expect(evidence).toHaveLength(1);
  const link = await call('GET', `/v1/sessions/${id}/evidence/${evidence[0]?.id ?? ''}`, { key });
  const { pathname, search } = new URL(String(link.body['url']));
  const { bytes } = await call('GET', pathname + search);
  const { width = 0, height = 0, exif } = await sharp(bytes).metadata();
  expect(Math.max(width, height)).toBe(1280);
  expect(exif).toBeUndefined();
  expect(problems).toEqual([]);
  await phone.window.close();
});

test('a person who stayed on the computer can still continue on a phone, and changes the document without losing it', async () => {
  // The shutter does not release by itself.
  await camera.show(await createPlainPicture());
  const { url } = await createSession(key, { features: ['id'] });
  const computer = await openCaptureLink(browser, url, { viewport: DESKTOP });
  const { page, problems } = computer.window;
  await computer.consent();
  await computer.press('Continue on this device');
  await computer.expectText('Which document do you have at hand?');
  await page.select('main select', 'SE');
  await page.locator('::-p-aria([name="Identity card"][role="radio"])').click();
  await computer.press('Continue');
  await computer.expectText('Front of the document');
  await computer.press('Continue on a phone');
  await page.locator('svg[data-text]').wait();
  await computer.press('Continue on this device');
  await computer.expectText('Front of the document');
  await computer.press('Choose another document');
  await computer.expectText('Which document do you have at hand?');
  expect(await page.evaluate("document.querySelector('main select').value")).toBe('SE');
  await computer.press('Continue');
  await computer.expectText('Front of the document');
  expect(problems).toEqual([]);
  await computer.window.close();
});

test('a second verification that is opened in the same browser replaces the first one in every window', async () => {
  const other = await createTenant('Second Bank');
  const first = await createSession(key, { features: ['liveness'] });
  const second = await createSession(other.identityKey, { features: ['liveness'] });
  const phone = await openCaptureLink(browser, first.url, { viewport: PHONE_WITH_TOUCH });
  await phone.expectText('Before you start');
  await phone.expectText('Interrupted');
  const tab = await phone.window.context.newPage();
  tab.setDefaultTimeout(EVENT_LIMIT_MS);
  await tab.goto(second.url ?? '');
  await tab.locator('header ::-p-text(Second Bank)').wait();
  await phone.window.page.bringToFront();
  await phone.window.page.locator('header ::-p-text(Second Bank)').wait();
  await phone.consent();
  await phone.expectText('Show that you are here');
  expect((await getSession(key, first.id)).consent).toBeNull();
  expect((await getSession(other.identityKey, second.id)).consent).toMatchObject({ language: 'en' });
  expect(phone.window.problems).toEqual([]);
  await phone.window.close();
});

test('the language in which a person consents remains after a reload and on another device', async () => {
  const { id, url } = await createSession(key, { features: ['liveness'], language: 'en' });
  const phone = await openCaptureLink(browser, url, { viewport: PHONE_WITH_TOUCH });
  const { page, problems } = phone.window;
  await phone.expectText('Before you start');
  await page.select('header select', 'fr');
  await phone.expectText('Avant de commencer');
  await phone.press('J’accepte et je continue');
  await phone.expectText('Montrez que c’est bien vous');
  await page.reload();
  await phone.expectText('Montrez que c’est bien vous');
  const { body } = await call('POST', `/v1/sessions/${id}/links`, { key });
  const { url: other } = body['link'] as { url: string };
  const second = await openCaptureLink(browser, other, { viewport: PHONE_WITH_TOUCH });
  await second.expectText('Montrez que c’est bien vous');
  expect([...problems, ...second.window.problems]).toEqual([]);
  await Promise.all([phone.window.close(), second.window.close()]);
});

test('a person agrees only to the text that is shown, also while that of another language is on its way', async () => {
  const { id, url } = await createSession(key, { features: ['liveness'], language: 'en' });
  const phone = await openCaptureLink(browser, url, { viewport: PHONE_WITH_TOUCH });
  const { page, problems } = phone.window;
  await page.locator('::-p-aria([name="I agree and continue"][role="button"])').wait();
  const release = await holdRequests(page, '/v1/capture/consent');
  await page.select('header select', 'fr');
  await page.locator('::-p-text(Avant de commencer)').wait();
  expect(await page.$('main p')).toBeNull();
  expect(await page.$('::-p-aria([name="J’accepte et je continue"][role="button"])')).toBeNull();
  release();
  await phone.press('J’accepte et je continue');
  await phone.expectText('Montrez que c’est bien vous');
  expect((await getSession(key, id)).consent).toMatchObject({ language: 'fr' });
  expect(problems).toEqual([]);
  await phone.window.close();
});

test('a code for the phone is replaced before it expires', async () => {
  const { url } = await createSession(key, { features: ['liveness'] });
  // Nine minutes take a second.
  const hurry = `{
    const wait = window.setTimeout;
    window.setTimeout = (run, ms, ...rest) => wait(run, ms > 500_000 ? 1000 : ms, ...rest);
  }`;
  const prepare = (page: Page) => page.evaluateOnNewDocument(hurry);
  const computer = await openCaptureLink(browser, url, { viewport: DESKTOP, prepare });
  const { page, problems } = computer.window;
  await computer.consent();
  // Read at once: the code is not in the page while another one is requested.
  const code = await page.waitForFunction("document.querySelector('svg[data-text]')?.dataset.text");
  const first = String(await code.jsonValue());
  await page.waitForFunction(
    `(document.querySelector('svg[data-text]')?.dataset.text ?? ${JSON.stringify(first)}) !== ${JSON.stringify(first)}`,
  );
  expect(problems).toEqual([]);
  await computer.window.close();
});

test('a page whose events were refused, as during a restart, follows the capture again', async () => {
  const { id, url } = await createSession(key, { features: ['liveness'] });
  let refusals = 0;
  const refuseOnce = async (page: Page): Promise<void> => {
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isRefused = request.url().endsWith('/v1/capture/events') && refusals === 0;
      if (isRefused) refusals += 1;
      void (isRefused ? request.respond({ status: 503 }) : request.continue());
    });
  };
  const phone = await openCaptureLink(browser, url, { statuses: [503], prepare: refuseOnce });
  await phone.expectText('Before you start');
  expect(refusals).toBe(1);
  await call('POST', `/v1/sessions/${id}/cancel`, { key, json: {} });
  await phone.expectText('This verification has ended');
  expect(phone.window.problems).toEqual([]);
  await phone.window.close();
});

test('a picture that the service refuses is not shown as being sent, and another one is offered first', async () => {
  const { url } = await createSession(key, { features: ['liveness'] });
  const phone = await openCaptureLink(browser, url, { viewport: PHONE_WITH_TOUCH, statuses: [413] });
  const { page, problems } = phone.window;
  await phone.consent();
  await phone.press('I cannot perform movements');
  await phone.press('Take picture');
  await phone.expectText('Is your face clearly visible?');
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isSent = request.method() === 'POST' && new URL(request.url()).pathname.startsWith('/v1/capture/');
    const error = { ok: false, error: { code: 'file_too_large', message: 'Too large.', details: {} } };
    void (isSent
      ? request.respond({ status: 413, contentType: 'application/json', body: JSON.stringify(error) })
      : request.continue());
  });
  await phone.press('Use this picture');
  await phone.expectText('Not sent');
  expect(await phone.window.readText('h1')).toBe('Not sent');
  expect(await page.$('button[data-variant=filled]::-p-text(Take another picture)')).not.toBeNull();
  expect(problems).toEqual([]);
  await phone.window.close();
});
