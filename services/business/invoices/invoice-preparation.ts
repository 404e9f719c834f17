import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal, MAX_AMOUNT } from '../../../domain/business/decimal';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';
import { calculateInvoice, convertTotals, exceedsLimit } from '../../../domain/business/invoices/invoice-calculation';
import type { BaseTotals, InvoiceCalculation } from '../../../domain/business/invoices/invoice-calculation';
import { findSupplyDateProblems, getSupplyPeriod, toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import type { SentSupplyDates, SupplyDates } from '../../../domain/business/invoices/supply-dates';
import { computeDueDate } from '../../../domain/business/payments/payment-terms';
import type { PaymentTermsCode } from '../../../domain/business/payments/payment-terms';
import { findTaxRateOn } from '../../../domain/business/settings/tax-rates';
import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { Customer } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord } from '../../../models/business/settings/document-series';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { WarehouseRecord } from '../../../models/business/stock/warehouse';
import { computeToday, formatFutureDateProblem } from '../settings/company';
import type { BusinessCaller } from '../access/caller';
import { findDocumentExchangeRate } from '../settings/document-rates';

export interface InvoiceLineInput extends SentSupplyDates {
  productId: number;
  quantity: Decimal;
  /** @default the product's price */
  unitPrice?: Decimal | undefined;
  /** @default the product's name */
  description?: string | undefined;
  /** @default 0 */
  discountPercent?: Decimal | undefined;
  /** @default the product's, else the company's */
  taxRateId?: number | undefined;
  /** Governs `unitPrice`. @default the product's */
  priceIncludesTax?: boolean | undefined;
  /** @default the company's */
  warehouseId?: number | undefined;
}

export interface InvoiceInput extends SentSupplyDates {
  customerId: number;
  /** `YYYY-MM-DD`. @default today in the company's zone */
  issueDate?: string | undefined;
  /** @default the customer's, else the company's */
  paymentTerms?: PaymentTermsCode | undefined;
  /** @default the customer's, else the company's base currency */
  currencyCode?: string | undefined;
  /** @default the company's invoice series */
  seriesId?: number | undefined;
  /** @default the customer's, else the company's */
  language?: DocumentLanguage | undefined;
  reference?: string | undefined;
  notes?: string | undefined;
  lines: InvoiceLineInput[];
}

export interface PreparedLine extends SupplyDates {
  product: ProductRecord;
  taxRate: TaxRateRecord;
  /** Null for a service. */
  warehouse: WarehouseRecord | null;
  quantity: Decimal;
  unitPrice: Decimal;
  discountPercent: Decimal;
  priceIncludesTax: boolean;
  description: string;
}

/** A completely computed invoice, without a number. */
export interface PreparedInvoice extends SupplyDates {
  customer: CustomerRecord;
  series: DocumentSeriesRecord;
  issueDate: string;
  dueDate: string;
  paymentTerms: PaymentTermsCode;
  currencyCode: string;
  exchangeRate: Decimal;
  language: DocumentLanguage;
  reference: string | null;
  notes: string | null;
  lines: PreparedLine[];
  calculation: InvoiceCalculation;
  base: BaseTotals;
}

/** The records that a request references. */
interface ReferencedRecords {
  customer: CustomerRecord | null;
  series: DocumentSeriesRecord | null;
  products: Map<number, ProductRecord>;
  taxRates: Map<number, TaxRateRecord>;
  warehouses: Map<number, WarehouseRecord>;
}

const indexById = <T extends { id: number }>(records: T[]): Map<number, T> =>
  new Map(records.map((record) => [record.id, record]));

