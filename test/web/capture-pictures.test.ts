import type { Browser, Page } from 'puppeteer';
import { openCaptureLink, PHONE_WITH_TOUCH } from '../support/capture-window';
import { createFakeCamera } from '../support/fake-camera';
import type { FakeCamera } from '../support/fake-camera';
import { createSession, getSession } from '../support/identity/identity';
import { closeTestPlatform, createTenant } from '../support/tenant';
import { openBrowser } from '../support/web';

let key: string;
let camera: FakeCamera;
let browser: Browser;

beforeAll(async () => {
  const [tenant, fake] = await Promise.all([createTenant('Pictures'), createFakeCamera()]);
  key = tenant.identityKey;
  camera = fake;
  browser = await openBrowser({ args: camera.args });
});
afterAll(async () => {
  await browser.close();
  await camera.remove();
  await closeTestPlatform();
});

/** Replaces the camera by one whose picture has another shape, such as that of a phone held upright. */
const installCamera = (page: Page, width: number, height: number): Promise<unknown> =>
  page.evaluateOnNewDocument(`{
    // The blank page before the first navigation has no media devices.
    if (navigator.mediaDevices !== undefined) navigator.mediaDevices.getUserMedia = async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
      const context = canvas.getContext('2d');
      const draw = () => {
        context.fillStyle = '#8a8f94';
        context.fillRect(0, 0, canvas.width, canvas.height);
        requestAnimationFrame(draw);
      };
      draw();
      return canvas.captureStream(30);
    };
  }`);

interface Shown {
  /** Size of the frame in pixels of the camera, with the margin around it that is sent, too. */
  width: number;
  height: number;
  isInside: boolean;
}

/** The frame as the person sees it, measured in pixels of the picture below it. */
const MEASURE_FRAME = `(() => {
  const video = document.querySelector('video');
  const picture = video.getBoundingClientRect();
  const frame = video.nextElementSibling.getBoundingClientRect();
  const scale = Math.max(picture.width / video.videoWidth, picture.height / video.videoHeight);
  const withMargin = 2 * 0.05 * frame.width;
  return {
    width: (frame.width + withMargin) / scale,
    height: (frame.height + withMargin) / scale,
    isInside: frame.left >= picture.left && frame.right <= picture.right && frame.top >= picture.top && frame.bottom <= picture.bottom,
  };
})()`;

/** Where the shutter begins, in pixels from the upper edge of the page. */
const FIND_SHUTTER = `[...document.querySelectorAll('main button')]
  .find(({ textContent }) => textContent === 'Take picture').getBoundingClientRect().top`;

const cases = [
  { shape: 'a phone held upright', subject: 'document', size: [720, 1280], features: ['id'] },
  { shape: 'a phone held upright', subject: 'letter', size: [720, 1280], features: ['poa'] },
  { shape: 'a wide computer camera', subject: 'face', size: [1280, 720], features: ['liveness'] },
  { shape: 'an old computer camera', subject: 'letter', size: [640, 480], features: ['poa'] },
] as const;

test.each(cases)(
  'the frame for a $subject shows what is sent from the camera of $shape',
  async ({ subject, size: [width, height], features }) => {
    const { url } = await createSession(key, { features });
    const prepare = (page: Page) => installCamera(page, width, height);
    const phone = await openCaptureLink(browser, url, { viewport: PHONE_WITH_TOUCH, prepare });
    const { page, problems } = phone.window;
    await phone.consent();
    if (subject === 'face') await phone.press('I cannot perform movements');
    if (subject === 'document') {
      await phone.expectText('Which document do you have at hand?');
      await page.select('main select', 'SE');
      await page.locator('::-p-aria([name="Passport"][role="radio"])').click();
      await phone.press('Continue');
    }
    await page.waitForFunction(`document.querySelector('video')?.videoWidth === ${width}`);
    await page.locator('main button:not([disabled])::-p-text(Take picture)').wait();
    const shown = (await page.evaluate(MEASURE_FRAME)) as Shown;
    expect(shown.isInside).toBe(true);
    // The hint of the first examination, which may take two lines, leaves the shutter where it was.
    const before = await page.evaluate(FIND_SHUTTER);
    await page.evaluate("document.querySelector('main [role=status]').textContent = 'A hint of two lines '.repeat(3)");
    expect(await page.evaluate(FIND_SHUTTER)).toBe(before);
    await phone.press('Take picture');
    await page.waitForFunction("document.querySelector('main img')?.complete === true");
    const [sentWidth, sentHeight] = (await page.evaluate(
      "(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.querySelector('main img'))",
    )) as [number, number];
    // Within the pixels of the screen: one of them is up to two of the camera.
    expect(Math.abs(sentWidth - shown.width)).toBeLessThan(8);
    expect(Math.abs(sentHeight - shown.height)).toBeLessThan(8);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE_WITH_TOUCH.width);
    expect(problems).toEqual([]);
    await phone.window.close();
  },
);

test('a chosen file that the browser cannot show is named before it is used, and a damaged one is explained', async () => {
  const { id, url } = await createSession(key, { features: ['liveness'] });
  const phone = await openCaptureLink(browser, url, { viewport: PHONE_WITH_TOUCH, statuses: [400] });
  const { page, problems } = phone.window;
  await phone.consent();
  await phone.press('I cannot perform movements');
  const [chooser] = await Promise.all([page.waitForFileChooser(), phone.press('Choose a file')]);
  const cut = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00]);
  await chooser.accept([await camera.saveFile('holiday.jpg', cut)]);
  await phone.expectText('File holiday.jpg. This browser cannot show it');
  await phone.press('Use this file');
  await phone.expectText('The file is damaged or incomplete. Choose another one.');
  expect((await getSession(key, id)).steps).toMatchObject([{ attempts: 0 }]);
  expect(problems).toEqual([]);
  await phone.window.close();
});
