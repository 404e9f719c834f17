/**
 * `npm run pictures`: pictures of every page of the console and the capture page, and an animation of both.
 * `npm run pictures -- dashboards`: pictures of the dashboards and of the Temporal UI under load.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import type { Browser, Page } from 'puppeteer';
import sharp from 'sharp';
import { z } from 'zod';
import { Client, readObject, readText } from '../demo/client';
import { leaveOpenSessions } from '../demo/identity';
import type { OpenSessions } from '../demo/identity';
import { makeDemoImages } from '../demo/images';
import { readRunningService } from '../demo/running-service';
import type { RunningService } from '../demo/running-service';
import { WebhookReceiver } from '../demo/webhook-receiver';
import { makeAnimation } from './animation';
import type { Frame } from './animation';
import { drawCharts, openBrowser, openPage, SCHEMES, settle, signIn, SIZES } from './browser';
import type { Size } from './browser';
import { photographDashboards } from './dashboards/main';
import { findConsolePages } from './pages';
import { addSampleInvoices, addSampleSessions } from './sample-data';

/** Every picture; not part of the repository. */
const FOLDER = path.join('.vouch', 'pictures');
/** The pictures of the documentation. */
const DOCS_FOLDER = path.join('docs', 'pictures');
const WEBP = { quality: 82, effort: 6 } as const;

const screenshot = async (page: Page): Promise<Buffer> => Buffer.from(await page.screenshot());

/** A page in its whole height. The window grows before, because charts draw themselves again when it does. */
async function screenshotWhole(page: Page, size: Size): Promise<Buffer> {
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewport({ ...SIZES[size], height: Math.max(height, SIZES[size].height) });
  await drawCharts(page);
  const picture = await screenshot(page);
  await page.setViewport(SIZES[size]);
  return picture;
}

/** Photographs pages of the console and the sign-in page, and what a person sees without a link. */
async function photographPages(browser: Browser, run: RunningService): Promise<number> {
  let count = 0;
  let pages: ReadonlyMap<string, string> | null = null;
  for (const size of Object.keys(SIZES) as Size[]) {
    for (const scheme of SCHEMES) {
      const page = await openPage(browser, size, scheme);
      const save = async (name: string, address: string): Promise<void> => {
        await page.goto(run.api + address, { waitUntil: 'networkidle2' });
        await settle(page);
        const file = path.join(FOLDER, `${name}-${SIZES[size].width}-${scheme}.png`);
        await writeFile(file, await screenshotWhole(page, size));
        count += 1;
      };
      await save('sign-in', '/console');
      await save('capture-without-link', '/verify');
      await signIn(page, run.api, run.admin);
      pages ??= await findConsolePages(page, run.api);
      for (const [name, address] of pages) await save(name, address);
      await page.browserContext().close();
      console.log(`${size}, ${scheme}: ${count} pictures so far`);
    }
  }
  return count;
}

/** What a person sees who opens the link of a session. */
async function photographCapture(browser: Browser, { captureUrl }: OpenSessions): Promise<Buffer> {
  const page = await openPage(browser, 'phone', 'light');
  await page.goto(captureUrl ?? '', { waitUntil: 'networkidle2' });
  await settle(page);
  const picture = await screenshot(page);
  await writeFile(path.join(FOLDER, `capture-${SIZES.phone.width}-light.png`), picture);
  await page.browserContext().close();
  return picture;
}

/** What the pictures of a verification are taken with. */
interface Recording {
  browser: Browser;
  run: RunningService;
  client: Client;
  receiver: WebhookReceiver;
  open: OpenSessions;
}

/** A delivery of a webhook that exists for the pictures only. */
interface Delivery {
  webhookId: string;
  /** Where the console shows it. */
  path: string;
}

