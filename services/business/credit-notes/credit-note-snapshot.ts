import type { CreditedLine } from '../../../domain/business/credit-notes/credit-note-calculation';
import { Decimal, round, sum, ZERO } from '../../../domain/business/decimal';
import { signAdjustment } from '../../../domain/business/invoices/adjustments';
import type { CreditNoteSnapshot, InvoiceSnapshot } from '../../../domain/business/invoices/invoice';
import { computeTaxComponents } from '../../../domain/business/invoices/tax-components';
import { DOCUMENT_TEMPLATE_VERSION } from '../../../domain/business/documents/printable-document';
import { toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { PreparedCreditNote } from './credit-note-preparation';

const toText = (value: Decimal): string => value.toFixed();

type Line = InvoiceSnapshot['lines'][number];

/** Builds a credited line with the description of the invoice. */
function buildLine(
  { adjustments, ...line }: Line,
  { quantity, payable, net, tax }: CreditedLine,
  decimals: number,
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
  const discount = computeDiscount(line, quantity, payable.minus(adjusted), decimals);
  return {
    ...line,
    quantity: toText(quantity),
    gross: toText(payable.minus(adjusted).plus(discount)),
    discount: toText(discount),
    // A percentage of the invoice's line, of which a part is credited.
    ...(credited === undefined ? {} : { adjustments: credited.map((each) => ({ ...each, percent: null })) }),
    ...figures,
  };
}

/** Builds the credited lines, discounts, charges and taxes. */
function buildBody(
  document: InvoiceSnapshot,
  { calculation, creditedTaxes }: PreparedCreditNote,
): Pick<CreditNoteSnapshot, 'lines' | 'adjustments' | 'taxes'> {
  const lines = calculation.lines.flatMap((credited) => {
    const line = document.lines.find(({ lineId }) => lineId === credited.lineId);
    return line === undefined ? [] : buildLine(line, credited, document.currencyDecimals);
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
    const before = creditedTaxes[Number(taxKey)];
    const components = row.components && {
      components: computeTaxComponents(row.components, tax, document.currencyDecimals, before),
    };
    return [{ ...row, net: toText(net), tax: toText(tax), ...components }];
  });
  return { lines, ...(adjustments.length === 0 ? {} : { adjustments }), taxes };
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
    baseTotal: toText(base.total),
    baseTaxTotal: toText(base.taxTotal),
    baseGrandTotal: toText(base.grandTotal),
  };
}
