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
import { loadConfig } from '../../lib/config';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';
import { getServiceEnvironment, readRunningService } from '../demo/running-service';
import type { RunningService } from '../demo/running-service';
import { WebhookReceiver } from '../demo/webhook-receiver';
import { makeAnimation } from './animation';
import type { Frame } from './animation';
import { drawCharts, openBrowser, openPage, SCHEMES, settle, signIn, SIZES } from './browser';
import type { Scheme, Size } from './browser';
import { photographCapture } from './capture';
import { photographDashboards } from './dashboards/main';
import { findConsolePages, findMissingPages } from './pages';
import { addSampleBusiness } from './sample-business';
import { addSampleSessions } from './sample-sessions';
import { addSampleVerification } from './sample-verification';

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

/** The sizes and colour schemes in which pages are photographed. */
interface Choice {
  sizes: readonly Size[];
  schemes: readonly Scheme[];
}

/** What the pictures are taken of. */
interface Subject {
  browser: Browser;
  run: RunningService;
  client: Client;
  /** Addresses of records that pages show. */
  records: readonly string[];
}

/** Photographs the capture page, the sign-in page and every page of the console in one size and colour scheme. */
async function photographScheme(
  { browser, run, client, records }: Subject,
  size: Size,
  scheme: Scheme,
  found: ReadonlyMap<string, string> | null,
): Promise<ReadonlyMap<string, string>> {
  const save = async (page: Page, name: string): Promise<void> =>
    writeFile(path.join(FOLDER, `${name}-${SIZES[size].width}-${scheme}.png`), await screenshotWhole(page, size));
  const page = await openPage(browser, size, scheme);
  const open = async (name: string, address: string): Promise<void> => {
    await page.goto(run.api + address, { waitUntil: 'networkidle2' });
    await settle(page);
    await save(page, name);
  };
  await photographCapture({ browser, client, size, scheme, save });
  await open('capture-without-link', '/verify');
  await open('sign-in', '/console');
  await signIn(page, run.api, run.admin);
  const pages = found ?? (await findConsolePages(page, run.api, records));
  for (const [name, address] of pages) await open(name, address);
  await page.browserContext().close();
  return pages;
}

/** Photographs everything in the chosen sizes and colour schemes. @throws Error naming pages of the console without a picture */
async function photographPages(subject: Subject, { sizes, schemes }: Choice): Promise<void> {
  let pages: ReadonlyMap<string, string> | null = null;
  for (const size of sizes)
    for (const scheme of schemes) {
      pages = await photographScheme(subject, size, scheme, pages);
      console.log(`${size}, ${scheme}: ${pages.size} pages of the console`);
    }
  const missing = await findMissingPages(pages ?? new Map());
  if (missing.length > 0) throw new Error(`Pages without a picture: ${missing.join(', ')}.`);
}

/** What a person sees who opens the link of a session. */
async function photographConsent(browser: Browser, { captureUrl }: OpenSessions): Promise<Buffer> {
  const page = await openPage(browser, 'phone', 'light');
  await page.goto(captureUrl ?? '', { waitUntil: 'networkidle2' });
  await settle(page);
  const picture = await screenshot(page);
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
async function photographVerification(recording: Recording): Promise<{ frames: Frame[]; delivery: Delivery }> {
  const { browser, run, open } = recording;
  const consent = await photographConsent(browser, open);
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
  return { frames, delivery };
}

async function photographEverything(subject: Subject, choice: Choice): Promise<void> {
  const { browser, run, client } = subject;
  const receiver = await WebhookReceiver.listen(run.demoReceiverPort);
  try {
    const { passport, otherSelfie } = await makeDemoImages();
    const open = await leaveOpenSessions(client, { passport, selfie: otherSelfie });
    const { frames, delivery } = await photographVerification({ browser, run, client, receiver, open });
    try {
      const animation = await makeAnimation(frames);
      await writeFile(path.join(DOCS_FOLDER, 'verification.webp'), animation);
      console.log(`animation: ${Math.round(animation.length / 1024)} kB`);
      const records = [...subject.records, `/console/sessions/${open.reviewId}`, delivery.path];
      await photographPages({ ...subject, records }, choice);
      console.log(`The pictures are in ${FOLDER}.`);
    } finally {
      await client.json('DELETE', `/v1/webhooks/${delivery.webhookId}`);
    }
  } finally {
    await receiver.close();
  }
}

/** Takes the pictures among sample sessions, which are removed again. */
async function photographWithSamples(platform: Platform, run: RunningService, choice: Choice): Promise<void> {
  const client = new Client(run.api, { authorization: `Bearer ${run.identityApiKey}` });
  const records = await addSampleBusiness(run);
  await addSampleVerification(platform, run.organisationId, client);
  const removeSessions = await addSampleSessions(platform, run.organisationId);
  const browser = await openBrowser();
  try {
    await photographEverything({ browser, run, client, records }, choice);
  } finally {
    await browser.close();
    await removeSessions();
  }
}

/** One of some names, or all of them without a choice. */
const choose = <T extends string>(names: readonly T[], chosen: string | undefined): readonly T[] =>
  chosen === undefined ? names : [z.enum(names).parse(chosen)];

async function takePagePictures(options: { size?: string; scheme?: string }): Promise<void> {
  const choice = {
    sizes: choose(Object.keys(SIZES) as Size[], options.size),
    schemes: choose(SCHEMES, options.scheme),
  };
  const run = readRunningService();
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'pictures', watch: false });
  try {
    await photographWithSamples(platform, run, choice);
  } finally {
    await closePlatform(platform);
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
program
  .command('pages', { isDefault: true })
  .description('every page of both applications, in every size and colour scheme')
  .option('--size <name>', `only one of ${Object.keys(SIZES).join(', ')}`)
  .option('--scheme <name>', `only one of ${SCHEMES.join(', ')}`)
  .action(takePagePictures);
program
  .command('dashboards')
  .description('the dashboards and the Temporal UI, under load')
  .argument('[minutes]', 'how long the load lasts', '6')
  .action(takeDashboardPictures);

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
