import { Decimal, sum } from '../decimal';
import type { DecimalText } from '../decimal';
import type { IssuedDocument } from '../invoices/invoice';
import { toDecimalString } from './printable-document';
import type { DecimalString, PrintedPrepaid } from './printable-document';

/** Builds the rows of what was paid before an invoice. */
export function buildPrintedPrepaid(snapshot: IssuedDocument): PrintedPrepaid | undefined {
  if (snapshot.documentKind === 'credit_note' || snapshot.prepaid === undefined) return undefined;
  const { deposits, payments, due } = snapshot.prepaid;
  const subtract = (whole: DecimalText, field: 'net' | 'tax'): DecimalString =>
    toDecimalString(new Decimal(whole).minus(sum(deposits.map((deposit) => new Decimal(deposit[field])))).toFixed());
  return {
    deposits: deposits.map(({ number, issueDate, net, tax, total }) => ({
      number,
      issueDate,
      net: toDecimalString(net),
      tax: toDecimalString(tax),
      total: toDecimalString(total),
    })),
    payments: payments.map(({ date, amount }) => ({ date, amount: toDecimalString(amount) })),
    remaining:
      deposits.length === 0
        ? undefined
        : { net: subtract(snapshot.total, 'net'), tax: subtract(snapshot.taxTotal, 'tax') },
    due: toDecimalString(due),
  };
}
