import type { TaxedAmount } from '../../../domain/business/taxed-amount';
import type { CreditedLine } from '../../../domain/business/credit-notes/credit-note-calculation';
import { Decimal, round, sum, ZERO } from '../../../domain/business/decimal';
import { signAdjustment } from '../../../domain/business/invoices/adjustments';
import type {
  CreditNoteSnapshot,
  DocumentAdjustmentSnapshot,
  InvoiceSnapshot,
} from '../../../domain/business/invoices/invoice';
import { computeTaxComponents } from '../../../domain/business/invoices/tax-components';
import type { TaxComponentAmount } from '../../../domain/business/invoices/tax-components';
import { formatCreditedBefore, formatCreditedDiscount } from '../../../domain/business/documents/labels/payment-terms';
import { DOCUMENT_TEMPLATE_VERSION } from '../../../domain/business/documents/printable-document';
import { toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { PreparedCreditNote } from './credit-note-preparation';
import type { BaseAmounts } from './credited-base';

const toText = (value: Decimal): string => value.toFixed();

type Line = InvoiceSnapshot['lines'][number];

/** States on a line what was credited of the price of its units before. */
const buildReduction = (reason: string, reduction: Decimal | undefined): NonNullable<Line['adjustments']> =>
  reduction === undefined ? [] : [{ type: 'discount', reason, percent: null, amount: toText(reduction) }];

/** Builds a credited line with the description of the invoice. */
function buildLine(
  { adjustments, ...line }: Line,
  { quantity, payable, reduction, net, tax }: CreditedLine,
  { currencyDecimals: decimals, language }: InvoiceSnapshot,
): Line {
  const figures = { net: toText(net), tax: toText(tax) };
  if (quantity === null) {
    // A credited amount without units is printed as one unit of that price.
    const one = { quantity: '1', unitPrice: toText(payable), discountPercent: '0', discount: '0' };
    return { ...line, ...one, gross: toText(payable), ...figures };
  }
  const credited = adjustments?.map((each) => {
    const share = new Decimal(each.amount).times(quantity).div(line.quantity);
    return { ...each, amount: toText(round(share, decimals)) };
  });
  const adjusted = sum((credited ?? []).map(({ type, amount }) => signAdjustment(type, new Decimal(amount))));
  const before = payable.plus(reduction ?? ZERO).minus(adjusted);
  const discount = computeDiscount(line, quantity, before, decimals);
  // A percentage of the invoice's line, of which a part is credited.
  const stated = [
    ...(credited ?? []).map((each) => ({ ...each, percent: null })),
    ...buildReduction(formatCreditedBefore(language), reduction),
  ];
  return {
    ...line,
    quantity: toText(quantity),
    gross: toText(before.plus(discount)),
    discount: toText(discount),
    ...(credited === undefined && stated.length === 0 ? {} : { adjustments: stated }),
    ...figures,
  };
}

const toBaseTexts = (base: BaseAmounts | undefined): Pick<InvoiceSnapshot['taxes'][number], 'base'> =>
  base === undefined
    ? {}
    : {
        base: {
          net: toText(base.net),
          tax: toText(base.tax),
          ...(base.components && { components: base.components.map(toText) }),
        },
      };

/** Builds the credited lines, discounts, charges and taxes. */
function buildBody(
  document: InvoiceSnapshot,
  { calculation, creditedTaxes, discount, base }: PreparedCreditNote,
): Pick<CreditNoteSnapshot, 'lines' | 'adjustments' | 'taxes'> {
  const lines = calculation.lines.flatMap((credited) => {
    const line = document.lines.find(({ lineId }) => lineId === credited.lineId);
    return line === undefined ? [] : buildLine(line, credited, document);
  });
  const adjustments = calculation.adjustments.flatMap(({ adjustmentId, amount, net, tax }) => {
    const invoiced = document.adjustments?.find((each) => each.adjustmentId === adjustmentId);
    if (invoiced === undefined) return [];
    const figures = { amount: toText(amount), net: toText(net), tax: toText(tax) };
    return { ...invoiced, percent: null, base: null, ...figures };
  });
  const taxes = calculation.taxes.flatMap(({ taxKey, net, tax }) => {
    const row = document.taxes[Number(taxKey)];
    if (row === undefined) return [];
    const index = Number(taxKey);
    const deducted = { tax: discount.rows[index]?.tax ?? ZERO, before: discount.before[index]?.tax ?? ZERO };
    const credited = { tax: tax.plus(deducted.tax), before: creditedTaxes[index] ?? ZERO };
    const components = row.components && {
      components: buildComponents(row.components, credited, deducted, document.currencyDecimals),
    };
    return [{ ...row, net: toText(net), tax: toText(tax), ...components, ...toBaseTexts(base.rows?.get(index)) }];
  });
  const all = [...adjustments, ...buildDiscounts(document, discount.rows)];
  return { lines, ...(all.length === 0 ? {} : { adjustments: all }), taxes };
}

/** The credited components at the prices before a discount for early payment, less those of the discount. */
function buildComponents(
  components: readonly TaxComponentAmount[],
  credited: { tax: Decimal; before: Decimal },
  deducted: { tax: Decimal; before: Decimal },
  decimals: number,
): TaxComponentAmount[] {
  const less = computeTaxComponents(components, deducted.tax, decimals, deducted.before);
  return computeTaxComponents(components, credited.tax, decimals, credited.before).map((each, index) => ({
    ...each,
    tax: toText(new Decimal(each.tax).minus(less[index]?.tax ?? 0)),
  }));
}

/**
 * States the discount for early payment that the credited amounts are reduced by, per row of the tax table, with ids
 * after those of the invoice. What a discount that was taken back had reduced is a charge.
 */
function buildDiscounts(document: InvoiceSnapshot, rows: readonly TaxedAmount[]): DocumentAdjustmentSnapshot[] {
  const first = Math.max(0, ...(document.adjustments ?? []).map(({ adjustmentId }) => adjustmentId)) + 1;
  return document.taxes.flatMap((row, index) => {
    const { net, tax } = rows[index] ?? { net: ZERO, tax: ZERO };
    if (net.isZero() && tax.isZero()) return [];
    const type = net.plus(tax).isNegative() ? 'charge' : 'discount';
    const sign = type === 'charge' ? -1 : 1;
    return {
      adjustmentId: first + index,
      type,
      reason: formatCreditedDiscount(document.language, type),
      percent: null,
      base: null,
      includesTax: false,
      amount: toText(net.times(sign)),
      net: toText(net.times(sign)),
      tax: toText(tax.times(sign)),
      taxRateId: row.taxRateId,
      taxPercent: row.percent,
      taxCategory: row.category,
      exemptionReason: row.exemptionReason,
      isEarlyPayment: true,
    };
  });
}

/** Computes the discount of the credited units: their gross amount less the credited amount. */
function computeDiscount(
  line: Pick<Line, 'discount' | 'unitPrice'>,
  quantity: Decimal,
  payable: Decimal,
  decimals: number,
): Decimal {
  if (new Decimal(line.discount).isZero()) return ZERO;
  const gross = round(new Decimal(line.unitPrice).times(quantity), decimals);
  return Decimal.max(gross.minus(payable), ZERO);
}

/**
 * Builds the complete, immutable content of a credit note; seller, buyer, exchange rate and language are those of the
 * invoice.
 */
export function buildCreditNoteSnapshot(
  invoice: InvoiceRecord,
  prepared: PreparedCreditNote,
  input: { reason: string; notes?: string | undefined },
  head: { number: string; issueDate: string; at: Date },
): CreditNoteSnapshot {
  const { document } = invoice;
  const { calculation, base } = prepared;
  return {
    documentKind: 'credit_note',
    precedingInvoice: { number: document.number, issueDate: document.issueDate },
    reason: input.reason,
    templateVersion: DOCUMENT_TEMPLATE_VERSION,
    language: document.language,
    number: head.number,
    issueDate: head.issueDate,
    issuedAt: head.at.toISOString(),
    // Without the keys if the invoice has none: it was issued before dates of supply could be stated.
    ...(document.deliveryDate === undefined ? {} : toSupplyDates(document)),
    reference: document.reference,
    ...(document.eInvoiceProfile === undefined
      ? {}
      : { buyerReference: document.buyerReference ?? null, eInvoiceProfile: document.eInvoiceProfile }),
    ...(document.isDeposit === true ? { isDeposit: true as const } : {}),
    notes: input.notes ?? null,
    currencyCode: document.currencyCode,
    currencyDecimals: document.currencyDecimals,
    baseCurrencyCode: document.baseCurrencyCode,
    baseCurrencyDecimals: document.baseCurrencyDecimals,
    exchangeRate: document.exchangeRate,
    taxRounding: document.taxRounding,
    seller: document.seller,
    buyer: document.buyer,
    ...buildBody(document, prepared),
    total: toText(calculation.total),
    taxTotal: toText(calculation.taxTotal),
    grandTotal: toText(calculation.grandTotal),
    baseTotal: toText(base.totals.total),
    baseTaxTotal: toText(base.totals.taxTotal),
    baseGrandTotal: toText(base.totals.grandTotal),
  };
}
