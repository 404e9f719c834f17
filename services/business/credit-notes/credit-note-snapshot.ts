import { Decimal, round, ZERO } from '../../../domain/business/decimal';
import type { CreditNoteSnapshot, InvoiceSnapshot } from '../../../domain/business/invoices/invoice';
import { DOCUMENT_TEMPLATE_VERSION } from '../../../domain/business/documents/printable-document';
import { toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { PreparedCreditNote } from './credit-note-preparation';

const toText = (value: Decimal): string => value.toFixed();

/** Builds the credited lines and taxes with the descriptions of the invoice. */
function buildBody(
  document: InvoiceSnapshot,
  { calculation }: PreparedCreditNote,
): Pick<CreditNoteSnapshot, 'lines' | 'taxes'> {
  const lines = calculation.lines.flatMap((credited) => {
    const line = document.lines.find(({ lineId }) => lineId === credited.lineId);
    if (line === undefined) return [];
    const { quantity, payable, net, tax } = credited;
    const figures = { net: toText(net), tax: toText(tax) };
    if (quantity === null) {
      // A credited amount without units is printed as one unit of that price.
      const one = { quantity: '1', unitPrice: toText(payable), discountPercent: '0', discount: '0' };
      return [{ ...line, ...one, gross: toText(payable), ...figures }];
    }
    const discount = computeDiscount(line, quantity, payable, document);
    const gross = toText(payable.plus(discount));
    return [{ ...line, quantity: toText(quantity), gross, discount: toText(discount), ...figures }];
  });
  const taxes = calculation.taxes.flatMap(({ taxKey, net, tax }) => {
    const row = document.taxes[Number(taxKey)];
    return row === undefined ? [] : [{ ...row, net: toText(net), tax: toText(tax) }];
  });
  return { lines, taxes };
}

/** Computes the discount of the credited units: their gross amount less the credited amount. */
function computeDiscount(
  line: InvoiceSnapshot['lines'][number],
  quantity: Decimal,
  payable: Decimal,
  document: InvoiceSnapshot,
): Decimal {
  if (new Decimal(line.discount).isZero()) return ZERO;
  const gross = round(new Decimal(line.unitPrice).times(quantity), document.currencyDecimals);
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
