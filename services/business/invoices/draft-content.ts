import type { DecimalText } from '../../../domain/business/decimal';
import { Decimal } from '../../../domain/business/decimal';
import type {
  DocumentLanguage,
  DraftInvoiceInput,
  DraftInvoiceLineInput,
} from '../../../domain/business/invoices/invoice';
import type { EarlyPaymentTerms } from '../../../domain/business/payments/early-payment';
import type { PaymentTermsCode } from '../../../domain/business/payments/payment-terms';
import { toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import type { SentSupplyDates, SupplyDates } from '../../../domain/business/invoices/supply-dates';
import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import type { InvoiceDraftRecord } from '../../../models/business/invoices/invoice';
import { fromDraftAdjustments, toDraftAdjustments } from './invoice-adjustments';
import type { AdjustmentInput, DocumentAdjustmentInput } from './invoice-adjustments';
import type { InvoiceLineInput } from './invoice-lines';
import type { InvoiceInput } from './invoice-preparation';

/** A line of a changed draft; null resets a field to its default. */
export interface DraftLineChange extends SentSupplyDates {
  /** An existing line of the draft; undefined for a new line. */
  lineId?: number | undefined;
  productId?: number | null | undefined;
  quantity: Decimal;
  unitPrice?: Decimal | null | undefined;
  description?: string | null | undefined;
  discountPercent?: Decimal | null | undefined;
  taxRateId?: number | null | undefined;
  priceIncludesTax?: boolean | null | undefined;
  warehouseId?: number | null | undefined;
  details?: string | null | undefined;
  unit?: string | null | undefined;
  adjustments?: AdjustmentInput[] | null | undefined;
}

/** Changes of a draft; undefined leaves a field as it is, null resets it to its default. */
export interface DraftChanges extends SentSupplyDates {
  customerId?: number | undefined;
  /** `YYYY-MM-DD` */
  issueDate?: string | null | undefined;
  paymentTerms?: PaymentTermsCode | null | undefined;
  currencyCode?: string | null | undefined;
  seriesId?: number | null | undefined;
  language?: DocumentLanguage | null | undefined;
  reference?: string | null | undefined;
  notes?: string | null | undefined;
  /** `YYYY-MM-DD` */
  dueDate?: string | null | undefined;
  buyerReference?: string | null | undefined;
  earlyPaymentDiscount?: EarlyPaymentTerms | null | undefined;
  deposit?: boolean | null | undefined;
  depositInvoiceIds?: number[] | null | undefined;
  prepayments?: { paymentId: number; amount: Decimal }[] | null | undefined;
  lines?: DraftLineChange[] | undefined;
  adjustments?: DocumentAdjustmentInput[] | null | undefined;
}

const toText = (value: Decimal | null | undefined): DecimalText | null => value?.toFixed() ?? null;
const toDecimal = (text: DecimalText | null): Decimal | undefined => (text === null ? undefined : new Decimal(text));

const toDraftDiscount = (terms: EarlyPaymentTerms | null | undefined): { percent: DecimalText; days: number } | null =>
  terms == null ? null : { percent: terms.percent.toFixed(), days: terms.days };

const toDraftPrepayments = (
  prepayments: DraftChanges['prepayments'],
): NonNullable<DraftInvoiceInput['prepayments']> | null =>
  prepayments?.map(({ paymentId, amount }) => ({ paymentId, amount: amount.toFixed() })) ?? null;

const buildSentLine = (line: InvoiceLineInput | DraftLineChange): DraftInvoiceLineInput => ({
  productId: line.productId ?? null,
  quantity: line.quantity.toFixed(),
  unitPrice: toText(line.unitPrice),
  description: line.description ?? null,
  discountPercent: toText(line.discountPercent),
  taxRateId: line.taxRateId ?? null,
  priceIncludesTax: line.priceIncludesTax ?? null,
  warehouseId: line.warehouseId ?? null,
  ...toSupplyDates(line),
  details: line.details ?? null,
  unit: line.unit ?? null,
  adjustments: toDraftAdjustments(line.adjustments),
});

/**
 * Builds the stored input of a draft: only the fields that were sent, so that defaults are those of the day of issue.
 */
export const buildSentInvoice = (input: InvoiceInput): DraftInvoiceInput => ({
  customerId: input.customerId,
  issueDate: input.issueDate ?? null,
  paymentTerms: input.paymentTerms ?? null,
  currencyCode: input.currencyCode ?? null,
  seriesId: input.seriesId ?? null,
  language: input.language ?? null,
  reference: input.reference ?? null,
  notes: input.notes ?? null,
  ...toSupplyDates(input),
  dueDate: input.dueDate ?? null,
  buyerReference: input.buyerReference ?? null,
  earlyPaymentDiscount: toDraftDiscount(input.earlyPaymentDiscount),
  deposit: input.deposit ?? null,
  depositInvoiceIds: input.depositInvoiceIds ?? null,
  prepayments: toDraftPrepayments(input.prepayments),
  lines: input.lines.map(buildSentLine),
  adjustments: toDraftAdjustments(input.adjustments),
});

/** Builds the input for issuing a draft. */
export const buildDraftInput = (sent: DraftInvoiceInput): InvoiceInput => ({
  customerId: sent.customerId,
  issueDate: sent.issueDate ?? undefined,
  paymentTerms: sent.paymentTerms ?? undefined,
  currencyCode: sent.currencyCode ?? undefined,
  seriesId: sent.seriesId ?? undefined,
  language: sent.language ?? undefined,
  reference: sent.reference ?? undefined,
  notes: sent.notes ?? undefined,
  ...toSupplyDates(sent),
  dueDate: sent.dueDate ?? undefined,
  buyerReference: sent.buyerReference ?? undefined,
  earlyPaymentDiscount:
    sent.earlyPaymentDiscount == null
      ? undefined
      : { ...sent.earlyPaymentDiscount, percent: new Decimal(sent.earlyPaymentDiscount.percent) },
  deposit: sent.deposit ?? undefined,
  depositInvoiceIds: sent.depositInvoiceIds ?? undefined,
  prepayments: sent.prepayments?.map(({ paymentId, amount }) => ({ paymentId, amount: new Decimal(amount) })),
  adjustments: fromDraftAdjustments(sent.adjustments),
  lines: sent.lines.map((line) => ({
    productId: line.productId ?? undefined,
    quantity: new Decimal(line.quantity),
    unitPrice: toDecimal(line.unitPrice),
    description: line.description ?? undefined,
    discountPercent: toDecimal(line.discountPercent),
    taxRateId: line.taxRateId ?? undefined,
    priceIncludesTax: line.priceIncludesTax ?? undefined,
    warehouseId: line.warehouseId ?? undefined,
    ...toSupplyDates(line),
    details: line.details ?? undefined,
    unit: line.unit ?? undefined,
    adjustments: fromDraftAdjustments(line.adjustments),
  })),
});

/**
 * Resolves the value of a field after a change. If the client sends back the value that it read, the stored input
 * stays, so that a default remains a default.
 * @param presented the value that the client read
 */
const resolveChange = <T>(before: T | null, change: T | null | undefined, presented: T | null): T | null =>
  change === undefined || change === presented ? before : change;

/** The dates of supply after a change; a day replaces a period, and a period a day. */
function changeSupplyDates(
  before: SentSupplyDates,
  changes: SentSupplyDates,
  presented: SentSupplyDates = before,
): SupplyDates {
  const { deliveryDate, deliveryPeriod } = changes;
  const current = toSupplyDates(before);
  const isUnchanged = deliveryPeriod == null && deliveryDate === (presented.deliveryDate ?? null);
  if ((deliveryDate === undefined && deliveryPeriod === undefined) || (isUnchanged && before.deliveryPeriod == null))
    return current;
  return toSupplyDates({
    deliveryDate: deliveryDate === undefined && deliveryPeriod === null ? current.deliveryDate : deliveryDate,
    deliveryPeriod: deliveryPeriod === undefined && deliveryDate === null ? current.deliveryPeriod : deliveryPeriod,
  });
}

/** @throws AppError 400 naming each line id that the draft does not have or that occurs twice */
function requireOwnLines(draft: InvoiceDraftRecord, lines: readonly DraftLineChange[]): void {
  const seen = new Set<number>();
  const problems = lines.flatMap(({ lineId }, index): FieldProblem[] => {
    if (lineId === undefined) return [];
    const field = `lines[${index}].lineId`;
    if (seen.has(lineId)) return [{ field, problem: 'occurs twice; omit it for a new line' }];
    seen.add(lineId);
    const own = draft.document.lines.some((line) => line.lineId === lineId);
    return own ? [] : [{ field, problem: 'is not a line of the draft; omit it for a new line' }];
  });
  if (problems.length > 0) throw invalidRequestError(problems);
}

/** A line with the id and product of an existing line keeps the defaults that were sent back as they were read. */
function applyLineChange(draft: InvoiceDraftRecord, change: DraftLineChange): DraftInvoiceLineInput {
  const next = buildSentLine(change);
  const presented = draft.document.lines.find(({ lineId }) => lineId === change.lineId);
  const before = draft.sent.lines[(change.lineId ?? 0) - 1];
  if (presented === undefined || before === undefined || presented.productId !== (change.productId ?? null))
    return next;
  const warehouse = draft.lineWarehouses.find(({ lineId }) => lineId === change.lineId)?.warehouseId ?? null;
  return {
    ...next,
    unitPrice: resolveChange(before.unitPrice, next.unitPrice, presented.unitPrice),
    description: resolveChange(before.description, next.description, presented.description),
    discountPercent: resolveChange(before.discountPercent, next.discountPercent, presented.discountPercent),
    taxRateId: resolveChange(before.taxRateId, next.taxRateId, presented.taxRateId),
    priceIncludesTax: resolveChange(before.priceIncludesTax, next.priceIncludesTax, presented.priceIncludesTax),
    warehouseId: resolveChange(before.warehouseId, next.warehouseId, warehouse),
    details: resolveChange(before.details ?? null, change.details, presented.details ?? null),
    unit: resolveChange(before.unit ?? null, change.unit, presented.unit),
    adjustments: change.adjustments === undefined ? (before.adjustments ?? null) : (next.adjustments ?? null),
  };
}

/**
 * Builds the input of a draft after a change. Fields that are sent back as they were read do not change; a default
 * remains a default, unless the customer (for a line: the product) from which it comes has changed.
 * @throws AppError 400 naming each line id that the draft does not have
 */
export function applyDraftChanges(draft: InvoiceDraftRecord, changes: DraftChanges): DraftInvoiceInput {
  const { sent, document } = draft;
  if (changes.lines !== undefined) requireOwnLines(draft, changes.lines);
  const sameCustomer = changes.customerId === undefined || changes.customerId === sent.customerId;
  const field = <T>(before: T | null, change: T | null | undefined, presented: T): T | null =>
    resolveChange(before, change, sameCustomer ? presented : before);
  return {
    customerId: changes.customerId ?? sent.customerId,
    issueDate: resolveChange(sent.issueDate, changes.issueDate, draft.issueDate),
    seriesId: resolveChange(sent.seriesId, changes.seriesId, draft.seriesId),
    paymentTerms: field(sent.paymentTerms, changes.paymentTerms, document.paymentTerms),
    currencyCode: field(sent.currencyCode, changes.currencyCode, document.currencyCode),
    language: field(sent.language, changes.language, document.language),
    reference: resolveChange(sent.reference, changes.reference, sent.reference),
    notes: resolveChange(sent.notes, changes.notes, sent.notes),
    ...changeSupplyDates(sent, changes, document),
    dueDate: resolveChange(sent.dueDate ?? null, changes.dueDate, draft.dueDate),
    earlyPaymentDiscount:
      changes.earlyPaymentDiscount === undefined
        ? (sent.earlyPaymentDiscount ?? null)
        : toDraftDiscount(changes.earlyPaymentDiscount),
    buyerReference: field(sent.buyerReference ?? null, changes.buyerReference, document.buyerReference ?? null),
    deposit: changes.deposit === undefined ? (sent.deposit ?? null) : changes.deposit,
    depositInvoiceIds:
      changes.depositInvoiceIds === undefined ? (sent.depositInvoiceIds ?? null) : changes.depositInvoiceIds,
    prepayments:
      changes.prepayments === undefined ? (sent.prepayments ?? null) : toDraftPrepayments(changes.prepayments),
    adjustments:
      changes.adjustments === undefined ? (sent.adjustments ?? null) : toDraftAdjustments(changes.adjustments),
    lines: changes.lines?.map((line) => applyLineChange(draft, line)) ?? sent.lines,
  };
}
