import { launch, PredefinedNetworkConditions } from 'puppeteer';
import type { Browser, Page } from 'puppeteer';
import { z } from 'zod';
import { DAY_MS } from '../../domain/durations';
import { Client } from '../../scripts/demo/client';
import { findChromiumPath, readRunningService } from '../../scripts/demo/running-service';
import { createSampleOrganisation } from '../identity/sample-organisation';
import type { SampleOrganisation } from '../identity/sample-organisation';
import { percentile, report, roundTo } from '../report';
import { listFiles, readManifest, sumGzippedBytes } from './bundles';

const CPU_SLOWDOWN = 4;
const ROUNDS = 5;
const TIMEOUT_MS = 60_000;

const openBrowser = (): Promise<Browser> =>
  launch({
    executablePath: findChromiumPath(),
    headless: 'shell',
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--lang=en'],
    defaultViewport: { width: 390, height: 844 },
  });

/** A page of a slow phone: a quarter of the processor, and 1.6 Mbit/s with 150 ms latency. */
async function slowDown(page: Page): Promise<void> {
  await page.emulateCPUThrottling(CPU_SLOWDOWN);
  await page.emulateNetworkConditions(PredefinedNetworkConditions['Slow 4G']);
}

/**
 * Opens an address with an empty cache.
 * @returns milliseconds from the navigation until the selector is visible and the main thread answers
 */
async function measureInteractive(page: Page, url: string, selector: string): Promise<number> {
  await page.goto(url, { waitUntil: 'domcontentloaded', timeout: TIMEOUT_MS });
  await page.waitForSelector(selector, { visible: true, timeout: TIMEOUT_MS });
  return Number(await page.evaluate('performance.now()'));
}

/** The median of several rounds, each in a context of its own. */
async function measureRounds(browser: Browser, url: string, selector: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await slowDown(page);
    times.push(await measureInteractive(page, url, selector));
    await context.close();
  }
  return roundTo(percentile(times, 0.5), 0);
}

const YEAR_DAYS = 365;

/** The day a year before today, on which the first session was created. */
const getFirstDay = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS - YEAR_DAYS * DAY_MS;

const formatDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** West of UTC, with offsets of whole and half hours. */
const NEW_ZONES = ['America/New_York', 'America/St_Johns', 'Pacific/Marquesas'];

const figuresSchema = z.object({ created: z.number() });

type StatisticsFigures = Pick<
  SessionFigures,
  'uncountedStatisticsMs' | 'countDaysMs' | 'firstStatisticsMs' | 'statisticsMs'
>;

/**
 * Figures of a year of sessions, as the home page reads them.
 * @throws Error if they do not all count the same sessions
 */
async function measureStatistics(
  api: string,
  { key, countDays }: Pick<SampleOrganisation, 'key' | 'countDays'>,
): Promise<StatisticsFigures> {
  const client = new Client(api, { authorization: `Bearer ${key}` });
  const counts = new Set<number>();
  const measure = async (from: number, to: number, zone = 'UTC'): Promise<number> => {
    const start = performance.now();
    const path = `/v1/statistics/sessions?from=${formatDay(from)}&to=${formatDay(to)}&timeZone=${zone}`;
    counts.add(figuresSchema.parse(await client.json('GET', path)).created);
    return performance.now() - start;
  };
  const [first, last] = [getFirstDay(), getFirstDay() + (YEAR_DAYS - 1) * DAY_MS];
  const uncountedStatisticsMs = roundTo(await measure(first, last), 0);
  const start = performance.now();
  await countDays();
  const countDaysMs = roundTo(performance.now() - start, 0);
  // Time zones west of UTC, and a day more before, so that all sessions are within the period.
  const firsts: number[] = [];
  for (const zone of NEW_ZONES) firsts.push(await measure(first - DAY_MS, last, zone));
  const firstStatisticsMs = roundTo(Math.max(...firsts), 0);
  // A day without sessions more, so that the answer is none that was kept.
  const times = [await measure(first - DAY_MS, last), await measure(first, last + DAY_MS)];
  if (counts.size !== 1) throw new Error(`The same sessions were counted as ${[...counts].join(' and ')}.`);
  return { uncountedStatisticsMs, countDaysMs, firstStatisticsMs, statisticsMs: roundTo(Math.max(...times), 0) };
}

interface SessionFigures {
  /** How long the sessions took to write. */
  creationSeconds: number;
  /** The exact total that the list states. */
  listedTotal: number;
  sessionListMs: number;
  /** The figures of the year while none of its days has been counted. */
  uncountedStatisticsMs: number;
  /** What the schedule takes to count all days. */
  countDaysMs: number;
  /** The figures then, for the first time in a time zone, and afterwards. */
  firstStatisticsMs: number;
  statisticsMs: number;
}

/** The exact number of sessions, as the list states it. */
async function readTotal(api: string, key: string): Promise<number> {
  const client = new Client(api, { authorization: `Bearer ${key}` });
  const { total } = z.object({ total: z.number() }).parse(await client.json('GET', '/v1/sessions?limit=1'));
  return total;
}

/** The first page of a long list of sessions, from its address to its rows, and the figures of the home page. */
async function measureSessions(browser: Browser, api: string, sessions: number): Promise<SessionFigures> {
  const start = performance.now();
  const organisation = await createSampleOrganisation({ sessions, searchable: false, from: getFirstDay() });
  const creationSeconds = roundTo((performance.now() - start) / 1000, 0);
  try {
    const page = await (await browser.createBrowserContext()).newPage();
    await page.goto(`${api}/console`, { waitUntil: 'networkidle2' });
    await page.locator('input[type=email]').fill(organisation.user.email);
    await page.locator('input[type=password]').fill(organisation.user.password);
    await page.locator('button[type=submit]').click();
    await page.locator('nav').wait();
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.goto(`${api}/console/profile`, { waitUntil: 'networkidle2' });
      const opened = performance.now();
      await page.goto(`${api}/console/sessions`);
      await page.waitForSelector('tbody tr', { visible: true, timeout: TIMEOUT_MS });
      times.push(performance.now() - opened);
    }
    const statistics = await measureStatistics(api, organisation);
    const listedTotal = await readTotal(api, organisation.key);
    return { creationSeconds, listedTotal, sessionListMs: roundTo(percentile(times, 0.5), 0), ...statistics };
  } finally {
    await organisation.remove();
  }
}

/** Sizes of the web applications, and how long they take until a person can use them. */
export async function benchWeb(sessions = 1_000_000): Promise<void> {
  const { api } = readRunningService();
  const browser = await openBrowser();
  try {
    report('web', {
      captureGzippedBytes: sumGzippedBytes(listFiles(readManifest('capture'), 'capture/index.html')),
      consoleGzippedBytes: sumGzippedBytes(listFiles(readManifest('console'), 'console/index.html')),
      captureInteractiveMs: await measureRounds(browser, `${api}/verify`, 'h1'),
      consoleInteractiveMs: await measureRounds(browser, `${api}/console`, 'input[type=email]'),
      sessions,
      ...(await measureSessions(browser, api, sessions)),
    });
  } finally {
    await browser.close();
  }
}
