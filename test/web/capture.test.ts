import type { Browser, Page } from 'puppeteer';
import sharp from 'sharp';
import { CaptureLink } from '../../models/identity/capture/capture-link';
import { Session } from '../../models/identity/sessions/session';
import { makeDemoImages } from '../../scripts/demo/images';
import type { DemoImages } from '../../scripts/demo/images';
import { getOrigin } from '../support/browser';
import { CaptureWindow, openCaptureLink, PHONE_WITH_TOUCH } from '../support/capture-window';
import { call } from '../support/client';
import { createFakeCamera, createPlainPicture } from '../support/fake-camera';
import { installMovingCamera, requestShownMovements } from '../support/moving-camera';
import type { FakeCamera } from '../support/fake-camera';
import { createSession, createSessionInReview, getSession, postDecision } from '../support/identity/identity';
import { createSessionWorkflow } from '../support/identity/session-templates';
import { closeTestPlatform, createTenant, getTestPlatform } from '../support/tenant';
import type { Tenant } from '../support/tenant';
import { closeWithoutProblems, DESKTOP, openBrowser, openWindow, PHONE } from '../support/web';

let tenant: Tenant;
let key: string;
let images: DemoImages;
let camera: FakeCamera;
let browser: Browser;

beforeAll(async () => {
  [tenant, images, camera] = await Promise.all([createTenant('Lantern Bank'), makeDemoImages(), createFakeCamera()]);
  key = tenant.identityKey;
  await camera.show(images.passport.body);
  browser = await openBrowser({ args: camera.args });
});
afterAll(async () => {
  await browser.close();
  await camera.remove();
  await closeTestPlatform();
});