async function readReferencedRecords(caller: BusinessCaller, input: InvoiceInput): Promise<ReferencedRecords> {
  const { organisationId, company } = caller;
  const seriesId = input.seriesId ?? company.defaultSeriesId;
  const [customer, series, products, taxRates, warehouses] = await Promise.all([
    Customer.findOne({ organisationId, id: input.customerId }).lean<CustomerRecord>(),
    DocumentSeries.findOne({ organisationId, id: seriesId, documentType: 'invoice' }).lean<DocumentSeriesRecord>(),
    Product.find({ organisationId, id: { $in: input.lines.map((line) => line.productId) } }).lean<ProductRecord[]>(),
    TaxRate.find({ organisationId }).lean<TaxRateRecord[]>(),
    Warehouse.find({ organisationId }).lean<WarehouseRecord[]>(),
  ]);
  return {
    customer,
    series,
    products: indexById(products),
    taxRates: indexById(taxRates),
    warehouses: indexById(warehouses),
  };
}

/** Collects the problems of a request, so that one error lists all of them. */
class Problems {
  readonly fields: FieldProblem[] = [];

  add(field: string, problem: string): null {
    this.fields.push({ field, problem });
    return null;
  }

  throwIfAny(): void {
    if (this.fields.length > 0) throw invalidRequestError(this.fields);
  }
}

function resolveWarehouse(
  referenced: ReferencedRecords,
  product: ProductRecord,
  warehouseId: number,
  at: string,
  problems: Problems,
): WarehouseRecord | null {
  if (product.type === 'service') return null;
  const warehouse = referenced.warehouses.get(warehouseId);
  if (!warehouse) return problems.add(`${at}.warehouseId`, 'is not a warehouse of the company');
  if (!warehouse.active) return problems.add(`${at}.warehouseId`, 'is an inactive warehouse');
  return warehouse;
}

function prepareLine(
  caller: BusinessCaller,
  referenced: ReferencedRecords,
  line: InvoiceLineInput,
  index: number,
  document: { issueDate: string; currencyCode: string },
  problems: Problems,
): PreparedLine | null {
  const at = `lines[${index}]`;
  const product = referenced.products.get(line.productId);
  if (!product) return problems.add(`${at}.productId`, 'is not a product of the company');
  if (!product.active) return problems.add(`${at}.productId`, 'is an inactive product');
  const taxRateId = line.taxRateId ?? product.taxRateId ?? caller.company.defaultTaxRateId;
  const taxRate = findTaxRateOn(referenced.taxRates, taxRateId, document.issueDate);
  if (!taxRate)
    return problems.add(
      `${at}.taxRateId`,
      referenced.taxRates.has(taxRateId)
        ? `is not valid on ${document.issueDate} and has no successor that is`
        : 'is not a tax rate of the company',
    );
  if (line.unitPrice === undefined && product.currencyCode !== document.currencyCode)
    return problems.add(
      `${at}.unitPrice`,
      `is required: the product is priced in ${product.currencyCode}, the document is in ${document.currencyCode}`,
    );
  if (!taxRate.active) return problems.add(`${at}.taxRateId`, 'is an inactive tax rate');
  const warehouse = resolveWarehouse(
    referenced,
    product,
    line.warehouseId ?? caller.company.defaultWarehouseId,
    at,
    problems,
  );
  return {
    product,
    taxRate,
    warehouse,
    quantity: line.quantity,
    unitPrice: line.unitPrice ?? fromDecimal128(product.price),
    discountPercent: line.discountPercent ?? new Decimal(0),
    priceIncludesTax: line.priceIncludesTax ?? product.priceIncludesTax,
    description: line.description ?? product.name,
    ...toSupplyDates(line),
  };
}

const buildTaxKey = (rate: TaxRateRecord): string =>
  [rate.category, fromDecimal128(rate.percent).toFixed(), rate.exemptionReason ?? ''].join('|');

/** Key of a line's row in the tax table: one row per category, percentage and exemption reason. */
export const buildTaxRowKey = (line: PreparedLine): string => buildTaxKey(line.taxRate);

