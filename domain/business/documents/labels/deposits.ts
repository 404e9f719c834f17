import type { DocumentLanguage } from '../../invoices/invoice';

/** The words of deposit invoices, and of invoices that deduct what was paid before. */
export interface DepositTexts {
  /** Title of a deposit invoice. */
  title: string;
  /** The grand total, where the amount due is less. */
  total: string;
  /** Placeholders: `{number}`, `{date}`, `{net}` and `{tax}`. */
  deposit: string;
  /** Placeholder: `{date}`. */
  payment: string;
  /** What the deposits leave. Placeholders: `{net}` and `{tax}`. */
  remaining: string;
}

export const DEPOSIT_TEXTS: Readonly<Record<DocumentLanguage, DepositTexts>> = {
  en: {
    title: 'Deposit invoice',
    total: 'Total',
    deposit: 'Less deposit invoice {number} of {date} (net {net}, tax {tax})',
    payment: 'Less payment of {date}',
    remaining: 'After deposits: net {net}, tax {tax}',
  },
  de: {
    title: 'Anzahlungsrechnung',
    total: 'Gesamtbetrag',
    deposit: 'abzüglich Anzahlungsrechnung {number} vom {date} (netto {net}, Umsatzsteuer {tax})',
    payment: 'abzüglich Zahlung vom {date}',
    remaining: 'Nach Abzug der Anzahlungen: netto {net}, Umsatzsteuer {tax}',
  },
  fr: {
    title: 'Facture d’acompte',
    total: 'Total TTC',
    deposit: 'Moins facture d’acompte {number} du {date} (HT {net}, TVA {tax})',
    payment: 'Moins paiement du {date}',
    remaining: 'Après déduction des acomptes : HT {net}, TVA {tax}',
  },
  es: {
    title: 'Factura de anticipo',
    total: 'Total',
    deposit: 'Menos factura de anticipo {number} de {date} (neto {net}, impuesto {tax})',
    payment: 'Menos pago de {date}',
    remaining: 'Tras deducir los anticipos: neto {net}, impuesto {tax}',
  },
};
