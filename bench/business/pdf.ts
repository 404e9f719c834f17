import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import chromium from '@sparticuz/chromium';
import { createRenderer } from '../../activities/rendering/renderer';
import type { Renderer } from '../../activities/rendering/renderer';
import { renderDocumentHtml } from '../../activities/rendering/template/document';
import { toFacturX } from '../../activities/rendering/pdfa/facturx';
import { toElectronicInvoice } from '../../domain/business/documents/einvoice/from-document';
import type {
  InvoiceLineSnapshot,
  InvoiceSnapshot,
  PostalAddress,
  SellerSnapshot,
} from '../../domain/business/invoices/invoice';
import { DOCUMENT_TEMPLATE_VERSION } from '../../domain/business/documents/printable-document';
import { buildPrintableDocument } from '../../domain/business/documents/build-printable-document';
import { percentile, report, roundTo } from '../report';

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

const buildLine = (lineId: number): InvoiceLineSnapshot => ({
  lineId,
  productId: lineId,
  productCode: `P-${lineId}`,
  description: 'Delivered goods, as ordered',
  unit: 'C62',
  quantity: '2',
  unitPrice: '49.95',
  priceIncludesTax: false,
  discountPercent: '0',
  gross: '99.9',
  discount: '0',
  net: '99.9',
  tax: '22.98',
  taxRateId: 1,
  taxPercent: '23',
  taxCategory: 'S',
});

const buildAddress = (line1: string, city: string): PostalAddress => ({
  line1,
  line2: null,
  city,
  region: null,
  postalCode: null,
  country: 'IE',
});

const SELLER: SellerSnapshot = {
  legalName: 'Specimen Trading Ltd',
  taxId: 'IE1234567T',
  registrationNumber: null,
  address: buildAddress('1 Quay Street', 'Dublin'),
  email: null,
  phone: null,
  website: null,
  bankName: null,
  iban: null,
  bic: null,
  logoKey: null,
};

/** An invoice without special cases; each sequence number gives a different document. */
function buildInvoiceSnapshot(sequence: number, lines: number): InvoiceSnapshot {
  const [total, taxTotal] = [(lines * 99.9).toFixed(2), (lines * 22.977).toFixed(2)];
  const grandTotal = (Number(total) + Number(taxTotal)).toFixed(2);
  return {
    documentKind: 'invoice',
    templateVersion: DOCUMENT_TEMPLATE_VERSION,
    language: 'en',
    number: `INV-2026-${String(sequence).padStart(6, '0')}`,
    issuedAt: '2026-11-21T10:00:00.000Z',
    issueDate: '2026-11-21',
    dueDate: '2026-12-21',
    paymentTerms: 'NET30',
    reference: null,
    notes: null,
    currencyCode: 'EUR',
    currencyDecimals: 2,
    baseCurrencyCode: 'EUR',
    baseCurrencyDecimals: 2,
    exchangeRate: '1',
    taxRounding: 'per_rate',
    seller: SELLER,
    buyer: {
      customerId: sequence,
      code: `C${sequence}`,
      name: `Customer ${sequence}`,
      taxId: null,
      address: buildAddress('2 Market Square', 'Cork'),
      email: null,
    },
    lines: Array.from({ length: lines }, (_, index) => buildLine(index + 1)),
    taxes: [
      { taxRateId: 1, name: 'VAT', category: 'S', percent: '23', exemptionReason: null, net: total, tax: taxTotal },
    ],
    total,
    taxTotal,
    grandTotal,
    baseTotal: total,
    baseTaxTotal: taxTotal,
    baseGrandTotal: grandTotal,
  };
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
