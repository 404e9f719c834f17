import { ZERO } from '../decimal';
import type { Decimal, DecimalText } from '../decimal';
import type { DocumentLanguage, PostalAddress, SellerSnapshot } from '../invoices/invoice';
import { BYTE_ORDER_MARK, formatCsvField } from '../exports/exports';

/** What a row of a statement is about. `adjustment` is what an allocation leaves, which is normally nothing. */
export const STATEMENT_ROW_KINDS = [
  'invoice',
  'credit_note',
  'payment',
  'refund',
  'void',
  'reversal',
  'discount',
  'write_off',
  'deposit',
  'adjustment',
] as const;
export type StatementRowKind = (typeof STATEMENT_ROW_KINDS)[number];

/** A dated change of the balance of a customer, before balances are computed. */
export interface StatementEntry {
  /** `YYYY-MM-DD` */
  date: string;
  kind: StatementRowKind;
  /** Number of the document or payment. */
  number: string;
  /** Due date of an invoice. */
  dueDate: string | null;
  currencyCode: string;
  /** Positive if it raises the balance. */
  amount: Decimal;
}

export interface StatementRow {
  date: string;
  kind: StatementRowKind;
  number: string;
  dueDate: string | null;
  amount: DecimalText;
  /** Balance after the row. */
  balance: DecimalText;
}

/** The account of a customer in one currency. */
export interface StatementAccount {
  currencyCode: string;
  currencyDecimals: number;
  /** Balance before the first day; positive if it is due from the customer. */
  opening: DecimalText;
  rows: StatementRow[];
  closing: DecimalText;
}

/** A statement as it is printed. */
export interface StatementDocument {
  language: DocumentLanguage;
  /** Day on which it was made. */
  issueDate: string;
  from: string;
  to: string;
  seller: SellerSnapshot;
  customer: { id: number; code: string; name: string; address: PostalAddress };
  accounts: StatementAccount[];
}

/**
 * Computes the accounts from dated entries: opening balance, rows in order of their days with the balance after each, and
 * closing balance. An account without balance and rows is left out.
 * @param openings sums of all earlier entries by currency
 * @param getDecimals decimals of a currency
 */
export function buildStatementAccounts(
  openings: ReadonlyMap<string, Decimal>,
  entries: readonly StatementEntry[],
  getDecimals: (currencyCode: string) => number,
): StatementAccount[] {
  const currencies = [...new Set([...openings.keys(), ...entries.map(({ currencyCode }) => currencyCode)])].sort();
  return currencies.flatMap((currencyCode) => {
    const decimals = getDecimals(currencyCode);
    const opening = openings.get(currencyCode) ?? ZERO;
    let balance = opening;
    const rows = entries
      .filter((entry) => entry.currencyCode === currencyCode)
      .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
      .map(({ date, kind, number, dueDate, amount }): StatementRow => {
        balance = balance.plus(amount);
        return { date, kind, number, dueDate, amount: amount.toFixed(decimals), balance: balance.toFixed(decimals) };
      });
    if (rows.length === 0 && opening.isZero()) return [];
    return [
      {
        currencyCode,
        currencyDecimals: decimals,
        opening: opening.toFixed(decimals),
        rows,
        closing: balance.toFixed(decimals),
      },
    ];
  });
}

const CSV_COLUMNS = ['date', 'kind', 'number', 'dueDate', 'currencyCode', 'amount', 'balance'] as const;

