import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Page } from 'puppeteer';
import { generate } from 'selfsigned';
import { makeDemoImages } from '../../scripts/demo/images';
import { createFakeCamera } from '../support/fake-camera';
import type { FakeCamera } from '../support/fake-camera';
import { createSession } from '../support/identity/identity';
import { pollUntilFound } from '../support/poll';
import { startApi } from '../support/processes';
import type { ReplicaProcess } from '../support/processes';
import { closeTestPlatform, createTenant } from '../support/tenant';
import { openBrowser } from '../support/web';
import { EVENT_LIMIT_MS } from '../support/limits';

/** Sites of their own: the service, a page that may embed it, and one that may not. */
const HOSTS = { service: 'verify.example', shop: 'shop.example', other: 'other.example' } as const;

let key: string;
let camera: FakeCamera;
let browser: Browser;
let api: ReplicaProcess;
let site: Server;
let port: number;

const addressOf = (host: string): string => `https://${host}:${port}`;

/** Serves the API under its own name over https, and a page with a frame under every other. */
async function serveSites(): Promise<Server> {
  const { private: tlsKey, cert } = await generate([{ name: 'commonName', value: HOSTS.service }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  return createServer({ key: tlsKey, cert }, (incoming, outgoing) => {
    if (!incoming.headers.host?.startsWith(HOSTS.service)) {
      outgoing.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Shop</title><h1>Shop</h1>');
      return;
    }
    const { method, headers, url } = incoming;
    const forwarded = request({ host: '127.0.0.1', port: api.port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // The browser left while the answer was under way.
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
}

beforeAll(async () => {
  site = await serveSites();
  await once(site.listen(0, '127.0.0.1'), 'listening');
  ({ port } = site.address() as AddressInfo);
  const environment = { PUBLIC_URL: addressOf(HOSTS.service), CAPTURE_FRAME_ORIGINS: addressOf(HOSTS.shop) };
  const [tenant, images] = await Promise.all([createTenant('Embedded'), makeDemoImages()]);
  key = tenant.identityKey;
  [camera, api] = await Promise.all([createFakeCamera(), startApi(environment)]);
  await camera.show(images.selfie.body);
  browser = await openBrowser({
    args: [...camera.args, '--host-resolver-rules=MAP *.example 127.0.0.1', '--ignore-certificate-errors'],
  });
});
afterAll(async () => {
  await browser.close();
  site.closeAllConnections();
  site.close();
  await api.stop();
  await camera.remove();
  await closeTestPlatform();
});

/** Opens a page of a host and shows the link of a new session in a frame of it. */
async function embed(host: string): Promise<{ page: Page; frame: Frame }> {
  const { url } = await createSession(key, { features: ['liveness'] });
  const page = await (await browser.createBrowserContext()).newPage();
  page.setDefaultTimeout(EVENT_LIMIT_MS);
  await page.goto(addressOf(host));
  const source = `${addressOf(HOSTS.service)}/verify${new URL(url ?? '').hash}`;
  await page.evaluate(`{
    const frame = document.createElement('iframe');
    frame.allow = 'camera';
    frame.width = 390;
    frame.height = 800;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.src = ${JSON.stringify(source)};
    document.body.append(frame);
    loaded;
  }`);
  const element = await page.waitForSelector('iframe');
  const frame = await element?.contentFrame();
  if (frame == null) throw new Error('The page has no frame.');
  return { page, frame };
}

test('a page of a configured origin shows the capture page in a frame, with the camera, also after a reload', async () => {
  const { page, frame } = await embed(HOSTS.shop);
  await frame.locator('::-p-aria([name="I agree and continue"][role="button"])').click();
  await frame.locator('::-p-aria([name="Continue on this device"][role="button"]), video').wait();
  const stay = '::-p-aria([name="Continue on this device"][role="button"])';
  if ((await frame.$(stay)) !== null) await frame.locator(stay).click();
  await frame.locator('main button:not([disabled])::-p-text(Begin)').wait();
  // The cookie belongs to the service within this site alone, and the frame finds it again.
  await frame.evaluate('window.isBeforeReload = true; location.reload()');
  await frame.waitForFunction('window.isBeforeReload === undefined');
  await frame.locator('::-p-text(Show that you are here), ::-p-text(Continue on your phone?)').wait();
  const cookies = await page.browserContext().cookies();
  expect(cookies).toMatchObject([
    { name: '__Host-vouch_capture', httpOnly: true, secure: true, sameSite: 'None', partitionKey: {} },
  ]);
  await page.browserContext().close();
});

test('a page of another origin shows nothing of it', async () => {
  const { page, frame } = await embed(HOSTS.other);
  // The browser reports the address of a frame of another site later than that it is loaded.
  await pollUntilFound(() => Promise.resolve(frame.url().startsWith('chrome-error:') ? true : undefined));
  expect(await page.browserContext().cookies()).toEqual([]);
  await page.browserContext().close();
});
