import type { HTTPRequest, Page } from 'puppeteer';
import { limitTime, settlesWithin } from '../../lib/time-limits';
import { measureDocument } from './measure';
import { countPages } from './pdf-file';
import type { MeasuredDocument } from './template/pagination';
import type { SupervisedBrowser } from './browser';

/** Splits a document into pages once the heights of its parts are known. */
export interface Pagination {
  /** Width of the content in millimetres. */
  contentWidth: number;
  /** The document with page breaks; null prints it as it is. */
  split(measured: MeasuredDocument): string | null;
  /** Whether the document may fit on one page; then it is measured only if it does not. */
  mayFitOnePage: boolean;
}

/** A document to print. */
export interface PrintJob {
  html: string;
  timeoutMs: number;
  pagination?: Pagination | undefined;
  /** Whether a document is printed although an image of it did not load. */
  acceptMissingImages: boolean;
}

/** An image of a document did not load. */
export class MissingImageError extends Error {}

/** A reusable page that prints documents, without scripts and network. */
export interface PrintPage {
  /**
   * Prints a document; rejects if the page or its browser fails, or after `timeoutMs`.
   * @throws MissingImageError
   */
  print(job: PrintJob): Promise<Uint8Array>;
  dispose(): Promise<void>;
}

const DISPOSE_TIMEOUT_MS = 2_000;

const PRINT_OPTIONS = {
  preferCSSPageSize: true,
  printBackground: true,
  // `@page` has the margins.
  marginTop: 0,
  marginRight: 0,
  marginBottom: 0,
  marginLeft: 0,
  // Structure ids are numbered over the lifetime of the browser and would make equal documents differ.
  generateTaggedPDF: false,
  generateDocumentOutline: false,
  transferMode: 'ReturnAsBase64',
} as const;

/**
 * Blocks every request: the document is written into the page and contains its logo. A navigation that is aborted leaves
 * the document in the page; one that fails would replace it with a page about the error.
 */
const blockExternalRequest = (request: HTTPRequest): void => {
  const handled = request.url().startsWith('data:') ? request.continue() : request.abort('aborted');
  // Ignored if the page was closed meanwhile.
  handled.catch(() => undefined);
};

/** Pixels are counted because an image that failed is complete, too. */
const ARE_IMAGES_LOADED = '[...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)';

/**
 * Checks the images of the page. A browser that has printed for long can fail to load an intact image of a document; it
 * would print the symbol of a missing image instead.
 */
async function requireImages(page: Page): Promise<void> {
  if ((await page.evaluate(ARE_IMAGES_LOADED)) !== true)
    throw new MissingImageError('An image of the document did not load.');
}

/**
 * Opens a page of the browser that runs no scripts and requests nothing from the network. Rejects as soon as the browser
 * has ended.
 */
export const openPrintPage = (browser: SupervisedBrowser): Promise<PrintPage> =>
  browser.whileRunning(preparePage(browser));

async function preparePage(browser: SupervisedBrowser): Promise<PrintPage> {
  const page = await browser.newPage();
  const protocol = await page.createCDPSession();
  await page.setJavaScriptEnabled(false);
  await page.setRequestInterception(true);
  page.on('request', blockExternalRequest);
  const crashed = new Promise<never>((_, reject) => {
    page.once('error', reject);
    page.once('close', () => reject(new Error('The page was closed.')));
  });
  // Every print races against this promise; without a print its rejection must not count as unhandled.
  crashed.catch(() => undefined);

  async function writeAndPrint({ html, timeoutMs, pagination, acceptMissingImages }: PrintJob): Promise<Uint8Array> {
    const write = async (content: string): Promise<void> => {
      await page.setContent(content, { waitUntil: 'load', timeout: timeoutMs });
      if (!acceptMissingImages && content.includes('<img')) await requireImages(page);
    };
    const printWritten = async (): Promise<Buffer> => {
      // Returned in one message: a stream would need a file of the browser and four more messages.
      const { data } = await protocol.send('Page.printToPDF', PRINT_OPTIONS, { timeout: timeoutMs });
      return Buffer.from(data, 'base64');
    };
    await write(html);
    if (pagination === undefined) return printWritten();
    if (pagination.mayFitOnePage) {
      const printed = await printWritten();
      if (countPages(printed) === 1) return printed;
    }
    const split = pagination.split(await measureDocument(page, pagination.contentWidth));
    if (split !== null) await write(split);
    return printWritten();
  }

  return {
    print: (job) =>
      limitTime(
        Promise.race([writeAndPrint(job), crashed]),
        job.timeoutMs,
        () => new Error(`Printing took longer than ${job.timeoutMs} ms.`),
      ),
    async dispose() {
      await settlesWithin(page.close(), DISPOSE_TIMEOUT_MS);
    },
  };
}
