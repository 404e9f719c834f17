import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { exceedsLimit } from '../../../domain/business/invoices/invoice-calculation';
import { dropDefaultRates } from '../../../domain/business/settings/tax-profiles';
import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { toDecimal128 } from '../../../models/business/decimal128';
import type { PurchaseOrderLine, PurchaseOrderRecord } from '../../../models/business/purchasing/purchase-order';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { Vendor } from '../../../models/business/parties/vendor';
import type { VendorRecord } from '../../../models/business/parties/vendor';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { getCompanyToday } from '../settings/company';
import { findCurrencyProblem } from '../settings/document-rates';
import { isDefaultTaxRate, resolveLineTaxRate } from '../settings/line-tax-rates';
import { calculatePurchase, readCatalogue } from './lines';
import type { BoughtLine, Catalogue } from './lines';

export interface OrderLineInput {
  productId: number;
  quantity: Decimal;
  /** Cost per unit before tax, in the currency of the order. */
  unitCost: Decimal;
  description?: string | undefined;
  taxRateId?: number | undefined;
  warehouseId?: number | undefined;
}

/** A line of a changed draft. */
export interface OrderLineChange extends OrderLineInput {
  /** An existing line of the draft; undefined for a new line. */
  lineId?: number | undefined;
}

export interface PurchaseOrderInput {
  vendorId: number;
  draft?: boolean | undefined;
  orderDate?: string | undefined;
  expectedDate?: string | undefined;
  currencyCode?: string | undefined;
  reference?: string | undefined;
  notes?: string | undefined;
  lines: OrderLineInput[];
}

/** A calculated order, without its id and number. */
export type OrderFields = Omit<
  PurchaseOrderRecord,
  '_id' | 'id' | 'number' | 'tokens' | 'version' | 'createdAt' | 'updatedAt'
>;

/** A calculated order with the tax rates of its lines, as they were read. */
export interface PreparedOrder {
  fields: OrderFields;
  taxRates: TaxRateRecord[];
}

function prepareLine(
  caller: BusinessCaller,
  catalogue: Catalogue,
  line: OrderLineInput,
  index: number,
  { date, vendor }: { date: string; vendor: VendorRecord | null },
  problems: FieldProblem[],
): { line: PurchaseOrderLine; bought: BoughtLine } | null {
  const field = `lines[${index}]`;
  const product = catalogue.products.get(line.productId);
  if (product?.active !== true) {
    problems.push({ field: `${field}.productId`, problem: 'is not an active product of the company' });
    return null;
  }
  const taxRate = resolveLineTaxRate(
    caller,
    catalogue.taxRates,
    { taxRateId: line.taxRateId, product, party: vendor, date, field: `${field}.taxRateId` },
    problems,
  );
  const warehouseId = product.type === 'service' ? null : (line.warehouseId ?? caller.company.defaultWarehouseId);
  if (warehouseId !== null && !catalogue.warehouseIds.has(warehouseId))
    problems.push({ field: `${field}.warehouseId`, problem: 'is not an active warehouse of the company' });
  if (taxRate === null) return null;
  const { quantity, unitCost } = line;
  return {
    bought: { quantity, unitCost, taxRate },
    line: {
      lineId: index + 1,
      productId: product.id,
      productCode: product.code,
      description: line.description ?? product.name,
      unit: product.unit,
      quantity: toDecimal128(quantity),
      unitCost: toDecimal128(unitCost),
      taxRateId: taxRate.id,
      warehouseId,
      received: toDecimal128(ZERO),
    },
  };
}

/** The lines of an order whose vendor changes, without the tax rates that were the default for the vendor before. */
export async function dropDefaultTaxRates(
  caller: BusinessCaller,
  order: PurchaseOrderRecord,
  lines: readonly OrderLineChange[],
): Promise<OrderLineChange[]> {
  const { vendorId, orderDate: date, lines: stored } = order;
  const [vendor, catalogue] = await Promise.all([
    Vendor.findOne({ organisationId: caller.organisationId, id: vendorId }).lean<VendorRecord>(),
    readCatalogue(
      caller,
      stored.map(({ productId }) => productId),
    ),
  ]);
  return dropDefaultRates(lines, stored, ({ productId, taxRateId }) => {
    const line = { product: catalogue.products.get(productId), party: vendor, date };
    return isDefaultTaxRate(caller, catalogue.taxRates, taxRateId, line);
  });
}

/** Reads and checks the references of an order and calculates it. @throws AppError 400 naming every wrong field */
export async function prepareOrder(
  platform: Platform,
  caller: BusinessCaller,
  input: PurchaseOrderInput,
): Promise<PreparedOrder> {
  const { organisationId, company } = caller;
  const problems: FieldProblem[] = [];
  const orderDate = input.orderDate ?? getCompanyToday(platform, caller);
  const [vendor, catalogue] = await Promise.all([
    Vendor.findOne({ organisationId, id: input.vendorId, active: true }).lean<VendorRecord>(),
    readCatalogue(
      caller,
      input.lines.map(({ productId }) => productId),
    ),
  ]);
  if (vendor === null) problems.push({ field: 'vendorId', problem: 'is not an active vendor of the company' });
  if (input.expectedDate !== undefined && input.expectedDate < orderDate)
    problems.push({ field: 'expectedDate', problem: `must not be before the order, ${orderDate}` });
  const lines = input.lines
    .map((line, index) => prepareLine(caller, catalogue, line, index, { date: orderDate, vendor }, problems))
    .filter((line) => line !== null);
  const currencyCode = input.currencyCode ?? vendor?.currencyCode ?? company.baseCurrencyCode;
  const currencyProblem = await findCurrencyProblem(caller, currencyCode);
  if (currencyProblem !== null) problems.push({ field: 'currencyCode', problem: currencyProblem });
  if (problems.length > 0 || vendor === null) throw invalidRequestError(problems);
  const calculation = calculatePurchase(
    caller,
    lines.map(({ bought }) => bought),
    currencyCode,
  );
  if (exceedsLimit(calculation))
    throw invalidRequestError([{ field: 'lines', problem: 'add up to more than the maximum amount' }]);
  const fields: OrderFields = {
    organisationId,
    status: input.draft === true ? 'draft' : 'ordered',
    vendorId: vendor.id,
    vendorName: vendor.name,
    orderDate,
    expectedDate: input.expectedDate ?? null,
    currencyCode,
    reference: input.reference ?? null,
    notes: input.notes ?? null,
    lines: lines.map(({ line }) => line),
    total: toDecimal128(calculation.total),
    taxTotal: toDecimal128(calculation.taxTotal),
    grandTotal: toDecimal128(calculation.grandTotal),
    cancelReason: null,
    createdBy: caller.id,
  };
  return { fields, taxRates: lines.map(({ bought }) => bought.taxRate) };
}
