import type { AdjustmentType } from '../../invoices/adjustments';
import type { DocumentLanguage } from '../../invoices/invoice';
import { interpolate } from './index';
import type { PaymentTermsCode } from '../../payments/payment-terms';

interface TermsPhrases {
  onReceipt: string;
  /** Placeholder: `{days}`. */
  within: string;
  endOfMonth: string;
  /** Placeholder: `{days}`. */
  withinEndOfMonth: string;
  /** Placeholder: `{number}`, the number of the corrected invoice. */
  credited: string;
  /** Placeholders: `{percent}`, `{until}`, `{amount}` and `{payable}`. */
  earlyPayment: string;
  /** Reason of the discount on a credit note: the part of the discount for early payment that the customer took. */
  creditedDiscount: string;
  /** The same of a charge: the customer lost the discount after a credit note had deducted it. */
  creditedDiscountReturned: string;
  /** Reason of the reduction of a credited line: the part of its price that an earlier credit note credited. */
  creditedBefore: string;
}

const PHRASES: Readonly<Record<DocumentLanguage, TermsPhrases>> = {
  en: {
    onReceipt: 'Payable on receipt.',
    within: 'Payable within {days} days of the issue date.',
    endOfMonth: 'Payable by the end of the month.',
    withinEndOfMonth: 'Payable within {days} days, end of month.',
    credited: 'Credited against invoice {number}; any remainder is refunded or kept as credit.',
    earlyPayment: '{percent} discount if paid by {until}: {amount}, so that {payable} is due.',
    creditedDiscount: 'Discount for early payment',
    creditedDiscountReturned: 'Discount for early payment, withdrawn',
    creditedBefore: 'Credited before',
  },
  es: {
    onReceipt: 'Pago al contado.',
    within: 'Pago a {days} días de la fecha de emisión.',
    endOfMonth: 'Pago a fin de mes.',
    withinEndOfMonth: 'Pago a {days} días, fin de mes.',
    credited: 'Se abona contra la factura {number}; el resto se reembolsa o queda a favor del cliente.',
    earlyPayment: 'Descuento del {percent} por pago hasta el {until}: {amount}; quedan {payable} por pagar.',
    creditedDiscount: 'Descuento por pronto pago',
    creditedDiscountReturned: 'Descuento por pronto pago, anulado',
    creditedBefore: 'Ya abonado',
  },
  de: {
    onReceipt: 'Zahlbar sofort nach Erhalt.',
    within: 'Zahlbar innerhalb von {days} Tagen ab Rechnungsdatum.',
    endOfMonth: 'Zahlbar bis zum Monatsende.',
    withinEndOfMonth: 'Zahlbar innerhalb von {days} Tagen zum Monatsende.',
    credited: 'Wird mit der Rechnung {number} verrechnet; ein Rest wird erstattet oder gutgeschrieben.',
    earlyPayment: 'Bei Zahlung bis {until} {percent} Skonto: {amount}, zahlbar sind dann {payable}.',
    creditedDiscount: 'Skonto',
    creditedDiscountReturned: 'Zurückgenommenes Skonto',
    creditedBefore: 'Bereits gutgeschrieben',
  },
  fr: {
    onReceipt: 'Payable à réception.',
    within: 'Payable à {days} jours à compter de la date d’émission.',
    endOfMonth: 'Payable à la fin du mois.',
    withinEndOfMonth: 'Payable à {days} jours, fin de mois.',
    credited: 'Imputé sur la facture {number}; le solde éventuel est remboursé ou porté au crédit du client.',
    earlyPayment: 'Escompte de {percent} pour paiement au plus tard le {until} : {amount}, soit {payable} à payer.',
    creditedDiscount: 'Escompte pour paiement anticipé',
    creditedDiscountReturned: 'Escompte annulé',
    creditedBefore: 'Déjà crédité',
  },
};

const NET = /^NET(\d+)(EOM)?$/;

/** Formats payment terms in words: `NET30` → "Payable within 30 days of the issue date." */
export function formatPaymentTerms(language: DocumentLanguage, code: PaymentTermsCode): string {
  const phrases = PHRASES[language];
  const [, days, endOfMonth] = NET.exec(code) ?? [];
  if (days !== undefined) {
    return (endOfMonth === undefined ? phrases.within : phrases.withinEndOfMonth).replace('{days}', days);
  }
  return code === 'EOM' ? phrases.endOfMonth : phrases.onReceipt;
}

/** Formats the sentence about the use of a credit note's amount. */
export const formatCreditTerms = (language: DocumentLanguage, invoiceNumber: string): string =>
  PHRASES[language].credited.replace('{number}', () => invoiceNumber);

/** Formats the discount for early payment in words. @param values already formatted for the language */
export const formatEarlyPayment = (
  language: DocumentLanguage,
  values: Readonly<Record<'percent' | 'until' | 'amount' | 'payable', string>>,
): string => interpolate(PHRASES[language].earlyPayment, values);

/** The reason of a credit note's part of the discount for early payment. */
export const formatCreditedDiscount = (language: DocumentLanguage, type: AdjustmentType): string =>
  type === 'discount' ? PHRASES[language].creditedDiscount : PHRASES[language].creditedDiscountReturned;

/** The reason of the reduction of credited units whose price was credited in part before. */
export const formatCreditedBefore = (language: DocumentLanguage): string => PHRASES[language].creditedBefore;