const calculateTotals = (
  caller: BusinessCaller,
  lines: readonly PreparedLine[],
  currencyCode: string,
): InvoiceCalculation =>
  calculateInvoice(
    lines.map((line) => ({
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      discountPercent: line.discountPercent,
      priceIncludesTax: line.priceIncludesTax,
      taxKey: buildTaxRowKey(line),
      taxPercent: fromDecimal128(line.taxRate.percent),
    })),
    getCurrencyDecimals(currencyCode),
    caller.company.taxRounding,
  );

function checkCustomerAndSeries(referenced: ReferencedRecords, problems: Problems): void {
  if (!referenced.customer) problems.add('customerId', 'is not a customer of the company');
  else if (!referenced.customer.active) problems.add('customerId', 'is an inactive customer');
  if (!referenced.series?.active) problems.add('seriesId', 'is not an active invoice series of the company');
}

/** The dates of supply as sent; if none is stated, also of no line, that of the company's default. */
function resolveSupplyDates({ company }: BusinessCaller, input: InvoiceInput, issueDate: string): SupplyDates {
  const isStated = [input, ...input.lines].some((dates) => getSupplyPeriod(dates) !== null);
  if (isStated || company.defaultDeliveryDate !== 'issue_date') return toSupplyDates(input);
  return { deliveryDate: issueDate, deliveryPeriod: null };
}

/** Finds the problems of the dates of supply of a document and its lines. */
const findInvoiceDateProblems = (input: InvoiceInput): FieldProblem[] => [
  ...findSupplyDateProblems(input, '', null),
  ...input.lines.flatMap((line, index) =>
    findSupplyDateProblems(line, `lines[${index}].`, input.deliveryPeriod ?? null),
  ),
];

/**
 * Computes an invoice: reads and checks the referenced records, fills in defaults, computes totals. Writes nothing.
 * @throws AppError 400 naming every invalid field.
 */
export async function prepareInvoice(caller: BusinessCaller, input: InvoiceInput, now: Date): Promise<PreparedInvoice> {
  const { company } = caller;
  const problems = new Problems();
  const referenced = await readReferencedRecords(caller, input);
  const today = computeToday(company, now);
  const issueDate = input.issueDate ?? today;
  if (issueDate > today) problems.add('issueDate', formatFutureDateProblem(today));
  checkCustomerAndSeries(referenced, problems);
  problems.fields.push(...findInvoiceDateProblems(input));
  const { customer, series } = referenced;
  const currencyCode = input.currencyCode ?? customer?.currencyCode ?? company.baseCurrencyCode;
  const rate = await findDocumentExchangeRate(caller, currencyCode, issueDate);
  const exchangeRate = 'problem' in rate ? problems.add('currencyCode', rate.problem) : rate;
  const lines = input.lines.map((line, index) =>
    prepareLine(caller, referenced, line, index, { issueDate, currencyCode }, problems),
  );
  problems.throwIfAny();
  const complete = lines.filter((line) => line !== null);
  if (customer === null || series === null || exchangeRate === null) throw invalidRequestError(problems.fields);
  const calculation = calculateTotals(caller, complete, currencyCode);
  const base = convertTotals(calculation, exchangeRate, getCurrencyDecimals(company.baseCurrencyCode));
  if (exceedsLimit(calculation) || base.grandTotal.gt(MAX_AMOUNT))
    throw invalidRequestError([{ field: 'lines', problem: `add up to more than ${MAX_AMOUNT.toFixed()}` }]);
  const paymentTerms = input.paymentTerms ?? customer.paymentTerms ?? company.defaultPaymentTerms;
  return {
    customer,
    series,
    issueDate,
    dueDate: computeDueDate(issueDate, paymentTerms),
    paymentTerms,
    currencyCode,
    exchangeRate,
    language: input.language ?? customer.language ?? company.language,
    ...resolveSupplyDates(caller, input, issueDate),
    reference: input.reference ?? null,
    notes: input.notes ?? null,
    lines: complete,
    calculation,
    base,
  };
}
