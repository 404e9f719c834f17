import { mongo } from 'mongoose';
import { Decimal, round } from '../../../domain/business/decimal';
import type { BuyerSnapshot, InvoiceSnapshot } from '../../../domain/business/invoices/invoice';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { toDecimal128 } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { CUSTOMER_KIND } from '../../../services/business/parties/party-kinds';
import { prepareParty } from '../../../services/business/parties/party-records';
import { prepareInvoice } from '../../../services/business/invoices/invoice-preparation';
import { buildInvoiceSnapshot } from '../../../services/business/invoices/invoice-snapshot';
import { Singletons } from '../../../services/platform/singletons';
import { reserveNumber } from '../../../services/platform/transactions/counters';

const PRODUCTS = 20;
const CARTS = 200;
const CITIES = ['Dublin', 'Köln', 'Málaga', 'Orléans', 'Århus', 'Kraków', 'Braga', 'Gent'];
const TRADES = ['Trading', 'Works', 'Logistics', 'Foods', 'Printing', 'Textiles', 'Optics', 'Timber', 'Motors'];

export interface SeededCustomer {
  record: CustomerRecord;
  snapshot: BuyerSnapshot;
}

/** Lines and amounts that are calculated once and shared by many invoices. */
export interface Cart {
  document: InvoiceSnapshot;
  /** Amounts stored next to the document. */
  stored: Pick<
    InvoiceRecord,
    'total' | 'taxTotal' | 'grandTotal' | 'baseTotal' | 'baseTaxTotal' | 'baseGrandTotal' | 'lineWarehouses'
  >;
}

const buildCaller = (company: CompanyRecord): BusinessCaller => ({
  organisationId: company._id,
  mode: 'live',
  id: 'bench',
  permissions: new Set(),
  company,
  key: null,
});

/** Services, which need no stock. */
export async function generateProducts(company: CompanyRecord, now: Date): Promise<ProductRecord[]> {
  const { _id: organisationId } = company;
  const first = await reserveNumber(organisationId, 'products', PRODUCTS);
  return Array.from({ length: PRODUCTS }, (_, index) => {
    const [code, name] = [`SRV-${first + index}`, `Service of kind ${index + 1}`];
    return {
      _id: new mongo.ObjectId(),
      organisationId,
      id: first + index,
      code,
      name,
      description: null,
      type: 'service',
      categoryId: null,
      unit: 'C62',
      price: toDecimal128(round(new Decimal(index + 1).times('13.37'), 2)),
      currencyCode: company.baseCurrencyCode,
      taxRateId: null,
      priceIncludesTax: false,
      reorderLevel: null,
      barcode: null,
      active: true,
      tokens: buildSearchTokens([code, name]),
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
  });
}

/** Customers with names of two words and a number, and addresses. */
export async function generateCustomers(company: CompanyRecord, count: number, now: Date): Promise<SeededCustomer[]> {
  const first = await reserveNumber(company._id, 'customers', count);
  return Array.from({ length: count }, (_, index) => {
    const city = CITIES[index % CITIES.length] ?? 'Dublin';
    const trade = TRADES[index % TRADES.length] ?? 'Trading';
    const settings = { clock: { now: () => now }, config: { TAX_ID_VERIFICATION: 'on_request' as const } };
    const build = prepareParty(settings, buildCaller(company), CUSTOMER_KIND, {
      name: `${city} ${trade} ${index + 1}`,
      taxId: `IE${1_000_000 + index}T`,
      email: `office-${index + 1}@customer.example`,
      address: { line1: `${(index % 90) + 1} Quay Street`, city, country: 'IE' },
    });
    const record = build(first + index, now);
    const { id: customerId, code, name, taxId, address, email } = record;
    return { record, snapshot: { customerId, code, name, taxId, address: { ...address }, email } };
  });
}

/**
 * Carts calculated the way an invoice is. The products and the customer must be stored.
 *
 * @param lines lines of each cart; one to three by default
 */
export async function generateCarts(
  company: CompanyRecord,
  products: readonly ProductRecord[],
  { customerId, lines: lineCount }: { customerId: number; lines: number | undefined },
  now: Date,
): Promise<Cart[]> {
  const platform = { singletons: new Singletons() };
  const carts: Cart[] = [];
  for (let index = 0; index < CARTS; index += 1) {
    const lines = Array.from({ length: lineCount ?? (index % 3) + 1 }, (_, line) => ({
      productId: products[(index * 3 + line) % products.length]?.id ?? 0,
      quantity: new Decimal(((index + line) % 9) + 1),
      discountPercent: new Decimal(index % 5 === 0 ? 10 : 0),
    }));
    const prepared = await prepareInvoice(platform, buildCaller(company), { customerId, lines }, now);
    const { calculation, base } = prepared;
    carts.push({
      document: buildInvoiceSnapshot(company, prepared, '', now),
      stored: {
        total: toDecimal128(calculation.total),
        taxTotal: toDecimal128(calculation.taxTotal),
        grandTotal: toDecimal128(calculation.grandTotal),
        baseTotal: toDecimal128(base.total),
        baseTaxTotal: toDecimal128(base.taxTotal),
        baseGrandTotal: toDecimal128(base.grandTotal),
        lineWarehouses: prepared.lines.map((_, line) => ({ lineId: line + 1, warehouseId: null })),
      },
    });
  }
  return carts;
}
