import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, unavailableError } from '../../domain/errors';
import { isLocalShortage } from '../../lib/local-shortages';
import { launchBrowser } from './browser';
import type { SupervisedBrowser } from './browser';
import { removeAbandonedProfiles } from './browser-profile';
import { writeFontConfiguration } from './fonts';
import { createPagePool } from './page-pool';
import type { PrintPriority } from './page-pool';
import { MissingImageError } from './print-page';
import type { Pagination, PrintJob } from './print-page';
import type { BrowserEvent } from './browser-slot';
import { writeFileIdentity } from './pdf-file';
import type { FileIdentity } from './pdf-file';
import { MINUTE_MS } from '../../domain/durations';

const MIB = 1024 * 1024;

export interface RendererOptions {
  /** Path of a Chromium, version 131 or later (page numbers in margin boxes), full or headless shell. */
  executablePath: string;
  /** Maximum number of pages printing at the same time, over all browsers. @default 2 */
  pages?: number | undefined;
  /** Maximum number of pages per browser. @default 2 */
  pagesPerBrowser?: number | undefined;
  /** Number of documents after which a browser is replaced. @default 500 */
  maxRendersPerBrowser?: number | undefined;
  /** Resident memory of a browser with its children, in bytes, above which it is replaced. @default 1.5 GiB */
  maxResidentBytes?: number | undefined;
  /** Number of documents between two checks of the memory. @default 100 */
  memoryCheckEvery?: number | undefined;
  /** How long a browser may take to start, to open a page, and to answer a command. @default 30,000 */
  responseTimeoutMs?: number | undefined;
  /** Timeout of one document. @default 60,000 */
  renderTimeoutMs?: number | undefined;
  /** Whether Chromium runs in its sandbox. @default true */
  sandbox?: boolean | undefined;
  /**
   * Folder of the font configuration, its cache and the profiles of the browsers.
   * @default a folder of this user under the temporary folder
   */
  workFolder?: string | undefined;
  onEvent?: ((event: BrowserEvent) => void) | undefined;
}

export interface Renderer {
  /**
   * Prints a page, split into pages by `pagination` if it is given. Equal HTML and identity give equal bytes in any
   * browser of the same build. An image that cannot be decoded is printed as missing.
   * @throws AppError `rendering_failed` (503, retryable) if the browser crashed or hung; `unavailable` (503) if it could
   * not be started, or the machine has exhausted a resource: no document is the cause.
   */
  renderPdf(html: string, identity: FileIdentity, pagination?: Pagination): Promise<Buffer>;
  /** Prints a small page, unless a document was printed recently; rejects if printing fails. */
  health(): Promise<void>;
  /** Process ids of the running browsers. */
  pids(): number[];
  close(): Promise<void>;
  /** The same renderer for documents of archives, which wait until no single document waits for a page. */
  forArchives(): Pick<Renderer, 'renderPdf'>;
}

const HEALTH_PAGE = '<!doctype html><title>Health</title><p>Vouch</p>';
const HEALTH_IDENTITY: FileIdentity = { issuedAt: new Date(0), contentId: 'health' };

const RESPONSE_TIMEOUT_MS = 30_000;

/** Undefined if the operating system has no numeric user ids. */
const userId = process.getuid?.();

/** A document printed within this time proves health, so that health checks add no load to a busy pool. */
const HEALTH_VALIDITY_MS = 5_000;

const getDefaultWorkFolder = (): string => join(tmpdir(), `vouch-rendering-${userId ?? 'user'}`);

/** Said when Chromium does not start: over a pipe it does not report why. */
const SANDBOX_ADVICE =
  'Chromium did not start in its sandbox; as root, or where the kernel forbids user namespaces, set CHROMIUM_SANDBOX=false.';

/** No browser could be started, so that no document was printed. */
class BrowserStartError extends Error {}

/**
 * Starts browsers with or without sandbox, as configured; one that does not start is never tried without.
 * @throws BrowserStartError
 */
function createLauncher(options: RendererOptions, workFolder: string): () => Promise<SupervisedBrowser> {
  const sandbox = options.sandbox ?? true;
  const launch = async (): Promise<SupervisedBrowser> => {
    const fontConfiguration = await writeFontConfiguration(workFolder);
    await removeAbandonedProfiles(workFolder).catch(() => undefined);
    const { executablePath } = options;
    return launchBrowser({
      executablePath,
      fontConfiguration,
      workFolder,
      sandbox,
      responseTimeoutMs: options.responseTimeoutMs ?? RESPONSE_TIMEOUT_MS,
    });
  };
  return () =>
    launch().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : 'unknown';
      throw new BrowserStartError(sandbox ? `${SANDBOX_ADVICE} (${reason})` : reason, { cause: error });
    });
}

function toRenderingError(error: unknown): AppError {
  if (error instanceof BrowserStartError || isLocalShortage(error)) {
    return unavailableError('The document cannot be rendered at the moment; try again.', error);
  }
  return new AppError('rendering_failed', 503, 'The document could not be rendered; try again.', {
    cause: error instanceof Error ? error.message : 'unknown',
  });
}

/** The rendering engine: a pool of pages in supervised browsers. Browsers start with the first document. */
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

  /** A missing image is accepted only when a second browser could not load it either. */
  async function printImages(priority: PrintPriority, job: Omit<PrintJob, 'acceptMissingImages'>): Promise<Uint8Array> {
    const printOnce = (acceptMissingImages: boolean) =>
      pool.withPage((page) => page.print({ ...job, acceptMissingImages }), priority);
    try {
      return await printOnce(false);
    } catch (error) {
      if (!(error instanceof MissingImageError)) throw error;
      // The browser that failed was retired.
      return printOnce(true);
    }
  }

  async function print(
    priority: PrintPriority,
    html: string,
    identity: FileIdentity,
    pagination?: Pagination,
  ): Promise<Buffer> {
    const job = { html, timeoutMs: renderTimeoutMs, pagination };
    const printed = await printImages(priority, job).catch((error: unknown) => {
      throw toRenderingError(error);
    });
    const file = writeFileIdentity(printed, identity);
    lastPrintedAt = performance.now();
    return file;
  }

  const renderPdf: Renderer['renderPdf'] = (...page) => print('single', ...page);

  return {
    renderPdf,
    forArchives: () => ({ renderPdf: (...page) => print('bulk', ...page) }),
    health: async () => {
      if (performance.now() - lastPrintedAt > HEALTH_VALIDITY_MS) await renderPdf(HEALTH_PAGE, HEALTH_IDENTITY);
    },
    pids: () => pool.pids(),
    close: () => pool.close(),
  };
}
