import type { Page } from 'puppeteer';
import { LivenessChallenge } from '../../models/identity/biometrics/liveness-challenge';
import { takeLivenessShots } from './identity/liveness-shots';
import { getTestPlatform } from './tenant';

/** Movements that pictures made from one photograph can show. */
const SHOWN_MOVEMENTS = ['blink', 'come_closer'] as const;

const toDataUrl = (picture: Buffer): string => `data:image/jpeg;base64,${picture.toString('base64')}`;

/**
 * Replaces the camera of a page by one whose person does what the page asks for.
 * @param texts the texts by which the page asks for the movements
 */
export async function installMovingCamera(page: Page, texts: { blink: string; come_closer: string }): Promise<void> {
  const { neutral, blink, come_closer } = await takeLivenessShots();
  const pictures = { neutral: toDataUrl(neutral), blink: toDataUrl(blink), come_closer: toDataUrl(come_closer) };
  await page.evaluateOnNewDocument(`{
    const texts = ${JSON.stringify(texts)};
    const pictures = ${JSON.stringify(pictures)};
    // The time that the page gives for a movement does not end before the video shows it, however slow the machine is.
    const { setTimeout: wait } = window;
    const awaitPictures = (count, run) => {
      const video = document.querySelector('video');
      if (count === 0 || video === null) run();
      else video.requestVideoFrameCallback(() => awaitPictures(count - 1, run));
    };
    window.setTimeout = (run, ms, ...rest) =>
      wait(ms >= 350 && ms <= 1500 ? () => awaitPictures(4, run) : run, ms, ...rest);
    // The blank page before the first navigation has no media devices.
    if (navigator.mediaDevices !== undefined) navigator.mediaDevices.getUserMedia = async () => {
      const images = {};
      for (const [name, source] of Object.entries(pictures)) {
        images[name] = new Image();
        images[name].src = source;
        await images[name].decode();
      }
      const canvas = document.createElement('canvas');
      canvas.width = 1280;
      canvas.height = 960;
      const context = canvas.getContext('2d');
      context.fillStyle = '#3c4248';
      const draw = () => {
        const asked = document.querySelector('[aria-live=assertive]')?.textContent ?? '';
        const name = Object.keys(texts).find((each) => texts[each] === asked) ?? 'neutral';
        const { naturalWidth, naturalHeight } = images[name];
        const scale = Math.min(canvas.width / naturalWidth, canvas.height / naturalHeight);
        const [width, height] = [naturalWidth * scale, naturalHeight * scale];
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.drawImage(images[name], (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
        requestAnimationFrame(draw);
      };
      draw();
      return canvas.captureStream(30);
    };
  }`);
}

/** Replaces the actions of each challenge that the page requests by movements that the camera can show. */
export async function requestShownMovements(page: Page): Promise<void> {
  await page.exposeFunction('replaceActions', async (challengeId: string): Promise<readonly string[]> => {
    await getTestPlatform();
    await LivenessChallenge.updateOne({ _id: challengeId }, { $set: { actions: [...SHOWN_MOVEMENTS] } });
    return SHOWN_MOVEMENTS;
  });
  await page.evaluateOnNewDocument(`{
    const send = window.fetch;
    window.fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      const response = await send(input, init);
      if (!url.endsWith('/v1/capture/liveness-challenges') || !response.ok) return response;
      const body = await response.json();
      body.challenge.actions = await window.replaceActions(body.challenge.challengeId);
      return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
    };
  }`);
}