/** A statement as CSV (RFC 4180), with rows `opening` and `closing` for each currency. */
export function toStatementCsv({ from, to, accounts }: StatementDocument): string {
  const lines = accounts.flatMap(({ currencyCode, opening, rows, closing }) => [
    [from, 'opening', '', '', currencyCode, '', opening],
    ...rows.map(({ date, kind, number, dueDate, amount, balance }) => [
      date,
      kind,
      formatCsvField(number),
      dueDate ?? '',
      currencyCode,
      amount,
      balance,
    ]),
    [to, 'closing', '', '', currencyCode, '', closing],
  ]);
  return BYTE_ORDER_MARK + [CSV_COLUMNS, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Files that a statement is available as. */
export const STATEMENT_FORMATS = ['pdf', 'csv'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** Media type of each file. */
export const STATEMENT_CONTENT_TYPES: Readonly<Record<StatementFormat, string>> = {
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
};

/** The name of a file of a statement. */
export const buildStatementFileName = ({ customer, from, to }: StatementDocument, format: StatementFormat): string =>
  `${customer.code} ${from} ${to}.${format}`;

/** The words of a printed statement. */
export interface StatementLabels {
  title: string;
  period: string;
  opening: string;
  closing: string;
  date: string;
  document: string;
  dueDate: string;
  amount: string;
  balance: string;
  customerNumber: string;
  nothing: string;
  page: string;
  of: string;
  kinds: Readonly<Record<StatementRowKind, string>>;
}

export const STATEMENT_LABELS: Readonly<Record<DocumentLanguage, StatementLabels>> = {
  en: {
    title: 'Statement of account',
    period: 'Period',
    opening: 'Opening balance',
    closing: 'Closing balance',
    date: 'Date',
    document: 'Document',
    dueDate: 'Due date',
    amount: 'Amount',
    balance: 'Balance',
    customerNumber: 'Customer number',
    nothing: 'There are no entries and no balance in this period.',
    page: 'Page',
    of: 'of',
    kinds: {
      invoice: 'Invoice',
      credit_note: 'Credit note',
      payment: 'Payment',
      refund: 'Refund',
      void: 'Void',
      reversal: 'Reversal',
      discount: 'Early payment discount',
      write_off: 'Written off',
      deposit: 'Deposit deducted',
      adjustment: 'Adjustment',
    },
  },
  de: {
    title: 'Kontoauszug',
    period: 'Zeitraum',
    opening: 'Anfangssaldo',
    closing: 'Endsaldo',
    date: 'Datum',
    document: 'Beleg',
    dueDate: 'Fällig am',
    amount: 'Betrag',
    balance: 'Saldo',
    customerNumber: 'Kundennummer',
    nothing: 'In diesem Zeitraum gibt es weder Buchungen noch einen Saldo.',
    page: 'Seite',
    of: 'von',
    kinds: {
      invoice: 'Rechnung',
      credit_note: 'Rechnungskorrektur',
      payment: 'Zahlung',
      refund: 'Erstattung',
      void: 'Storno',
      reversal: 'Rücknahme',
      discount: 'Skonto',
      write_off: 'Ausbuchung',
      deposit: 'Abzug der Anzahlung',
      adjustment: 'Ausgleich',
    },
  },
  fr: {
    title: 'Relevé de compte',
    period: 'Période',
    opening: 'Solde initial',
    closing: 'Solde final',
    date: 'Date',
    document: 'Document',
    dueDate: 'Échéance',
    amount: 'Montant',
    balance: 'Solde',
    customerNumber: 'Numéro de client',
    nothing: 'Aucune écriture et aucun solde sur cette période.',
    page: 'Page',
    of: 'sur',
    kinds: {
      invoice: 'Facture',
      credit_note: 'Avoir',
      payment: 'Paiement',
      refund: 'Remboursement',
      void: 'Annulation',
      reversal: 'Contre-passation',
      discount: 'Escompte',
      write_off: 'Passage en perte',
      deposit: 'Acompte déduit',
      adjustment: 'Ajustement',
    },
  },
  es: {
    title: 'Extracto de cuenta',
    period: 'Período',
    opening: 'Saldo inicial',
    closing: 'Saldo final',
    date: 'Fecha',
    document: 'Documento',
    dueDate: 'Vencimiento',
    amount: 'Importe',
    balance: 'Saldo',
    customerNumber: 'Número de cliente',
    nothing: 'No hay movimientos ni saldo en este período.',
    page: 'Página',
    of: 'de',
    kinds: {
      invoice: 'Factura',
      credit_note: 'Factura rectificativa',
      payment: 'Pago',
      refund: 'Reembolso',
      void: 'Anulación',
      reversal: 'Reversión',
      discount: 'Descuento por pronto pago',
      write_off: 'Cancelación de saldo',
      deposit: 'Anticipo deducido',
      adjustment: 'Ajuste',
    },
  },
};
