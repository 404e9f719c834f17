import { buildSearchTokens } from '../../../domain/business/search-tokens';

import type { LineWarehouse } from '../../../models/business/invoices/invoice';
import type { BusinessCaller } from '../access/caller';
import { toStoredTotals } from '../documents/stored-totals';
import type { StockLine } from '../stock/stock-balances';
import type { PreparedInvoice } from './invoice-preparation';
import { buildInvoiceSnapshot } from './invoice-snapshot';

/** The goods of an invoice; services move no stock. */
export const buildStockLines = (prepared: PreparedInvoice): StockLine[] =>
  prepared.lines.flatMap((line, index) =>
    line.warehouse === null || line.product === null
      ? []
      : {
          lineId: index + 1,
          field: `lines[${index}].quantity`,
          productId: line.product.id,
          productCode: line.product.code,
          productName: line.product.name,
          warehouseId: line.warehouse.id,
          quantity: line.quantity,
        },
  );

/** The warehouse that each line takes its goods from; null for services. */
export const listLineWarehouses = (prepared: PreparedInvoice): LineWarehouse[] =>
  prepared.lines.map((line, index) => ({ lineId: index + 1, warehouseId: line.warehouse?.id ?? null }));

/**
 * The fields that the records of drafts and of issued invoices share.
 * @param number null for a draft
 */
export function buildInvoiceContent(
  caller: BusinessCaller,
  prepared: PreparedInvoice,
  number: string | null,
  now: Date,
) {
  const { calculation, base, customer, reference } = prepared;
  return {
    seriesId: prepared.series.id,
    issueDate: prepared.issueDate,
    dueDate: prepared.dueDate,
    customerId: customer.id,
    currencyCode: prepared.currencyCode,
    ...toStoredTotals(calculation, base),
    lineWarehouses: listLineWarehouses(prepared),
    document: buildInvoiceSnapshot(caller.company, prepared, number ?? '', now),
    tokens: buildSearchTokens([number, customer.name, customer.code, customer.taxId, reference]),
    updatedAt: now,
  };
}
