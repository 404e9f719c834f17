import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../domain/errors';
import { launchBrowser } from './browser';
import type { SupervisedBrowser } from './browser';
import { writeFontConfiguration } from './fonts';
import { createPagePool } from './page-pool';
import type { BrowserEvent } from './browser-slot';
import { writeFileIdentity } from './pdf-file';
import type { FileIdentity } from './pdf-file';
import { MINUTE_MS } from '../../domain/durations';

const MIB = 1024 * 1024;

export interface RendererOptions {
  /** A Chromium of at least version 131 (page numbers in margin boxes), full or headless shell. */
  executablePath: string;
  /** Pages that print at the same time, over all browsers. @default 2 */
  pages?: number | undefined;
  /** Pages in one browser before a second is started. @default 2 */
  pagesPerBrowser?: number | undefined;
  /** @default 500 */
  maxRendersPerBrowser?: number | undefined;
  /** Resident memory of a browser with its children, in bytes. @default 1.5 GiB */
  maxResidentBytes?: number | undefined;
  /** Documents between two looks at the memory. @default 100 */
  memoryCheckEvery?: number | undefined;
  /** Longest time one document may take. @default 60,000 */
  renderTimeoutMs?: number | undefined;
  /** @default on; off for root, whom Chromium refuses one, and, with an event that says so, where the kernel has none */
  sandbox?: boolean | undefined;
  /** Holds the font configuration and its cache. @default a folder of this user under the temporary folder */
  workFolder?: string | undefined;
  onEvent?: ((event: BrowserEvent) => void) | undefined;
}

export interface Renderer {
  /**
   * Prints a page. The same HTML and identity give the same bytes in any browser of the same build.
   * @throws AppError `rendering_failed` (503, worth a retry) when the browser crashed, hung or could not start.
   */
  renderPdf(html: string, identity: FileIdentity): Promise<Buffer>;
  /** Prints a small page, unless a document was printed moments ago: fails when a document would fail. */
  health(): Promise<void>;
  /** Process ids of the running browsers. */
  pids(): number[];
  close(): Promise<void>;
}

const HEALTH_PAGE = '<!doctype html><title>Health</title><p>Vouch</p>';
const HEALTH_IDENTITY: FileIdentity = { issuedAt: new Date(0), contentId: 'health' };

/** Undefined where the platform has no numeric users. */
const userId = process.getuid?.();

/** A document printed so short a time ago proves as much as a page of our own, and a busy pool is not asked for more. */
const HEALTH_VALIDITY_MS = 5_000;

const getDefaultWorkFolder = (): string => join(tmpdir(), `vouch-rendering-${userId ?? 'user'}`);

/** Starts browsers with the sandbox asked for, or the best this system has. */
function createLauncher(options: RendererOptions, workFolder: string): () => Promise<SupervisedBrowser> {
  const useSandbox = options.sandbox ?? userId !== 0;
  const launch = async (sandbox: boolean): Promise<SupervisedBrowser> =>
    launchBrowser({
      executablePath: options.executablePath,
      fontConfiguration: await writeFontConfiguration(workFolder),
      home: workFolder,
      sandbox,
      launchTimeoutMs: 30_000,
    });
  return async () => {
    try {
      return await launch(useSandbox);
    } catch (error) {
      // Over a pipe Chromium does not say why it ended; no sandbox is the one reason that has a remedy here.
      if (!useSandbox || options.sandbox === true) throw error;
      const browser = await launch(false);
      options.onEvent?.({ kind: 'sandbox_unavailable', pid: browser.pid });
      return browser;
    }
  };
}

/** The rendering engine: a pool of pages in supervised browsers. Browsers start when the first document comes. */
export function createRenderer(options: RendererOptions): Renderer {
  const pages = options.pages ?? 2;
  const pagesPerBrowser = Math.min(options.pagesPerBrowser ?? 2, pages);
  const workFolder = options.workFolder ?? getDefaultWorkFolder();
  const renderTimeoutMs = options.renderTimeoutMs ?? MINUTE_MS;

  const pool = createPagePool({
    launch: createLauncher(options, workFolder),
    browsers: Math.ceil(pages / pagesPerBrowser),
    pagesPerBrowser,
    maxJobsPerBrowser: options.maxRendersPerBrowser ?? 500,
    maxResidentBytes: options.maxResidentBytes ?? 1536 * MIB,
    memoryCheckEvery: options.memoryCheckEvery ?? 100,
    onEvent: options.onEvent ?? (() => undefined),
  });

  let lastPrintedAt = -Infinity;

  async function renderPdf(html: string, identity: FileIdentity): Promise<Buffer> {
    const printed = await pool
      .withPage((page) => page.print(html, renderTimeoutMs))
      .catch((error: unknown) => {
        throw new AppError(
          'rendering_failed',
          503,
          'The document could not be rendered; it is worth another attempt.',
          {
            cause: error instanceof Error ? error.message : 'unknown',
          },
        );
      });
    const file = writeFileIdentity(printed, identity);
    lastPrintedAt = performance.now();
    return file;
  }

  return {
    renderPdf,
    health: async () => {
      if (performance.now() - lastPrintedAt > HEALTH_VALIDITY_MS) await renderPdf(HEALTH_PAGE, HEALTH_IDENTITY);
    },
    pids: () => pool.pids(),
    close: () => pool.close(),
  };
}
