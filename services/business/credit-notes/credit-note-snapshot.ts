import { Decimal, round, ZERO } from '../../../domain/business/decimal';
import type { CreditNoteSnapshot, InvoiceSnapshot } from '../../../domain/business/invoices/invoice';
import { INVOICE_TEMPLATE_VERSION } from '../../../domain/business/documents/invoice-document';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { WorkedOutCredit } from './credit-note-preparation';

const text = (value: Decimal): string => value.toFixed();

/** The credited lines and taxes in the words of the invoice. */
function bodyOf(
  document: InvoiceSnapshot,
  { calculation }: WorkedOutCredit,
): Pick<CreditNoteSnapshot, 'lines' | 'taxes'> {
  const lines = calculation.lines.flatMap((credited) => {
    const line = document.lines.find(({ lineId }) => lineId === credited.lineId);
    if (line === undefined) return [];
    const { quantity, payable, net, tax } = credited;
    const figures = { net: text(net), tax: text(tax) };
    if (quantity === null) {
      // An amount without units is one of what it is.
      const one = { quantity: '1', unitPrice: text(payable), discountPercent: '0', discount: '0' };
      return [{ ...line, ...one, gross: text(payable), ...figures }];
    }
    const discount = discountOf(line, quantity, payable, document);
    const gross = text(payable.plus(discount));
    return [{ ...line, quantity: text(quantity), gross, discount: text(discount), ...figures }];
  });
  const taxes = calculation.taxes.flatMap(({ taxKey, net, tax }) => {
    const row = document.taxes[Number(taxKey)];
    return row === undefined ? [] : [{ ...row, net: text(net), tax: text(tax) }];
  });
  return { lines, taxes };
}

/** Discount that belongs to the credited units: what their gross exceeds the credited amount by. */
function discountOf(
  line: InvoiceSnapshot['lines'][number],
  quantity: Decimal,
  payable: Decimal,
  document: InvoiceSnapshot,
): Decimal {
  if (new Decimal(line.discount).isZero()) return ZERO;
  const gross = round(new Decimal(line.unitPrice).times(quantity), document.currencyDecimals);
  return Decimal.max(gross.minus(payable), ZERO);
}

/** Freezes everything the issued credit note says; seller, buyer, rate and language are the invoice's. */
export function creditNoteSnapshot(
  invoice: InvoiceRecord,
  worked: WorkedOutCredit,
  input: { reason: string; notes?: string | undefined },
  head: { number: string; issueDate: string; at: Date },
): CreditNoteSnapshot {
  const { document } = invoice;
  const { calculation, base } = worked;
  return {
    documentKind: 'credit_note',
    precedingInvoice: { number: document.number, issueDate: document.issueDate },
    reason: input.reason,
    templateVersion: INVOICE_TEMPLATE_VERSION,
    language: document.language,
    number: head.number,
    issueDate: head.issueDate,
    issuedAt: head.at.toISOString(),
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
    ...bodyOf(document, worked),
    total: text(calculation.total),
    taxTotal: text(calculation.taxTotal),
    grandTotal: text(calculation.grandTotal),
    baseTotal: text(base.total),
    baseTaxTotal: text(base.taxTotal),
    baseGrandTotal: text(base.grandTotal),
  };
}
