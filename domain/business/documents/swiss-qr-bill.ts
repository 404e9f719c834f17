import { readIban } from '../payments/bank-details';
import type { DocumentLanguage, InvoiceSnapshot, PostalAddress } from '../invoices/invoice';

/** A party of a QR bill; lengths are limited by the Swiss Implementation Guidelines QR-bill, version 2.3, section 4. */
export interface QrBillParty {
  name: string;
  address: string;
  zip: string;
  city: string;
  country: string;
}

/** The payment part of a Swiss QR bill. */
export interface SwissQrBill {
  currency: 'CHF' | 'EUR';
  amount: number;
  creditor: QrBillParty & { account: string };
  /** Undefined if the address of the customer is not complete. */
  debtor?: QrBillParty | undefined;
  /** Reference of 27 digits, which a QR-IBAN requires and another IBAN does not have. */
  reference?: string | undefined;
  message: string;
  /** Spanish is not a language of the QR bill and becomes English. */
  language: 'DE' | 'EN' | 'FR';
}

const LANGUAGES: Readonly<Record<DocumentLanguage, SwissQrBill['language']>> = {
  de: 'DE',
  en: 'EN',
  es: 'EN',
  fr: 'FR',
};

const MAX_NAME = 70;
const MAX_CITY = 35;
const MAX_ZIP = 16;

const shorten = (text: string, length: number): string =>
  [...text.replace(/\s+/gu, ' ').trim()].slice(0, length).join('');

/** @returns undefined if post code, city or country is missing, which the guidelines require */
function buildParty(name: string, { line1, postalCode, city, country }: PostalAddress): QrBillParty | undefined {
  if (postalCode === null || city === null || country === null) return undefined;
  return {
    name: shorten(name, MAX_NAME),
    address: shorten(line1 ?? '', MAX_NAME),
    zip: shorten(postalCode, MAX_ZIP),
    city: shorten(city, MAX_CITY),
    country,
  };
}

/** Whether the institution number (characters 5 to 9) is one of those reserved for QR-IBANs: 30000 to 31999. */
const isQrIban = (iban: string): boolean => /^(CH|LI)\d{2}3[01]/.test(iban);

/** Carries of the check digit, modulo 10 recursive (Swiss Implementation Guidelines QR-bill, annex B). */
const CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5] as const;

/** Builds the QR reference of a document: its digits, filled with zeros to 26, and the check digit. */
export function buildQrReference(number: string): string {
  const digits = number.replace(/\D/gu, '').slice(-26).padStart(26, '0');
  const carry = [...digits].reduce((each, digit) => CARRIES[(each + Number(digit)) % 10] ?? 0, 0);
  return `${digits}${(10 - carry) % 10}`;
}

/**
 * Builds the payment part of an invoice in CHF or EUR to an account in Switzerland or Liechtenstein.
 * @param amount in the currency of the invoice, from 0.01 to 999999999.99
 * @returns undefined for other accounts and currencies, and if the address of the seller is not complete
 */
export function buildSwissQrBill(invoice: InvoiceSnapshot, amount: string): SwissQrBill | undefined {
  const { seller, buyer, currencyCode, number, language } = invoice;
  const account = seller.iban === null ? null : readIban(seller.iban);
  const currency = currencyCode === 'CHF' || currencyCode === 'EUR' ? currencyCode : null;
  const creditor = buildParty(seller.legalName, seller.address);
  const value = Number(amount);
  if (account === null || !/^(CH|LI)/.test(account) || currency === null || creditor === undefined) return undefined;
  if (value < 0.01 || value > 999_999_999.99) return undefined;
  return {
    currency,
    amount: value,
    creditor: { ...creditor, account },
    debtor: buildParty(buyer.name, buyer.address),
    reference: isQrIban(account) ? buildQrReference(number) : undefined,
    message: number,
    language: LANGUAGES[language],
  };
}
