import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import chromium from '@sparticuz/chromium';
import { createRenderer } from '../../activities/rendering/renderer';
import type { Renderer } from '../../activities/rendering/renderer';
import { renderDocumentHtml } from '../../activities/rendering/template/document';
import { toFacturX } from '../../activities/rendering/pdfa/facturx';
import { toElectronicInvoice } from '../../domain/business/documents/einvoice/from-document';
import type { InvoiceSnapshot } from '../../domain/business/invoices/invoice';
import { buildPrintableDocument } from '../../domain/business/documents/build-printable-document';
import { percentile, report, roundTo } from '../report';
import { buildInvoiceSnapshot } from './invoice-snapshot';

/** Chromium as the toolchain unpacks it. */
const UNPACKED_CHROMIUM = '.vouch/tools/chromium-147.0.0/chromium';
const SINGLE_PDFS = 200;
const BULK_PDFS = 400;
const PAGES = [1, 2, 4] as const;

/** CHROMIUM_PATH, else the unpacked browser, else the one of the npm package. */
async function findExecutable(): Promise<string> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const unpacked = resolve(UNPACKED_CHROMIUM);
  return existsSync(unpacked) ? unpacked : chromium.executablePath();
}

/** Renders a document to a file. */
type Render = (renderer: Renderer, document: InvoiceSnapshot) => Promise<unknown>;

const toFileIdentity = (document: InvoiceSnapshot) => ({
  issuedAt: new Date(document.issuedAt),
  contentId: document.number,
});

const renderPlainPdf: Render = (renderer, document) =>
  renderer.renderPdf(
    renderDocumentHtml(buildPrintableDocument(document, { logo: null, voidedOn: null })),
    toFileIdentity(document),
  );

const renderFacturX: Render = async (renderer, document) => {
  const page = renderDocumentHtml(buildPrintableDocument(document, { logo: null, voidedOn: null }));
  const printed = await renderer.renderPdf(page, toFileIdentity(document));
  return toFacturX(printed, toElectronicInvoice(document), toFileIdentity(document));
};

/** Milliseconds for template and rendering: what a request costs if no file is stored. */
async function measureDuration(render: Render, renderer: Renderer, document: InvoiceSnapshot): Promise<number> {
  const started = performance.now();
  await render(renderer, document);
  return performance.now() - started;
}

async function measureThroughput(render: Render, executable: string, pages: number): Promise<number> {
  const renderer = createRenderer({
    sandbox: process.env['CHROMIUM_SANDBOX'] !== 'false',
    executablePath: executable,
    pages,
    maxRendersPerBrowser: 10_000,
  });
  await Promise.all(Array.from({ length: pages }, (_, index) => render(renderer, buildInvoiceSnapshot(index, 8))));
  const started = performance.now();
  await Promise.all(Array.from({ length: BULK_PDFS }, (_, index) => render(renderer, buildInvoiceSnapshot(index, 8))));
  const seconds = (performance.now() - started) / 1000;
  await renderer.close();
  return BULK_PDFS / seconds;
}

/** Measures documents one after another on one page, then the throughput on several pages. */
async function measureRendering(name: string, render: Render, executable: string): Promise<Record<string, number>> {
  const renderer = createRenderer({
    sandbox: process.env['CHROMIUM_SANDBOX'] !== 'false',
    executablePath: executable,
    pages: 1,
    maxRendersPerBrowser: 10_000,
  });
  const first = await measureDuration(render, renderer, buildInvoiceSnapshot(0, 8));
  const times: number[] = [];
  for (let index = 1; index <= SINGLE_PDFS; index += 1)
    times.push(await measureDuration(render, renderer, buildInvoiceSnapshot(index, 8)));
  const thousand = await measureDuration(render, renderer, buildInvoiceSnapshot(1, 1000));
  await renderer.close();
  const figures: Record<string, number> = {
    [`${name}_first_with_browser_start_ms`]: roundTo(first, 0),
    [`${name}_lines_8_p50_ms`]: roundTo(percentile(times, 0.5), 1),
    [`${name}_lines_8_p95_ms`]: roundTo(percentile(times, 0.95), 1),
    [`${name}_lines_1000_ms`]: roundTo(thousand, 0),
  };
  for (const pages of PAGES)
    figures[`${name}_bulk_${pages}_pages_per_s`] = roundTo(await measureThroughput(render, executable, pages), 1);
  return figures;
}

/** Measures the rendering engine with plain PDFs and with Factur-X files. */
export async function benchPdf(): Promise<void> {
  const executable = await findExecutable();
  report('pdf', {
    ...(await measureRendering('plain', renderPlainPdf, executable)),
    ...(await measureRendering('facturx', renderFacturX, executable)),
  });
}
