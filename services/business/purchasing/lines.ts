import { getCurrencyDecimals } from '../../../domain/business/currencies';
import type { Decimal } from '../../../domain/business/decimal';
import { ZERO } from '../../../domain/business/decimal';
import { calculateInvoice } from '../../../domain/business/invoices/invoice-calculation';
import type { InvoiceCalculation } from '../../../domain/business/invoices/invoice-calculation';
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