const openLink = (
  url: string | null,
  viewport: object = PHONE,
  statuses: number[] = [],
  prepare: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<CaptureWindow> => openCaptureLink(browser, url, { viewport, statuses, prepare });

const ERRORS_OF_LOST_CONNECTION = /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/;

test('a person is verified from link to decision on a phone; finished steps survive a reload, and nothing remains', async () => {
  const { id, url } = await createSession(key, { callbackUrl: `${getOrigin()}/healthz` });
  const phone = await openLink(url, PHONE_WITH_TOUCH);
  const { page, problems } = phone.window;
  await phone.consent();
  await phone.expectText('Which document do you have at hand?');
  await phone.press('Continue');
  await phone.expectText('Choose the kind of document.');
  await page.select('main select', 'SE');
  await page.locator('::-p-aria([name="Passport"][role="radio"])').click();
  await phone.press('Continue');
  await phone.expectText('Open the passport at the page with your photo');
  // The shutter releases by itself, because the picture is good.
  await phone.expectText('Is everything easy to read?');
  await camera.show(images.selfie.body);
  await phone.press('Use this picture');
  await phone.expectText('Show that you are here');
  expect(new URL(page.url()).hash).toBe('');
  await page.reload();
  await phone.expectText('Show that you are here');
  await phone.takeSelfie();
  await phone.expectText('Your identity is verified');
  expect((await getSession(key, id)).consent).toMatchObject({ language: 'en' });
  expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
  await Promise.all([page.waitForNavigation(), phone.press('Return to Lantern Bank')]);
  expect(page.url()).toBe(`${getOrigin()}/healthz?session_id=${id}&status=approved`);
  const cookies = await phone.window.context.cookies();
  expect(cookies.filter(({ name }) => name.startsWith('vouch_capture'))).toEqual([]);
  expect(problems).toEqual([]);
  await phone.window.close();
});

test('a computer hands over to a phone and follows it, and a picture whose connection was lost is sent once', async () => {
  // Another person than the one verified before.
  await camera.show(images.otherSelfie.body);
  const { id, url } = await createSession(key, { features: ['liveness'] });
  const computer = await openLink(url, DESKTOP);
  await computer.consent();
  await computer.expectText('Continue on your phone?');
  await computer.window.page.locator('svg[data-text]').wait();
  const handOver = String(await computer.window.page.evaluate("document.querySelector('svg[data-text]').dataset.text"));
  const phone = await openLink(handOver, PHONE_WITH_TOUCH);
  await phone.expectText('Show that you are here');
  await computer.expectText('This page follows along.');
  // The camera of the phone does not work: the code for another one is shown until it is opened.
  await computer.press('Show a new code');
  await computer.window.page.locator('svg[data-text]').wait();
  const next = String(await computer.window.page.evaluate("document.querySelector('svg[data-text]').dataset.text"));
  expect(next).not.toBe(handOver);
  const otherPhone = await openLink(next, PHONE_WITH_TOUCH);
  await otherPhone.expectText('Show that you are here');
  await computer.expectText('This page follows along.');
  await otherPhone.window.close();
  await phone.press('I cannot perform movements');
  await phone.press('Take picture');
  await phone.window.page.setOfflineMode(true);
  await phone.press('Use this picture');
  await phone.expectText('The connection was lost.');
  await phone.window.page.setOfflineMode(false);
  await Promise.all([computer.expectText('Your identity is verified'), phone.expectText('Your identity is verified')]);
  expect((await getSession(key, id)).steps).toMatchObject([{ attempts: 1, status: 'passed' }]);
  expect(computer.window.problems).toEqual([]);
  expect(phone.window.problems.filter((problem) => !ERRORS_OF_LOST_CONNECTION.test(problem))).toEqual([]);
  await Promise.all([computer.window.close(), phone.window.close()]);
});

test('a resubmission opens the requested step, with the movements of a challenge by keyboard, and says what to repeat', async () => {
  await camera.show(images.selfie.body);
  const { id } = await createSessionInReview(key);
  await postDecision(key, id, { decision: 'resubmit', steps: ['liveness'] });
  const { body } = await call('POST', `/v1/sessions/${id}/links`, { key });
  const phone = await openLink((body['link'] as { url: string }).url, PHONE_WITH_TOUCH);
  const { page, problems } = phone.window;
  await phone.expectText('Before you start');
  await page.locator('::-p-aria([name="I agree and continue"][role="button"])').wait();
  await page.focus('main button');
  await page.keyboard.press('Enter');
  await phone.expectText('Show that you are here');
  await page.locator('main button:not([disabled])::-p-text(Begin)').wait();
  await page.focus('main button');
  await page.keyboard.press('Enter');
  await phone.expectText('Look straight at the camera');
  // The picture of a camera that shows a photograph does not move.
  await phone.expectText('Please take it again');
  const { steps, evidence } = await getSession(key, id);
  expect(steps).toMatchObject([{ feature: 'liveness', status: 'retry', attemptsLeft: 2 }]);
  const frames = evidence.filter(({ checkId }) => checkId === steps[0]?.checkIds.at(-1));
  expect(frames.length).toBeGreaterThan(12);
  expect(problems).toEqual([]);
  await phone.window.close();
});

test('a person who follows the movements passes active liveness', async () => {
  const { identityKey } = await createTenant('Movements');
  const { id, url } = await createSession(identityKey, { features: ['liveness'] });
  const phone = await openLink(url, PHONE_WITH_TOUCH, [], async (page) => {
    await installMovingCamera(page, {
      blink: 'Close your eyes, and open them again',
      come_closer: 'Come closer to the camera',
    });
    await requestShownMovements(page);
  });
  await phone.consent();
  await phone.expectText('Show that you are here');
  await phone.press('Begin');
  await phone.expectText('Your identity is verified');
  const { results, steps } = await getSession(identityKey, id);
  expect(steps).toMatchObject([{ feature: 'liveness', status: 'passed', attempts: 1 }]);
  expect(results.liveness).toMatchObject({ method: 'active', active: { unexpected: null, facelessFrames: 0 } });
  expect(phone.window.problems).toEqual([]);
  await phone.window.close();
});

test('a person who has begun the movements too often is led to a single picture', async () => {
  await camera.show(images.selfie.body);
  const { id, url } = await createSession(key, { features: ['liveness'] });
  await Session.updateOne({ _id: id }, { $set: { drawnChallenges: 10 } });
  const phone = await openLink(url, PHONE_WITH_TOUCH, [409]);
  await phone.consent();
  await phone.expectText('Show that you are here');
  await phone.press('Begin');
  await phone.expectText('Choose “I cannot perform movements” and take a single picture instead.');
  await phone.press('I cannot perform movements');
  await phone.expectText('Take a picture of your face');
  expect(phone.window.problems).toEqual([]);
  await phone.window.close();
});

test('a reload between front and back continues with the back, on another device too, under the logo of the organisation', async () => {
  const logo = await sharp({ create: { width: 120, height: 40, channels: 3, background: '#1a73e8' } })
    .png()
    .toBuffer();
  expect((await call('PUT', '/v1/branding/logo', { key, form: { logo: { body: logo } } })).status).toBe(200);
  const noDocument = await createPlainPicture();
  await camera.show(images.passport.body);
  const { id, url } = await createSession(key, { features: ['id'] });
  const phone = await openLink(url, PHONE_WITH_TOUCH);
  const { page, problems } = phone.window;
  await phone.consent();
  await phone.expectText('Which document do you have at hand?');
  await page.select('main select', 'SE');
  await page.locator('::-p-aria([name="Identity card"][role="radio"])').click();
  await phone.press('Continue');
  await phone.expectText('Front of the document');
  await phone.expectText('Is everything easy to read?');
  // The shutter would release for a document while the screen of the back is examined.
  await camera.show(noDocument);
  await phone.press('Use this picture');
  await phone.expectText('Back of the document');
  await page.reload();
  await phone.expectText('Back of the document');
  await page.waitForFunction("document.querySelector('header img')?.naturalWidth === 120");
  await camera.show(images.passport.body);
  await phone.press('Take the front again');
  await phone.expectText('Front of the document');
  await phone.expectText('Is everything easy to read?');
  await camera.show(noDocument);
  await phone.press('Use this picture');
  const { body } = await call('POST', `/v1/sessions/${id}/links`, { key });
  await phone.expectText('Back of the document');
  const other = await openLink((body['link'] as { url: string }).url, PHONE_WITH_TOUCH);
  await other.expectText('Back of the document');
  await other.press('Nothing is printed on the back');
  await other.expectText('Your pictures are being checked');
  const { evidence } = await getSession(key, id);
  expect(evidence.map(({ field }) => field)).toEqual(['frontImage']);
  expect([...problems, ...other.window.problems]).toEqual([]);
  await Promise.all([phone.window.close(), other.window.close()]);
});

test('a browser that cannot start the page says so in plain words', async () => {
  const open = async (prepare: (page: Page) => Promise<void>) => {
    const window = await openWindow(browser);
    await prepare(window.page);
    await window.page.goto(`${getOrigin()}/verify`);
    return window;
  };
  const withoutScripts = await open((page) => page.setJavaScriptEnabled(false));
  expect(await withoutScripts.readText('noscript')).toContain('This page needs JavaScript.');
  const withoutModules = await open(async (page) => {
    // As in a browser that does not know the syntax of the page.
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const isModule = request.resourceType() === 'script' && !request.url().includes('start-check');
      void (isModule
        ? request.respond({ contentType: 'text/javascript', body: 'this is no script' })
        : request.continue());
    });
  });
  await withoutModules.page.locator('#unsupported::-p-text(This page could not be started.)').wait();
  expect(await withoutModules.findAccessibilityProblems()).toEqual([]);
  const withoutCamera = await openLink((await createSession(key, { features: ['liveness'] })).url, PHONE, [], (page) =>
    page
      .evaluateOnNewDocument("Object.defineProperty(Navigator.prototype, 'mediaDevices', { get: () => undefined })")
      .then(() => undefined),
  );
  await withoutCamera.consent();
  await withoutCamera.expectText('This browser cannot use the camera here.');
  expect(withoutCamera.window.problems).toEqual([]);
  await Promise.all([withoutScripts.close(), withoutModules.close(), withoutCamera.window.close()]);
});

