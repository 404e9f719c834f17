import { z } from 'zod';
import { JOURNAL_DOCUMENT_TYPES, JOURNAL_ENTRY_KINDS } from '../../../domain/business/accounting/journal';
import type { JournalEntry, JournalLine } from '../../../domain/business/accounting/journal';
import { Decimal, ZERO } from '../../../domain/business/decimal';
import { LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import { TAX_CATEGORIES } from '../../../domain/business/settings/tax-rates';
import { day } from '../fields';

/** Response schemas, examples and presenters of the journal. */

const lineSchema = z.object({
  accountNumber: z.string(),
  accountName: z.string(),
  debit: z.number().meta({ description: 'Amount in base currency; 0 for a credit.' }),
  credit: z.number().meta({ description: 'Amount in base currency; 0 for a debit.' }),
  currencyDebit: z.number().meta({ description: 'Amount in the currency of the entry; 0 for a credit.' }),
  currencyCredit: z.number().meta({ description: 'Amount in the currency of the entry; 0 for a debit.' }),
  party: z
    .object({
      side: z.enum(LEDGER_SIDES),
      id: z.number().int().meta({ description: 'Id of the customer (`receivable`) or vendor (`payable`).' }),
      name: z.string(),
    })
    .nullable(),
  tax: z
    .object({
      direction: z.enum(['output', 'input', 'self_assessed']),
      category: z.enum(TAX_CATEGORIES),
      percent: z.number(),
      part: z.enum(['net', 'tax']),
    })
    .nullable()
    .meta({ description: 'Figure of the VAT report to which the line belongs.' }),
});

export const journalEntrySchema = z.object({
  id: z.string().meta({ description: 'Unique and the same at every request, such as `invoice:17`.' }),
  kind: z.enum(JOURNAL_ENTRY_KINDS),
  date: day,
  documentType: z.enum(JOURNAL_DOCUMENT_TYPES).meta({
    description: 'Record that the entry is derived from; `payable` is a receipt, bill or credit note of a vendor.',
  }),
  documentId: z.number().int().meta({ description: 'Id of that record.' }),
  documentNumber: z.string(),
  description: z.string(),
  currencyCode: z.string(),
  lines: z.array(lineSchema).meta({ description: 'Debits and credits, which are equal in both currencies.' }),
});

const debitOf = (value: Decimal): Decimal => (value.isPositive() ? value : ZERO);
const creditOf = (value: Decimal): Decimal => (value.isNegative() ? value.neg() : ZERO);

const presentLine = ({ account, base, amount, party, tax }: JournalLine) => ({
  accountNumber: account.number,
  accountName: account.name,
  debit: debitOf(base),
  credit: creditOf(base),
  currencyDebit: debitOf(amount),
  currencyCredit: creditOf(amount),
  party,
  tax:
    tax === null
      ? null
      : {
          direction: tax.direction,
          category: tax.category,
          percent: new Decimal(tax.percent),
          part: tax.part,
        },
});

/**
 * Response body of an entry: amounts in the base currency and in that of the document, both as positive debits or
 * credits.
 */
export const presentJournalEntry = ({ document, order: _, chartDate: _chartDate, lines, ...entry }: JournalEntry) => ({
  id: entry.id,
  kind: entry.kind,
  date: entry.date,
  documentType: document.type,
  documentId: document.id,
  documentNumber: document.number,
  description: entry.description,
  currencyCode: entry.currencyCode,
  lines: lines.map(presentLine),
});

const exampleLine = { currencyDebit: 0, currencyCredit: 0, debit: 0, credit: 0, party: null, tax: null } as const;
const exampleTax = { direction: 'output', category: 'S', percent: 19 } as const;

export const exampleJournalEntry = {
  id: 'invoice:17',
  kind: 'invoice',
  date: '2026-11-21',
  documentType: 'invoice',
  documentId: 17,
  documentNumber: 'INV-2026-000017',
  description: 'Example GmbH',
  currencyCode: 'EUR',
  lines: [
    {
      ...exampleLine,
      accountNumber: '1400',
      accountName: 'Forderungen aus Lieferungen und Leistungen',
      debit: 119,
      currencyDebit: 119,
      party: { side: 'receivable', id: 3, name: 'Example GmbH' },
    },
    {
      ...exampleLine,
      accountNumber: '8400',
      accountName: 'Erlöse 19 % USt',
      credit: 100,
      currencyCredit: 100,
      tax: { ...exampleTax, part: 'net' },
    },
    {
      ...exampleLine,
      accountNumber: '1776',
      accountName: 'Umsatzsteuer 19 %',
      credit: 19,
      currencyCredit: 19,
      tax: { ...exampleTax, part: 'tax' },
    },
  ],
};
