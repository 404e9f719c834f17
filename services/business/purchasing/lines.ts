import { currencyDecimals } from '../../../domain/business/currencies';
import type { Decimal } from '../../../domain/business/decimal';
import { ZERO } from '../../../domain/business/decimal';
import { calculateInvoice } from '../../../domain/business/invoices/invoice-calculation';
import type { InvoiceCalculation } from '../../../domain/business/invoices/invoice-calculation';
import { taxRateOn } from '../../../domain/business/settings/tax-rates';
import type { FieldProblem } from '../../../domain/errors';
import { fromStored } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { BusinessCaller } from '../access/caller';

/** A line bought: cost before tax. */
export interface BoughtLine {
  quantity: Decimal;
  unitCost: Decimal;
  taxRate: TaxRateRecord;
}

/** Net and tax of what is bought, by the company's own rounding. */
export const calculateBought = (
  caller: BusinessCaller,
  lines: readonly BoughtLine[],
  currencyCode: string,
): InvoiceCalculation =>
  calculateInvoice(
    lines.map(({ quantity, unitCost, taxRate }) => ({
      quantity,
      unitPrice: unitCost,
      discountPercent: ZERO,
      priceIncludesTax: false,
      taxKey: String(taxRate.id),
      taxPercent: fromStored(taxRate.percent),
    })),
    currencyDecimals(currencyCode),
    caller.company.taxRounding,
  );

/** What purchasing documents name, read at once. */
export interface Catalogue {
  products: Map<number, ProductRecord>;
  taxRates: Map<number, TaxRateRecord>;
  warehouseIds: Set<number>;
}

export async function readCatalogue(caller: BusinessCaller, productIds: readonly number[]): Promise<Catalogue> {
  const { organisationId } = caller;
  const [products, taxRates, warehouses] = await Promise.all([
    Product.find({ organisationId, id: { $in: [...productIds] } }).lean<ProductRecord[]>(),
    TaxRate.find({ organisationId }).lean<TaxRateRecord[]>(),
    Warehouse.find({ organisationId, active: true }, { id: 1 }).lean<{ id: number }[]>(),
  ]);
  return {
    products: new Map(products.map((product) => [product.id, product])),
    taxRates: new Map(taxRates.map((rate) => [rate.id, rate])),
    warehouseIds: new Set(warehouses.map(({ id }) => id)),
  };
}

/** The rate of a line on a day: named, the product's or the company's; a problem is noted under the line's field. */
export function lineTaxRate(
  caller: BusinessCaller,
  { taxRates }: Catalogue,
  asked: { taxRateId?: number | undefined; product?: ProductRecord | undefined; date: string; field: string },
  problems: FieldProblem[],
): TaxRateRecord | null {
  const id = asked.taxRateId ?? asked.product?.taxRateId ?? caller.company.defaultTaxRateId;
  const rate = taxRateOn(taxRates, id, asked.date) ?? null;
  if (rate === null) {
    const known = taxRates.has(id);
    const problem = known
      ? `is not valid on ${asked.date} and names no successor that is`
      : 'is not a tax rate of the company';
    problems.push({ field: `${asked.field}.taxRateId`, problem });
  }
  return rate;
}

/** The rate of a line of a new document, as `lineTaxRate` finds it; an inactive one is a problem too. */
export function activeLineTaxRate(
  caller: BusinessCaller,
  catalogue: Catalogue,
  asked: Parameters<typeof lineTaxRate>[2],
  problems: FieldProblem[],
): TaxRateRecord | null {
  const rate = lineTaxRate(caller, catalogue, asked, problems);
  if (rate === null || rate.active) return rate;
  problems.push({ field: `${asked.field}.taxRateId`, problem: 'is an inactive tax rate' });
  return null;
}
