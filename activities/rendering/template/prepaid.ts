import { Decimal } from '../../../domain/business/decimal';
import { interpolate } from '../../../domain/business/documents/labels';
import { DEPOSIT_TEXTS } from '../../../domain/business/documents/labels/deposits';
import type { Formats } from '../../../domain/business/documents/formats';
import { toDecimalString } from '../../../domain/business/documents/printable-document';
import type { DecimalString, PrintableDocument } from '../../../domain/business/documents/printable-document';
import { html } from '../../../lib/html';
import type { SafeHtml } from '../../../lib/html';

const negate = (amount: DecimalString): DecimalString => toDecimalString(new Decimal(amount).neg().toFixed());

/** Label and amount of the grand total and of what was paid before; empty if nothing was. */
export function listPrepaidRows(
  { prepaid, language, grandTotal }: PrintableDocument,
  formats: Formats,
): readonly (readonly [string | SafeHtml, string])[] {
  if (prepaid === undefined) return [];
  const texts = DEPOSIT_TEXTS[language];
  return [
    [texts.total, formats.money(grandTotal)],
    ...prepaid.deposits.map(({ number, issueDate, net, tax, total }) => {
      const values = { date: formats.date(issueDate), net: formats.money(net), tax: formats.money(tax) };
      const [before = '', after = ''] = texts.deposit.split('{number}');
      // A number is not broken at its hyphens.
      const label = html`${interpolate(before, values)}<bdi class="unbroken">${number}</bdi
        >${interpolate(after, values)}`;
      return [label, formats.money(negate(total))] as const;
    }),
    ...prepaid.payments.map(
      ({ date, amount }) =>
        [interpolate(texts.payment, { date: formats.date(date) }), formats.money(negate(amount))] as const,
    ),
  ];
}

/** What the deposits leave of net amount and tax; null without deposits. */
export const formatRemaining = ({ prepaid, language }: PrintableDocument, formats: Formats): string | null =>
  prepaid?.remaining === undefined
    ? null
    : interpolate(DEPOSIT_TEXTS[language].remaining, {
        net: formats.money(prepaid.remaining.net),
        tax: formats.money(prepaid.remaining.tax),
      });
