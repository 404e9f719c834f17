import { setTimeout as delay } from 'node:timers/promises';
import type { HTTPRequest } from 'puppeteer';
import { measureDocument } from './measure';
import type { MeasuredDocument } from './template/pagination';
import type { SupervisedBrowser } from './browser';

/** Splits a document into pages once the heights of its parts are known. */
export interface Pagination {
  /** Width of the content in millimetres. */
  contentWidth: number;
  /** The document with page breaks; null prints it as it is. */
  split(measured: MeasuredDocument): string | null;
}

/** A reusable page that prints documents, without scripts and network. */
export interface PrintPage {
  /** Prints a document; rejects if the page or its browser fails, or after `timeoutMs`. */
  print(html: string, timeoutMs: number, pagination?: Pagination): Promise<Uint8Array>;
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

/** Blocks every request: the document is written into the page and contains its logo. */
const blockExternalRequest = (request: HTTPRequest): void => {
  const handled = request.url().startsWith('data:') ? request.continue() : request.abort('blockedbyclient');
  // Ignored if the page was closed meanwhile.
  handled.catch(() => undefined);
};

/** Rejects after `timeoutMs`; always clears its timer. */
async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      work,
      delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`Printing took longer than ${timeoutMs} ms.`);
      }),
    ]);
  } finally {
    timer.abort();
  }
}

export async function openPrintPage(browser: SupervisedBrowser): Promise<PrintPage> {
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

  async function writeAndPrint(html: string, timeoutMs: number, pagination?: Pagination): Promise<Uint8Array> {
    await page.setContent(html, { waitUntil: 'load', timeout: timeoutMs });
    const split = pagination?.split(await measureDocument(page, pagination.contentWidth)) ?? null;
    if (split !== null) await page.setContent(split, { waitUntil: 'load', timeout: timeoutMs });
    // Returned in one message: a stream would need a file of the browser and four more messages.
    const { data } = await protocol.send('Page.printToPDF', PRINT_OPTIONS, { timeout: timeoutMs });
    return Buffer.from(data, 'base64');
  }

  return {
    print: (html, timeoutMs, pagination) =>
      withTimeout(Promise.race([writeAndPrint(html, timeoutMs, pagination), crashed]), timeoutMs),
    async dispose() {
      await Promise.race([page.close().catch(() => undefined), delay(DISPOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