test('links that cannot be opened, and a camera that is refused, are explained with the next step', async () => {
  const used = await createSession(key);
  const first = await openLink(used.url);
  await first.expectText('Before you start');
  await first.window.close();
  const erased = await createSession(key);
  await call('DELETE', `/v1/sessions/${erased.id}`, { key });
  const expired = await createSession(key);
  await getTestPlatform();
  await CaptureLink.updateMany({ sessionId: expired.id }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
  const cases: [string | null, string][] = [
    [used.url, 'This link has been used already.'],
    [erased.url, 'The data of this verification has been erased'],
    [expired.url, 'This link has expired.'],
    [`${getOrigin()}/verify#unknown`, 'This link is not valid.'],
    [`${getOrigin()}/verify`, 'Open the link that you received.'],
  ];
  for (const [url, text] of cases) {
    const shown = await openLink(url, PHONE, [401, 404, 410]);
    await shown.expectText(text);
    expect(shown.window.problems).toEqual([]);
    await shown.window.close();
  }
});

test.each([
  ['zh-Hant-TW', 'en'],
  ['de-latn-AT', 'de'],
])('a session in %s is shown in the language %s', async (language, shown) => {
  const { url } = await createSession(key, { features: ['poa'], language });
  const window = await openWindow(browser);
  await window.page.goto(url ?? '');
  await new CaptureWindow(window).expectText(shown === 'de' ? 'Ich willige ein, weiter' : 'I agree and continue');
  expect(await window.page.evaluate('document.documentElement.lang')).toBe(shown);
  await window.close();
});

test('without a camera a file is accepted; the page is usable in Arabic, at 320 px and in the dark', async () => {
  const { url } = await createSession(key, { features: ['poa'], language: 'ar' });
  const window = await openWindow(browser);
  const { page } = window;
  await page.setViewport({ width: 320, height: 640 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await page.evaluateOnNewDocument(
    "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('Refused.', 'NotAllowedError'))",
  );
  const phone = new CaptureWindow(window);
  await page.goto(url ?? '');
  await phone.expectText('أوافق وأتابع');
  const layout = 'document.documentElement.dir + (document.documentElement.scrollWidth > innerWidth ? " wide" : "")';
  expect(await page.evaluate(layout)).toBe('rtl');
  await phone.press('أوافق وأتابع');
  await phone.expectText('لا يسمح المتصفح لهذه الصفحة باستخدام الكاميرا');
  expect(await page.evaluate(layout)).toBe('rtl');
  const chooser = await Promise.all([page.waitForFileChooser(), phone.press('اختيار صورة أو ملف PDF')]);
  await chooser[0].accept([await camera.saveFile('letter.jpg', images.passport.body)]);
  await phone.expectText('هل كل شيء واضح للقراءة؟');
  await phone.press('استخدام هذه الصورة');
  await phone.expectText('يجري فحص صورك');
  await closeWithoutProblems(window);
});

test('a colour of the organisation that resembles the page, or any text on it, is changed until it can be read', async () => {
  const measure = `(() => {
    const button = getComputedStyle([...document.querySelectorAll('main button')].at(-1));
    const luminance = (color) => {
      const [r, g, b] = color.match(/[0-9.]+/g).slice(0, 3).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, other) => {
      const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const page = getComputedStyle(document.body).backgroundColor;
    return [contrast(button.backgroundColor, page) >= 3, contrast(button.color, button.backgroundColor) >= 4.5];
  })()`;
  const schemes = ['light', 'dark'] as const;
  for (const primaryColor of ['#ffffff', '#ffe000', '#e8590c', '#1c1c1c']) {
    const { id } = await createSessionWorkflow(key, { name: primaryColor, branding: { primaryColor } });
    const { url } = await createSession(key, { workflowId: id, features: ['liveness'] });
    const phone = await openLink(url, PHONE_WITH_TOUCH);
    const { page, problems } = phone.window;
    await phone.expectText('Before you start');
    await page.locator('::-p-aria([name="I agree and continue"][role="button"])').wait();
    for (const value of schemes) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      expect([primaryColor, value, await page.evaluate(measure)]).toEqual([primaryColor, value, [true, true]]);
      expect(await phone.window.findAccessibilityProblems()).toEqual([]);
    }
    expect(problems).toEqual([]);
    await phone.window.close();
  }
});
