import { getCurrencyDecimals } from '../../../domain/business/currencies';
import type { Decimal } from '../../../domain/business/decimal';
import { ZERO } from '../../../domain/business/decimal';
import { calculateInvoice } from '../../../domain/business/invoices/invoice-calculation';
import type { InvoiceCalculation } from '../../../domain/business/invoices/invoice-calculation';
import { selectDefaultRate } from '../../../domain/business/settings/tax-profiles';
import type { TaxedParty } from '../../../domain/business/settings/tax-profiles';
import { findTaxRateOn } from '../../../domain/business/settings/tax-rates';
import type { FieldProblem } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { BusinessCaller } from '../access/caller';

/** A purchased line; the cost is before tax. */
export interface BoughtLine {
  quantity: Decimal;
  unitCost: Decimal;
  taxRate: TaxRateRecord;
}

/** Net amount and tax of purchased lines, rounded as the company is configured. */
export const calculatePurchase = (
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
      taxPercent: fromDecimal128(taxRate.percent),
    })),
    getCurrencyDecimals(currencyCode),
    caller.company.taxRounding,
  );

/** The records that purchasing documents refer to. */
export interface Catalogue {
  products: Map<number, ProductRecord>;
  taxRates: Map<number, TaxRateRecord>;
  warehouseIds: Set<number>;
}

/** Reads the products with the ids, also inactive ones, all tax rates, and the active warehouses. */
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

/**
 * The tax rate of a line on a day: the named rate, that of the product or the default of the company. A problem is
 * added to the field of the line.
 */
export function resolveLineTaxRate(
  caller: BusinessCaller,
  { taxRates }: Catalogue,
  requested: {
    taxRateId?: number | undefined;
    product?: ProductRecord | undefined;
    /** The vendor, whose profile selects the rate of a line that names none. */
    vendor?: TaxedParty | null;
    date: string;
    field: string;
  },
  problems: FieldProblem[],
): TaxRateRecord | null {
  const { address, defaultTaxRateId } = caller.company;
  const selected =
    requested.taxRateId === undefined
      ? selectDefaultRate(taxRates, { country: address.country, defaultTaxRateId }, requested.vendor ?? null, {
          productTaxRateId: requested.product?.taxRateId ?? null,
          scope: requested.product?.type ?? 'service',
        })
      : { taxRateId: requested.taxRateId };
  if ('problem' in selected) {
    problems.push({ field: `${requested.field}.taxRateId`, problem: selected.problem });
    return null;
  }
  const id = selected.taxRateId;
  const rate = findTaxRateOn(taxRates, id, requested.date) ?? null;
  if (rate === null) {
    const exists = taxRates.has(id);
    const problem = exists
      ? `is not valid on ${requested.date} and has no successor that is`
      : 'is not a tax rate of the company';
    problems.push({ field: `${requested.field}.taxRateId`, problem });
  }
  return rate;
}

/** The tax rate of a line of a new document; an inactive rate is a problem too. */
export function resolveActiveLineTaxRate(
  caller: BusinessCaller,
  catalogue: Catalogue,
  requested: Parameters<typeof resolveLineTaxRate>[2],
  problems: FieldProblem[],
): TaxRateRecord | null {
  const rate = resolveLineTaxRate(caller, catalogue, requested, problems);
  if (rate === null || rate.active) return rate;
  problems.push({ field: `${requested.field}.taxRateId`, problem: 'is an inactive tax rate' });
  return null;
}
