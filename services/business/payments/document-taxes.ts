import { divideTotals, toComponentShares } from '../../../domain/business/accounting/tax-postings';
import type { TaxedTotals } from '../../../domain/business/accounting/tax-postings';
import { Decimal, sum, ZERO } from '../../../domain/business/decimal';
import { computeCharged, fromShareText } from '../../../domain/business/payments/deductions';
import type { ChargedTaxes, TaxShare } from '../../../domain/business/payments/deductions';
import type { EarlyPaymentSnapshot } from '../../../domain/business/payments/early-payment';
import type { DocumentSnapshot, InvoiceTaxSnapshot } from '../../../domain/business/invoices/invoice';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { readBillTaxes } from './bill-taxes';

/** What an invoice charges by rate, less its credit notes and deposits. */
interface InvoiceTaxes extends ChargedTaxes {
  /** The agreed discount for early payment; null if there is none. */
  terms: EarlyPaymentSnapshot | null;
  /** Payments before the invoice, which no discount is granted on. */
  prepayments: Decimal;
  /** Decimals of the currency. */
  decimals: number;
}

const DOCUMENT_FIELDS = {
  'document.taxes': 1,
  'document.total': 1,
  'document.taxTotal': 1,
  'document.currencyDecimals': 1,
  'document.earlyPaymentDiscount': 1,
  'document.prepaid': 1,
} as const;

const toBaseAmounts = ({ net, tax, components }: NonNullable<InvoiceTaxSnapshot['base']>) => ({
  net: new Decimal(net),
  tax: new Decimal(tax),
  ...(components && { components: components.map((part) => new Decimal(part)) }),
});

/** The tax table of a document as it is. */
export const toDocumentRows = ({ taxes }: Pick<DocumentSnapshot, 'taxes'>): TaxShare[] =>
  taxes.map(({ category, percent, net, tax, components, base }) => ({
    category,
    percent,
    net: new Decimal(net),
    tax: new Decimal(tax),
    ...toComponentShares(components),
    ...(base && { base: toBaseAmounts(base) }),
  }));

/** The tax table and totals of a document, from which its rates are computed in base currency. */
export const toTaxedTotals = (
  document: Pick<
    DocumentSnapshot,
    | 'taxes'
    | 'total'
    | 'taxTotal'
    | 'baseTotal'
    | 'baseTaxTotal'
    | 'exchangeRate'
    | 'currencyDecimals'
    | 'baseCurrencyDecimals'
  >,
): TaxedTotals => ({
  rows: toDocumentRows(document),
  total: new Decimal(document.total),
  taxTotal: new Decimal(document.taxTotal),
  baseTotal: new Decimal(document.baseTotal),
  baseTaxTotal: new Decimal(document.baseTaxTotal),
  exchangeRate: new Decimal(document.exchangeRate),
  decimals: document.currencyDecimals,
  baseDecimals: document.baseCurrencyDecimals,
});

/** The rows of a document by rate, whose net amounts and taxes add up to its totals. */
export function toShares(document: DocumentSnapshot): TaxShare[] {
  const { total, taxTotal, currencyDecimals } = document;
  const totals = { total: new Decimal(total), taxTotal: new Decimal(taxTotal) };
  return divideTotals({
    ...totals,
    rows: toDocumentRows(document).map(({ base: _, ...row }) => row),
    baseTotal: totals.total,
    baseTaxTotal: totals.taxTotal,
    exchangeRate: new Decimal(1),
    decimals: currencyDecimals,
    baseDecimals: currencyDecimals,
  }).map(({ category, percent, net, tax, components }) => ({
    category,
    percent,
    net,
    tax,
    ...(components && { components }),
  }));
}

/**
 * Reads what invoices charge by rate, less their credit notes, by id of the invoice.
 * @param condition selects some of the invoices
 */
export async function readInvoiceTaxes(
  organisationId: string,
  ids: readonly number[],
  unit: UnitOfWork | null,
  condition: object = {},
): Promise<Map<number, InvoiceTaxes>> {
  const session = unit?.mongoSession ?? null;
  const filter = { organisationId, id: { $in: [...ids] }, status: { $ne: 'draft' }, ...condition } as const;
  const invoices =
    ids.length === 0
      ? []
      : await Invoice.find(filter, { id: 1, ...DOCUMENT_FIELDS })
          .session(session)
          .lean<Pick<InvoiceRecord, 'id' | 'document'>[]>();
  if (invoices.length === 0) return new Map();
  const notes = await CreditNote.find(
    { organisationId, invoiceId: { $in: invoices.map(({ id }) => id) } },
    { invoiceId: 1, ...DOCUMENT_FIELDS },
  )
    .session(session)
    .lean<Pick<CreditNoteRecord, 'invoiceId' | 'document'>[]>();
  return new Map(
    invoices.map(({ id, document }) => {
      const credited = notes.filter(({ invoiceId }) => invoiceId === id).flatMap((note) => toShares(note.document));
      const { prepaid } = document;
      const deposits = (prepaid?.deposits ?? []).flatMap((deposit) => deposit.taxes.map(fromShareText));
      const prepayments = sum((prepaid?.payments ?? []).map(({ amount }) => new Decimal(amount)));
      return [
        id,
        {
          ...computeCharged(toShares(document), [...credited, ...deposits]),
          terms: document.earlyPaymentDiscount ?? null,
          prepayments,
          decimals: document.currencyDecimals,
        },
      ];
    }),
  );
}

const NOTHING: ChargedTaxes = { taxes: [], charged: ZERO };

/** Reads what the document of an item charges by rate, less its credit notes and deposits; nothing for a credit. */
export async function readItemTaxes(unit: UnitOfWork, item: OpenItemRecord): Promise<ChargedTaxes> {
  const { organisationId, kind, id } = item;
  if (kind === 'invoice') return (await readInvoiceTaxes(organisationId, [id], unit)).get(id) ?? NOTHING;
  if (kind !== 'bill') return NOTHING;
  const { charged, credited } = await readBillTaxes(unit, item);
  return computeCharged(charged, credited);
}
