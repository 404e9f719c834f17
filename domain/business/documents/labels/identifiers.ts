import type { DocumentLanguage, PostalAddress } from '../../invoices/invoice';
import type { LabelledNumber } from '../printable-document';
import { parseVatIdentifier } from '../einvoice/identifiers';

type Names = Readonly<Record<DocumentLanguage, string>>;

/** A name of a country's own that is printed in every language. */
const own = (name: string): Names => ({ en: name, es: name, de: name, fr: name });

const VAT_IDENTIFIER: Names = { en: 'VAT ID', es: 'NIF-IVA', de: 'USt-IdNr.', fr: 'N° TVA' };

/** Names of VAT identifiers where they differ from those of the language. */
const VAT_IDENTIFIERS: Readonly<Record<string, Partial<Names>>> = {
  AT: { de: 'UID-Nr.' },
  CH: { de: 'MWST-Nr.', en: 'VAT No.' },
  GB: { en: 'VAT Reg. No.' },
  IE: { en: 'VAT No.' },
};

const TAX_NUMBER: Names = { en: 'Tax ID', es: 'NIF', de: 'Steuernummer', fr: 'N° fiscal' };

/** Names of tax numbers that are not VAT identifiers, by country. */
const TAX_NUMBERS: Readonly<Record<string, Names>> = {
  AR: own('CUIT'),
  AU: own('ABN'),
  BR: own('CNPJ'),
  CA: { en: 'GST/HST No.', es: 'N.º GST/HST', de: 'GST/HST-Nr.', fr: 'N° TPS/TVH' },
  CH: { en: 'VAT No.', es: 'N.º IVA', de: 'MWST-Nr.', fr: 'N° TVA' },
  CL: own('RUT'),
  CO: own('NIT'),
  DE: { en: 'Tax number', es: 'Número fiscal', de: 'Steuernummer', fr: 'N° fiscal' },
  ES: own('NIF'),
  GB: own('VAT Reg. No.'),
  IN: own('GSTIN'),
  IT: own('Codice fiscale'),
  MX: own('RFC'),
  PE: own('RUC'),
  PT: own('NIF'),
  US: own('EIN'),
};

const REGISTRATION: Names = { en: 'Registration no.', es: 'N.º de registro', de: 'Registernummer', fr: 'N° d’immatr.' };

/** Names of numbers in the register of companies, by country. */
const REGISTRATIONS: Readonly<Record<string, Names>> = {
  AT: { ...REGISTRATION, de: 'Firmenbuchnummer' },
  BE: { en: 'Enterprise no.', es: 'N.º de empresa', de: 'Unternehmensnummer', fr: 'N° d’entreprise' },
  CH: own('UID'),
  GB: own('Company No.'),
  IE: own('Company No.'),
  IT: own('REA'),
  NL: own('KvK'),
};

/** Names a tax number by its kind and country: `USt-IdNr.` for DE123456789, `EIN` in the United States. */
export function labelTaxNumber(language: DocumentLanguage, number: string, address: PostalAddress): LabelledNumber {
  const country = address.country ?? '';
  const isVat = parseVatIdentifier(number, address) !== null;
  const label = isVat
    ? (VAT_IDENTIFIERS[number.trim().slice(0, 2).toUpperCase()]?.[language] ?? VAT_IDENTIFIER[language])
    : (TAX_NUMBERS[country] ?? TAX_NUMBER)[language];
  return { label, value: number };
}

/** Names a registration number: a French one of 9 digits is a SIREN, one of 14 a SIRET. */
export function labelRegistration(language: DocumentLanguage, number: string, country: string | null): LabelledNumber {
  const digits = number.replace(/\s/gu, '');
  if (country === 'FR' && /^(\d{9}|\d{14})$/.test(digits))
    return { label: digits.length === 9 ? 'SIREN' : 'SIRET', value: number };
  return { label: (REGISTRATIONS[country ?? ''] ?? REGISTRATION)[language], value: number };
}
