import { z } from 'zod';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { createDraft, dryRunDraft } from '../../../services/business/invoices/drafts';
import { createInvoice, dryRunInvoice } from '../../../services/business/invoices/invoices';
import type { RouteContext } from '../../http/route';
import { defineBatchRoute, parseRow } from '../batches';
import type { BatchRow, RowResult } from '../batches';
import { invoiceInput, toInvoiceInput } from './invoice-input';
import { presentTotals } from './invoice-responses';

/** Enough that a full transaction of invoices is waiting while another is written. */
const CONCURRENCY = 32;

const resultSchema = z.object({
  id: z.number().int().nullable(),
  number: z.string().nullable().meta({ description: 'Null for a draft and in a dry run.' }),
  status: z.string(),
  total: z.number(),
  taxTotal: z.number(),
  grandTotal: z.number(),
});

async function runRow(
  { platform }: RouteContext,
  caller: BusinessCaller,
  { row, use, dryRun }: BatchRow,
): Promise<RowResult> {
  const body = parseRow(invoiceInput, row);
  const input = toInvoiceInput(body, caller.company.timeZone);
  const isDraft = body.draft === true;
  if (dryRun) {
    const { document } = await (isDraft ? dryRunDraft : dryRunInvoice)(platform, caller, input);
    const status = isDraft ? 'draft' : 'issued';
    return { status: 'valid', id: null, data: { id: null, number: null, status, ...presentTotals(document) } };
  }
  const record = isDraft
    ? await createDraft(platform, caller, input, use)
    : (await createInvoice(platform, caller, input, use)).record;
  const { id, number, status, document } = record;
  return { status: 'created', id, data: { id, number, status, ...presentTotals(document) } };
}

/** Creates many invoices; those that are issued share transactions. */
export const invoiceBatchRoute = defineBatchRoute({
  path: '/api/invoices/batch',
  operationId: 'createInvoices',
  summary: 'Create many invoices',
  tag: 'Invoicing',
  permission: 'invoices:create',
  nouns: { one: 'invoice', many: 'invoices' },
  rows: 'A row is a body of `POST /api/invoices`. Their numbers follow each other without gaps, but not necessarily in the order of the rows.',
  data: resultSchema,
  exampleRow: { customerId: 1, lines: [{ productId: 1, quantity: 15, unitPrice: 6.36 }] },
  exampleData: { id: 1, number: 'INV-2026-000001', status: 'issued', total: 95.4, taxTotal: 18.13, grandTotal: 113.53 },
  concurrency: CONCURRENCY,
  run: runRow,
});
