import type { Decimal } from '../../../domain/business/decimal';
import { dropDefaultRates } from '../../../domain/business/settings/tax-profiles';
import { toDecimal128 } from '../../../models/business/decimal128';
import type { SalesOrderLine, SalesOrderRecord } from '../../../models/business/orders/sales-order';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { prepareInvoice } from '../invoices/invoice-preparation';
import { readReferencedRecords } from '../invoices/referenced-records';
import type { PreparedInvoice } from '../invoices/invoice-preparation';
import { resolvePostingDate } from '../settings/company';
import { isDefaultTaxRate } from '../settings/line-tax-rates';

export interface SalesOrderLineInput {
  productId: number;
  quantity: Decimal;
  /** @default the price of the product */
  unitPrice?: Decimal | undefined;
  /** @default the name of the product */
  description?: string | undefined;
  /** @default 0 */
  discountPercent?: Decimal | undefined;
  taxRateId?: number | undefined;
  priceIncludesTax?: boolean | undefined;
  /** @default the warehouse of the company */
  warehouseId?: number | undefined;
}

/** A line of a changed draft. */
export interface SalesOrderLineChange extends SalesOrderLineInput {
  /** An existing line of the draft; undefined for a new line. */
  lineId?: number | undefined;
  /** @default the unit of the product */
  unit?: string | undefined;
}

export interface SalesOrderInput {
  customerId: number;
  /** `YYYY-MM-DD`. @default today */
  orderDate?: string | undefined;
  /** @default the currency of the customer, else of the company */
  currencyCode?: string | undefined;
  reference?: string | undefined;
  notes?: string | undefined;
  lines: SalesOrderLineChange[];
}

/** The fields of an order that follow from its input. */
export type SalesOrderFields = Pick<
  SalesOrderRecord,
  | 'customerId'
  | 'customerName'
  | 'orderDate'
  | 'currencyCode'
  | 'reference'
  | 'notes'
  | 'lines'
  | 'total'
  | 'taxTotal'
  | 'grandTotal'
>;

/** A calculated order with the tax rates of its lines, as they were read. */
export interface PreparedSalesOrder {
  fields: SalesOrderFields;
  taxRates: TaxRateRecord[];
}

function buildLines({ lines, calculation }: PreparedInvoice): SalesOrderLine[] {
  return lines.flatMap((line, index): SalesOrderLine[] => {
    const figures = calculation.lines[index];
    if (line.product === null || figures === undefined) return [];
    return [
      {
        lineId: index + 1,
        productId: line.product.id,
        productCode: line.product.code,
        description: line.description,
        unit: line.unit,
        quantity: toDecimal128(line.quantity),
        unitPrice: toDecimal128(line.unitPrice),
        discountPercent: toDecimal128(line.discountPercent),
        taxRateId: line.taxRate.id,
        priceIncludesTax: line.priceIncludesTax,
        warehouseId: line.warehouse?.id ?? null,
        net: toDecimal128(figures.net),
        tax: toDecimal128(figures.tax),
      },
    ];
  });
}

/**
 * The lines of an order whose customer changes, without the tax rates that were the default for the customer before:
 * the profile of the new customer selects others.
 */
export async function dropDefaultTaxRates(
  platform: Pick<Platform, 'singletons'>,
  caller: BusinessCaller,
  order: SalesOrderRecord,
  lines: readonly SalesOrderLineChange[],
): Promise<SalesOrderLineChange[]> {
  const { customerId, orderDate, lines: stored } = order;
  const referenced = await readReferencedRecords(platform, caller, { customerId, lines: stored }, undefined);
  const { customer, products, taxRates } = referenced;
  return dropDefaultRates(lines, stored, ({ productId, taxRateId }) => {
    const line = { product: products.get(productId), party: customer, date: orderDate };
    return isDefaultTaxRate(caller, taxRates, taxRateId, line);
  });
}

/** Computes an order with the prices, rates and checks of an invoice of its day. @throws AppError 400 naming every wrong field */
export async function prepareSalesOrder(
  platform: Platform,
  caller: BusinessCaller,
  { orderDate, ...input }: SalesOrderInput,
): Promise<PreparedSalesOrder> {
  const issueDate = resolvePostingDate(platform, caller, orderDate, 'orderDate');
  const prepared = await prepareInvoice(platform, caller, { ...input, issueDate }, platform.clock.now());
  const { calculation, customer } = prepared;
  const fields = {
    customerId: customer.id,
    customerName: customer.name,
    orderDate: prepared.issueDate,
    currencyCode: prepared.currencyCode,
    reference: prepared.reference,
    notes: prepared.notes,
    lines: buildLines(prepared),
    total: toDecimal128(calculation.total),
    taxTotal: toDecimal128(calculation.taxTotal),
    grandTotal: toDecimal128(calculation.grandTotal),
  };
  return { fields, taxRates: prepared.lines.map(({ taxRate }) => taxRate) };
}
