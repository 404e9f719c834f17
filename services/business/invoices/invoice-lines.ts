import { Decimal } from '../../../domain/business/decimal';
import { getTaxDate, toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import type { SentSupplyDates, SupplyDates } from '../../../domain/business/invoices/supply-dates';
import type { TaxedParty } from '../../../domain/business/settings/tax-profiles';
import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import type { WarehouseRecord } from '../../../models/business/stock/warehouse';
import type { BusinessCaller } from '../access/caller';
import { findLineTaxRate, resolveLineTaxRate, resolveTaxRate } from '../settings/line-tax-rates';
import { prepareAdjustment, prepareLineAdjustments } from './invoice-adjustments';
import type { AdjustmentInput, DocumentAdjustmentInput, PreparedAdjustment } from './invoice-adjustments';

/** One (piece), of UN/ECE Recommendation 20. */
const DEFAULT_UNIT = 'C62';

export interface InvoiceLineInput extends SentSupplyDates {
  /** Undefined for a line in free text, which needs `description` and `unitPrice`. */
  productId?: number | undefined;
  quantity: Decimal;
  /** @default the product's price */
  unitPrice?: Decimal | undefined;
  /** @default the product's name */
  description?: string | undefined;
  /** Printed under the description; empty for none. @default the product's description */
  details?: string | undefined;
  /** Unit code of UN/ECE Recommendation 20. @default the product's, else `C62` */
  unit?: string | undefined;
  adjustments?: AdjustmentInput[] | undefined;
  /** @default 0 */
  discountPercent?: Decimal | undefined;
  /** @default the product's, else the company's */
  taxRateId?: number | undefined;
  /** Governs `unitPrice`. @default the product's, else false */
  priceIncludesTax?: boolean | undefined;
  /** @default the company's */
  warehouseId?: number | undefined;
}

export interface PreparedLine extends SupplyDates {
  /** Null for a line in free text. */
  product: ProductRecord | null;
  taxRate: TaxRateRecord;
  /** Null for a service. */
  warehouse: WarehouseRecord | null;
  quantity: Decimal;
  unitPrice: Decimal;
  discountPercent: Decimal;
  priceIncludesTax: boolean;
  description: string;
  details: string | null;
  unit: string;
  adjustments: PreparedAdjustment[];
}

/** A discount or charge of the document; without a tax rate it is spread over the rates of the lines. */
export interface PreparedDocumentAdjustment extends PreparedAdjustment {
  taxRate: TaxRateRecord | null;
}

/** The records that the lines of a request reference. */
export interface LineRecords {
  /** The customer, whose profile selects the tax rate of a line that names none. */
  customer: TaxedParty | null;
  products: Map<number, ProductRecord>;
  taxRates: Map<number, TaxRateRecord>;
  warehouses: Map<number, WarehouseRecord>;
}

/** Collects the problems of a request, so that one error lists all of them. */
export class Problems {
  readonly fields: FieldProblem[] = [];

  /** @returns null, so that the reader of a field can end with it */
  add(field: string, problem: string): null {
    this.fields.push({ field, problem });
    return null;
  }

  /** @throws AppError 400 with all problems by field */
  throwIfAny(): void {
    if (this.fields.length > 0) throw invalidRequestError(this.fields);
  }
}

/** What the lines of a document depend on. */
export interface DocumentTerms {
  issueDate: string;
  /** Dates of supply of the document as they were sent. */
  supply: SentSupplyDates;
  currencyCode: string;
  /** Whether its lines were agreed in an order: products and tax rates that became inactive since are accepted. */
  followsOrder: boolean;
}

/** The document that lines are prepared for, and what is wrong with it so far. */
interface LineContext {
  caller: BusinessCaller;
  referenced: LineRecords;
  terms: DocumentTerms;
  problems: Problems;
}

function resolveWarehouse(
  { referenced, problems }: LineContext,
  product: ProductRecord | null,
  warehouseId: number,
  at: string,
): WarehouseRecord | null {
  if (product?.type !== 'goods') return null;
  const warehouse = referenced.warehouses.get(warehouseId);
  if (!warehouse) return problems.add(`${at}.warehouseId`, 'is not a warehouse of the company');
  if (!warehouse.active) return problems.add(`${at}.warehouseId`, 'is an inactive warehouse');
  return warehouse;
}

/** Returns the product, or null for a line in free text; undefined adds a problem. */
function resolveProduct(
  { referenced, terms, problems }: LineContext,
  line: InvoiceLineInput,
  at: string,
): ProductRecord | null | undefined {
  if (line.productId === undefined) {
    const missing = (['description', 'unitPrice'] as const).filter((name) => line[name] === undefined);
    if (missing.length === 2)
      problems.add(`${at}.productId`, 'is required, unless the line has description and unitPrice');
    else for (const name of missing) problems.add(`${at}.${name}`, 'is required for a line without productId');
    return missing.length > 0 ? undefined : null;
  }
  const product = referenced.products.get(line.productId);
  if (!product) problems.add(`${at}.productId`, 'is not a product of the company');
  else if (!product.active && !terms.followsOrder) problems.add(`${at}.productId`, 'is an inactive product');
  else return product;
  return undefined;
}

/** Fills in the defaults of a line; null adds a problem. */
export function prepareLine(context: LineContext, line: InvoiceLineInput, index: number): PreparedLine | null {
  const { caller, referenced, terms, problems } = context;
  const { currencyCode } = terms;
  const at = `lines[${index}]`;
  const product = resolveProduct(context, line, at);
  if (product === undefined) return null;
  const { taxRates, customer: party } = referenced;
  const date = getTaxDate(line, terms.supply, terms.issueDate);
  const requested = { taxRateId: line.taxRateId, product, party, date, field: `${at}.taxRateId` };
  const findRate = terms.followsOrder ? findLineTaxRate : resolveLineTaxRate;
  const taxRate = findRate(caller, taxRates, requested, problems.fields);
  if (!taxRate) return null;
  if (line.unitPrice === undefined && product?.currencyCode !== currencyCode)
    return problems.add(
      `${at}.unitPrice`,
      `is required: the product is priced in ${product?.currencyCode ?? ''}, the document is in ${currencyCode}`,
    );
  const warehouseId = line.warehouseId ?? caller.company.defaultWarehouseId;
  return {
    product,
    taxRate,
    warehouse: resolveWarehouse(context, product, warehouseId, at),
    quantity: line.quantity,
    unitPrice: line.unitPrice ?? (product === null ? new Decimal(0) : fromDecimal128(product.price)),
    discountPercent: line.discountPercent ?? new Decimal(0),
    ...toSupplyDates(line),
    priceIncludesTax: line.priceIncludesTax ?? product?.priceIncludesTax ?? false,
    description: line.description ?? product?.name ?? '',
    details: (line.details ?? product?.description ?? '') || null,
    unit: line.unit ?? product?.unit ?? DEFAULT_UNIT,
    adjustments: prepareLineAdjustments(line.adjustments ?? [], currencyCode, at, problems.fields),
  };
}

/** Prepares the discounts and charges of the document. */
export const prepareDocumentAdjustments = (
  referenced: LineRecords,
  inputs: readonly DocumentAdjustmentInput[],
  document: Omit<DocumentTerms, 'followsOrder'>,
  problems: Problems,
): PreparedDocumentAdjustment[] =>
  inputs.flatMap((input, index) => {
    const at = `adjustments[${index}]`;
    const prepared = prepareAdjustment(input, document.currencyCode, at, problems.fields);
    const taxRate =
      input.taxRateId === undefined
        ? null
        : resolveTaxRate(
            referenced.taxRates,
            input.taxRateId,
            { date: getTaxDate(null, document.supply, document.issueDate), field: `${at}.taxRateId` },
            problems.fields,
          );
    return prepared === null || (taxRate === null && input.taxRateId !== undefined) ? [] : { ...prepared, taxRate };
  });
