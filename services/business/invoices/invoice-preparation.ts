import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { MAX_AMOUNT } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';
import { getTaxTexts } from '../../../domain/business/settings/tax-profiles';
import { calculateInvoice, convertTotals, exceedsLimit } from '../../../domain/business/invoices/invoice-calculation';
import type { BaseTotals, InvoiceCalculation } from '../../../domain/business/invoices/invoice-calculation';
import type { PrepaidSnapshot } from '../../../domain/business/invoices/prepaid';
import { findSupplyDateProblems, getSupplyPeriod, toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import type { SentSupplyDates, SupplyDates } from '../../../domain/business/invoices/supply-dates';
import { computeEarlyPayment } from '../../../domain/business/payments/early-payment';
import type { EarlyPaymentSnapshot } from '../../../domain/business/payments/early-payment';
import { computeDueDate } from '../../../domain/business/payments/payment-terms';
import type { PaymentTermsCode } from '../../../domain/business/payments/payment-terms';
import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { DocumentSeriesRecord } from '../../../models/business/settings/document-series';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { computeToday, formatFutureDateProblem } from '../settings/company';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { findDocumentExchangeRate } from '../settings/document-rates';
import type { DocumentAdjustmentInput } from './invoice-adjustments';
import { prepareDocumentAdjustments, prepareLine, Problems } from './invoice-lines';
import { getAmountDue, preparePrepaid } from './prepaid';
import { readReferencedRecords } from './referenced-records';
import type { ReferencedRecords } from './referenced-records';
import type { PrepaidInput } from './prepaid';
import type { InvoiceLineInput, PreparedDocumentAdjustment, PreparedLine } from './invoice-lines';

export interface InvoiceInput extends SentSupplyDates, PrepaidInput {
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
  /** BT-10. @default the customer's */
  buyerReference?: string | undefined;
  /** `YYYY-MM-DD`. @default by the payment terms */
  dueDate?: string | undefined;
  lines: InvoiceLineInput[];
  adjustments?: DocumentAdjustmentInput[] | undefined;
}

/** Of what kind a document is, apart from its content. */
export interface PreparationOptions {
  /** The customer of a sample document, who is not stored. */
  sample?: CustomerRecord;
  /** Whether its lines are those of an order. */
  followsOrder?: boolean;
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
  buyerReference: string | null;
  earlyPaymentDiscount: EarlyPaymentSnapshot | null;
  isDeposit: boolean;
  prepaid: PrepaidSnapshot | null;
  notes: string | null;
  lines: PreparedLine[];
  adjustments: PreparedDocumentAdjustment[];
  calculation: InvoiceCalculation;
  base: BaseTotals;
}

/** Key of a rate's row in the tax table: one row per category, percentage and exemption reason. */
export const buildTaxKey = (rate: TaxRateRecord): string =>
  [
    rate.category,
    fromDecimal128(rate.percent).toFixed(),
    rate.exemptionReason ?? '',
    ...(rate.components ?? []).map(({ name, percent }) => `${name} ${percent}`),
    // Equal in every language of documents, so that the reason of a line is that of its row.
    ...DOCUMENT_LANGUAGES.map((language) => getTaxTexts(rate, language).exemptionReason ?? ''),
  ].join('|');

const calculateTotals = (
  caller: BusinessCaller,
  lines: readonly PreparedLine[],
  adjustments: readonly PreparedDocumentAdjustment[],
  currencyCode: string,
): InvoiceCalculation =>
  calculateInvoice(
    lines.map((line) => ({
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      discountPercent: line.discountPercent,
      priceIncludesTax: line.priceIncludesTax,
      taxKey: buildTaxKey(line.taxRate),
      taxPercent: fromDecimal128(line.taxRate.percent),
      adjustments: line.adjustments.map(({ terms }) => terms),
    })),
    getCurrencyDecimals(currencyCode),
    caller.company.taxRounding,
    adjustments.map(({ terms, taxRate }) => ({
      terms,
      tax: taxRate === null ? null : { taxKey: buildTaxKey(taxRate), taxPercent: fromDecimal128(taxRate.percent) },
    })),
  );

/** Amounts that the discounts may not exceed, and the largest that the service computes with. */
function checkAmounts(calculation: InvoiceCalculation, base: BaseTotals, problems: Problems): void {
  const adjusted = calculation.adjustments.some(({ type }) => type === 'discount');
  calculation.lines.forEach((line, index) => {
    if (line.adjustments.length > 0 && line.isOverdiscounted)
      problems.add(`lines[${index}].adjustments`, 'discounts must not exceed the amount of the line');
  });
  for (const { percent, net, tax } of calculation.taxes)
    if (adjusted && (net.isNegative() || tax.isNegative()))
      problems.add('adjustments', `discounts must not exceed the lines taxed at ${percent.toFixed()} %`);
  if (exceedsLimit(calculation) || base.grandTotal.gt(MAX_AMOUNT))
    problems.add('lines', `add up to more than ${MAX_AMOUNT.toFixed()}`);
  problems.throwIfAny();
}

function checkCustomerAndSeries(referenced: ReferencedRecords, problems: Problems): void {
  if (!referenced.customer) problems.add('customerId', 'is not a customer of the company');
  else if (!referenced.customer.active) problems.add('customerId', 'is an inactive customer');
  if (!referenced.series?.active) problems.add('seriesId', 'is not an active invoice series of the company');
}

/** The issue date as sent, or today; a date in the future is a problem. */
function resolveIssueDate({ company }: BusinessCaller, input: InvoiceInput, now: Date, problems: Problems): string {
  const today = computeToday(company, now);
  const issueDate = input.issueDate ?? today;
  if (issueDate > today) problems.add('issueDate', formatFutureDateProblem(today));
  return issueDate;
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

/** The discount for early payment on what is due. */
const prepareDiscount = (
  { earlyPaymentDiscount: terms }: InvoiceInput,
  due: Decimal,
  issueDate: string,
  currencyCode: string,
): EarlyPaymentSnapshot | null =>
  terms === undefined ? null : computeEarlyPayment(terms, due, issueDate, getCurrencyDecimals(currencyCode));

/**
 * Computes an invoice: reads and checks the referenced records, fills in defaults, computes totals. Writes nothing.
 * @throws AppError 400 naming every invalid field.
 */
export async function prepareInvoice(
  platform: Pick<Platform, 'singletons'>,
  caller: BusinessCaller,
  input: InvoiceInput,
  now: Date,
  { sample, followsOrder = false }: PreparationOptions = {},
): Promise<PreparedInvoice> {
  const { company } = caller;
  const problems = new Problems();
  const referenced = await readReferencedRecords(platform, caller, input, sample);
  const issueDate = resolveIssueDate(caller, input, now, problems);
  checkCustomerAndSeries(referenced, problems);
  problems.fields.push(...findInvoiceDateProblems(input));
  const { customer, series } = referenced;
  const currencyCode = input.currencyCode ?? customer?.currencyCode ?? company.baseCurrencyCode;
  const rate = await findDocumentExchangeRate(caller, currencyCode, issueDate);
  const exchangeRate = 'problem' in rate ? problems.add('currencyCode', rate.problem) : rate;
  const terms = { issueDate, supply: input, currencyCode, followsOrder };
  const context = { caller, referenced, terms, problems };
  const lines = input.lines.map((line, index) => prepareLine(context, line, index));
  const adjustments = prepareDocumentAdjustments(referenced, input.adjustments ?? [], terms, problems);
  if (input.dueDate !== undefined && input.dueDate < issueDate)
    problems.add('dueDate', `must not be before the issue date, ${issueDate}`);
  problems.throwIfAny();
  const complete = lines.filter((line) => line !== null);
  if (customer === null || series === null || exchangeRate === null) throw invalidRequestError(problems.fields);
  const calculation = calculateTotals(caller, complete, adjustments, currencyCode);
  const base = convertTotals(calculation, exchangeRate, getCurrencyDecimals(company.baseCurrencyCode));
  const { grandTotal } = calculation;
  const head = { customerId: customer.id, currencyCode, issueDate, grandTotal };
  const prepaid = await preparePrepaid(caller, input, head, problems);
  checkAmounts(calculation, base, problems);
  const paymentTerms = input.paymentTerms ?? customer.paymentTerms ?? company.defaultPaymentTerms;
  return {
    customer,
    series,
    issueDate,
    dueDate: input.dueDate ?? computeDueDate(issueDate, paymentTerms),
    paymentTerms,
    currencyCode,
    exchangeRate,
    language: input.language ?? customer.language ?? company.language,
    ...resolveSupplyDates(caller, input, issueDate),
    reference: input.reference ?? null,
    earlyPaymentDiscount: prepareDiscount(input, getAmountDue(calculation, prepaid), issueDate, currencyCode),
    isDeposit: input.deposit ?? false,
    prepaid,
    buyerReference: input.buyerReference ?? customer.buyerReference ?? null,
    notes: input.notes ?? null,
    lines: complete,
    adjustments,
    calculation,
    base,
  };
}