/** Decides the session in review, and returns the delivery that reports it. */
async function decide({ client, receiver, open }: Recording): Promise<Delivery> {
  const created = await client.json('POST', '/v1/webhooks', { url: receiver.url, events: ['session.completed'] });
  const webhookId = readText(readObject(created, 'webhook'), 'id');
  await client.json('POST', `/v1/sessions/${open.reviewId}/decision`, {
    decision: 'approve',
    reason: 'Compared with the person by video call.',
  });
  const isReported = ({ data }: { data: object }): boolean => JSON.stringify(data).includes(open.reviewId);
  await receiver.waitFor(readText(created, 'secret'), isReported, 60_000);
  const { deliveries } = await client.json('GET', `/v1/webhooks/${webhookId}/deliveries`);
  const [delivery] = Array.isArray(deliveries) ? (deliveries as { id: string }[]) : [];
  return { webhookId, path: `/console/webhooks/${webhookId}/deliveries/${delivery?.id ?? ''}` };
}

/** The frames from the person's link to the webhook that reports the decision. */
async function photographVerification(recording: Recording): Promise<{ frames: Frame[]; webhookId: string }> {
  const { browser, run, open } = recording;
  const consent = await photographCapture(browser, open);
  const page = await openPage(browser, 'desktop', 'light');
  await signIn(page, run.api, run.admin);
  const show = async (address: string): Promise<Buffer> => {
    await page.goto(run.api + address, { waitUntil: 'networkidle2' });
    await settle(page);
    await drawCharts(page);
    return screenshot(page);
  };
  const session = `/console/sessions/${open.reviewId}`;
  const review = await show(session);
  const delivery = await decide(recording);
  const frames = [
    { picture: consent, caption: '1. A person opens the link of a session', milliseconds: 2200 },
    { picture: review, caption: '2. A reviewer compares what the checks found', milliseconds: 2600 },
    { picture: await show(session), caption: '3. The decision is recorded', milliseconds: 2200 },
    { picture: await show(delivery.path), caption: '4. A signed webhook notifies your server', milliseconds: 2600 },
  ];
  await writeFile(path.join(DOCS_FOLDER, 'console-review.webp'), await sharp(review).webp(WEBP).toBuffer());
  const home = await show('/console');
  await writeFile(path.join(DOCS_FOLDER, 'console-home.webp'), await sharp(home).webp(WEBP).toBuffer());
  await page.browserContext().close();
  return { frames, webhookId: delivery.webhookId };
}

async function photographEverything(browser: Browser, run: RunningService): Promise<void> {
  const client = new Client(run.api, { authorization: `Bearer ${run.identityApiKey}` });
  const receiver = await WebhookReceiver.listen(run.demoReceiverPort);
  try {
    const { passport, otherSelfie } = await makeDemoImages();
    const open = await leaveOpenSessions(client, { passport, selfie: otherSelfie });
    const { frames, webhookId } = await photographVerification({ browser, run, client, receiver, open });
    try {
      const animation = await makeAnimation(frames);
      await writeFile(path.join(DOCS_FOLDER, 'verification.webp'), animation);
      console.log(`animation: ${Math.round(animation.length / 1024)} kB`);
      console.log(`${await photographPages(browser, run)} pictures are in ${FOLDER}`);
    } finally {
      await client.json('DELETE', `/v1/webhooks/${webhookId}`);
    }
  } finally {
    await receiver.close();
  }
}

async function takePagePictures(): Promise<void> {
  const run = readRunningService();
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await addSampleInvoices(run);
  const removeSamples = await addSampleSessions(run.organisationId);
  const browser = await openBrowser();
  try {
    await photographEverything(browser, run);
  } finally {
    await browser.close();
    await removeSamples();
  }
}

async function takeDashboardPictures(minutes: string): Promise<void> {
  const run = readRunningService();
  const browser = await openBrowser();
  try {
    await photographDashboards(browser, run, {
      minutes: z.coerce.number().positive().parse(minutes),
      folder: DOCS_FOLDER,
    });
  } finally {
    await browser.close();
  }
}

const program = new Command('npm run pictures --').description('Pictures of the running service.');
program.command('pages', { isDefault: true }).description('every page of both applications').action(takePagePictures);
program
  .command('dashboards')
  .description('the dashboards and the Temporal UI, under load')
  .argument('[minutes]', 'how long the load lasts', '6')
  .action(takeDashboardPictures);

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
