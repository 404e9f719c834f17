import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import puppeteer from 'puppeteer';
import type { Browser, Page } from 'puppeteer';
import { limitTime, settlesWithin } from '../../lib/time-limits';
import { createBrowserProfile, removeBrowserProfile } from './browser-profile';
import { readProcessStat } from './process-stat';
import type { ProcessStat } from './process-stat';

export interface BrowserOptions {
  executablePath: string;
  /** Path of the fontconfig configuration. */
  fontConfiguration: string;
  /** Home folder of the browser, in which it gets a folder of its own for its profile and temporary files. */
  workFolder: string;
  /** Off only by the operator's setting: as root, or where the kernel does not allow the sandbox. */
  sandbox: boolean;
  /** How long the browser may take to start, to open a page, and to answer a command. */
  responseTimeoutMs: number;
}

/** One running Chromium, independent of what it prints. */
export interface SupervisedBrowser {
  readonly pid: number | undefined;
  newPage(): Promise<Page>;
  /** Settles as `work` does, or rejects as soon as the process ends: the library leaves some of its promises open then. */
  whileRunning<T>(work: Promise<T>): Promise<T>;
  connected(): boolean;
  /** Resident memory of the browser and its children in bytes; null if the kernel does not report it. */
  residentBytes(): Promise<number | null>;
  /** Closes the browser, kills it if it does not close, and removes its folder. */
  close(): Promise<void>;
}

/** The first version that prints the margin boxes of `@page`, which contain the page numbers. */
const MIN_MAJOR_VERSION = 131;

const CLOSE_TIMEOUT_MS = 5_000;

/** Options for a browser that only prints: no network, no background services, no GPU. */
const CHROMIUM_FLAGS = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--disable-webgl',
  '--dns-prefetch-disable',
  '--font-render-hinting=none',
  // No host name resolves and no address is reachable, whatever a page requests.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--proxy-server=socks5://127.0.0.1:9',
] as const;

/**
 * Longest path of a temporary folder in which Chromium can make a socket: 107 bytes for its path, of which
 * `/.org.chromium.Chromium.XXXXXX/SingletonSocket` needs 46.
 */
const MAX_TEMPORARY_FOLDER_LENGTH = 61;

/** Chromium neither became usable nor ended in time. */
class StartTimeoutError extends Error {}

/**
 * Launches Chromium over a pipe: if this process ends for any reason, the pipe closes and Chromium ends too. On a busy
 * machine it can end while it starts; it is then started once more.
 */
export async function launchBrowser(options: BrowserOptions): Promise<SupervisedBrowser> {
  const { browser, profile } = await startInOwnProfile(options).catch((error: unknown) => {
    if (error instanceof StartTimeoutError) throw error;
    return startInOwnProfile(options);
  });
  const supervised = superviseBrowser(browser, profile, options.responseTimeoutMs);
  try {
    await supervised.whileRunning(requireVersion(browser));
  } catch (error) {
    await supervised.close();
    throw error;
  }
  return supervised;
}

/** Starts Chromium with a folder of its own, which is removed if it does not start. */
async function startInOwnProfile(options: BrowserOptions): Promise<{ browser: Browser; profile: string }> {
  const profile = await createBrowserProfile(options.workFolder);
  try {
    return { browser: await startBrowser(options, profile), profile };
  } catch (error) {
    await removeBrowserProfile(profile);
    throw error;
  }
}

function startBrowser(options: BrowserOptions, profile: string): Promise<Browser> {
  const { responseTimeoutMs } = options;
  // The library waits without a limit for targets that a browser has announced.
  const starting = new AbortController();
  const launching = puppeteer.launch({
    executablePath: options.executablePath,
    headless: 'shell',
    pipe: true,
    userDataDir: profile,
    args: [...CHROMIUM_FLAGS, ...(options.sandbox ? [] : ['--no-sandbox'])],
    // A separate environment: no secrets are inherited, and time zone and language of the host have no effect.
    env: {
      FONTCONFIG_FILE: options.fontConfiguration,
      HOME: options.workFolder,
      LANG: 'en_US.UTF-8',
      PATH: '/usr/local/bin:/usr/bin:/bin',
      ...(profile.length <= MAX_TEMPORARY_FOLDER_LENGTH ? { TMPDIR: profile } : {}),
      TZ: 'UTC',
    },
    timeout: responseTimeoutMs,
    // A browser that does not answer a command within this time hangs; printing has a limit of its own.
    protocolTimeout: responseTimeoutMs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    defaultViewport: null,
    signal: starting.signal,
  });
  return limitTime(launching, responseTimeoutMs, () => {
    starting.abort();
    return new StartTimeoutError(`Chromium did not start within ${responseTimeoutMs} ms.`);
  });
}

async function requireVersion(browser: Browser): Promise<void> {
  const version = await browser.version();
  const major = Number(/\/(\d+)\./.exec(version)?.[1]);
  if (!(major >= MIN_MAJOR_VERSION)) {
    throw new Error(`CHROMIUM_PATH: ${version} is too old; version ${MIN_MAJOR_VERSION} or later is needed.`);
  }
}

function superviseBrowser(browser: Browser, profile: string, responseTimeoutMs: number): SupervisedBrowser {
  const child = browser.process();
  const isRunning = (): boolean => child?.exitCode === null && child.signalCode === null;
  const kill = (): void => {
    child?.kill('SIGKILL');
  };
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => reject(new Error('Chromium has ended.'));
    if (isRunning()) child?.once('exit', end);
    else end();
  });
  // Without work its rejection must not count as unhandled.
  ended.catch(() => undefined);
  return {
    pid: child?.pid,
    whileRunning: (work) => Promise.race([work, ended]),
    newPage: () =>
      limitTime(
        browser.newPage(),
        responseTimeoutMs,
        () => new Error(`Chromium did not open a page within ${responseTimeoutMs} ms.`),
      ),
    connected: () => browser.connected && isRunning(),
    residentBytes: () => (child?.pid === undefined ? Promise.resolve(null) : measureTreeResidentBytes(child.pid)),
    async close() {
      const closing = Promise.race([browser.close().catch(kill), ended]);
      if (!(await settlesWithin(closing, CLOSE_TIMEOUT_MS))) kill();
      if (child !== null && isRunning()) await settlesWithin(once(child, 'exit'), CLOSE_TIMEOUT_MS);
      await removeBrowserProfile(profile);
    },
  };
}

const PAGE_BYTES = 4096;

/**
 * Sums the resident memory of a process and its descendants. Shared pages are counted in each, so that a restart comes
 * rather too early than too late.
 */
async function measureTreeResidentBytes(root: number): Promise<number | null> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return null;
  const stats = new Map<number, ProcessStat>();
  await Promise.all(
    pids.map(async (pid) => {
      const stat = await readProcessStat(pid);
      if (stat !== null) stats.set(Number(pid), stat);
    }),
  );
  const isDescendant = (pid: number): boolean => {
    let current = pid;
    for (let depth = 0; depth < 16 && current > 1; depth += 1) {
      if (current === root) return true;
      current = stats.get(current)?.parent ?? 0;
    }
    return false;
  };
  const pages = [...stats].reduce((sum, [pid, stat]) => (isDescendant(pid) ? sum + stat.residentPages : sum), 0);
  return pages * PAGE_BYTES;
}
