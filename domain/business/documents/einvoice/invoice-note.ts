import { Decimal } from '../../decimal';
import type { DecimalText } from '../../decimal';
import type { InvoiceSnapshot } from '../../invoices/invoice';
import { interpolate } from '../labels';
import { DEPOSIT_TEXTS } from '../labels/deposits';

/** The notes, with net amount and tax of each deposit, for which the standard has no terms. */
export function buildInvoiceNote({
  notes,
  prepaid,
  language,
  currencyCode,
  currencyDecimals,
}: InvoiceSnapshot): string | null {
  const format = (amount: DecimalText): string => `${new Decimal(amount).toFixed(currencyDecimals)} ${currencyCode}`;
  const deposits = (prepaid?.deposits ?? []).map(({ number, issueDate, net, tax }) =>
    interpolate(DEPOSIT_TEXTS[language].deposit, { number, date: issueDate, net: format(net), tax: format(tax) }),
  );
  const words = [notes?.trim() ?? '', ...deposits].filter((text) => text !== '');
  return words.length === 0 ? null : words.join('\n');
}
