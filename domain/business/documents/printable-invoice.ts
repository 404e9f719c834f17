import type {
  BuyerSnapshot,
  DocumentLanguage,
  InvoiceLineSnapshot,
  IssuedDocument,
  PostalAddress,
  SellerSnapshot,
} from '../invoices/invoice';
import { decimal } from './invoice-document';
import type { DocumentLine, DocumentParty, DocumentSeller, InvoiceDocument } from './invoice-document';
import { paymentTermsText } from './labels/payment-terms';
import { unitName } from './labels/units';

/** Territories that print on Letter (Unicode CLDR, supplemental measurement data, paperSize US-Letter). */
const LETTER = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '));

/** Countries that write city, region and postal code in this order on one line. */
const CITY_FIRST = new Set(['AU', 'CA', 'US']);

const given = (value: string | null): string | undefined => (value === null || value.trim() === '' ? undefined : value);

const joined = (parts: readonly (string | null)[], separator: string): string =>
  parts.filter((part) => part !== null && part.trim() !== '').join(separator);

const countryName = (language: DocumentLanguage, country: string): string =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(country) ?? country;

/** An address as it stands on an envelope; the country only on letters that cross a border. */
function addressLines(address: PostalAddress, language: DocumentLanguage, abroad: boolean): string[] {
  const { line1, line2, city, region, postalCode, country } = address;
  const town =
    country !== null && CITY_FIRST.has(country)
      ? [joined([city, joined([region, postalCode], ' ')], ', ')]
      : [joined([postalCode, city], ' '), region === city ? null : region];
  const lines = [line1, line2, ...town, abroad && country !== null ? countryName(language, country) : null];
  return lines.filter((line) => line !== null && line.trim() !== '').map(String);
}

function sellerOf(
  seller: SellerSnapshot,
  language: DocumentLanguage,
  abroad: boolean,
  logo: string | null,
): DocumentSeller {
  return {
    name: seller.legalName,
    addressLines: addressLines(seller.address, language, abroad),
    taxId: given(seller.taxId),
    registrationId: given(seller.registrationNumber),
    email: given(seller.email),
    phone: given(seller.phone),
    website: given(seller.website),
    logo: logo ?? undefined,
  };
}

const buyerOf = (buyer: BuyerSnapshot, language: DocumentLanguage, abroad: boolean): DocumentParty => ({
  name: buyer.name,
  addressLines: addressLines(buyer.address, language, abroad),
  taxId: given(buyer.taxId),
  email: given(buyer.email),
});

const lineOf = (line: InvoiceLineSnapshot, language: DocumentLanguage): DocumentLine => ({
  position: line.lineId,
  code: line.productCode,
  name: line.description,
  quantity: decimal(line.quantity),
  unit: unitName(language, line.unit),
  unitPrice: decimal(line.unitPrice),
  priceIncludesTax: line.priceIncludesTax,
  discountPercent: Number(line.discountPercent) === 0 ? undefined : decimal(line.discountPercent),
  taxPercent: decimal(line.taxPercent),
  net: decimal(line.net),
});

/** What does not stand in the snapshot itself. */
export interface PrintOptions {
  /** The logo's bytes as a `data:` URL. */
  logo: string | null;
  /** The company day of voiding, `YYYY-MM-DD`; null prints the document as issued. */
  voidedOn: string | null;
}

/** What only an invoice says, or only a credit note. */
function ofKind(
  snapshot: IssuedDocument,
): Pick<InvoiceDocument, 'kind' | 'dueDate' | 'correctedInvoice' | 'reason' | 'notes'> {
  if (snapshot.documentKind === 'invoice')
    return { kind: 'invoice', dueDate: snapshot.dueDate, notes: given(snapshot.notes) };
  const { precedingInvoice, templateVersion } = snapshot;
  const [reason, notes] = [given(snapshot.reason), given(snapshot.notes)];
  const words =
    templateVersion < 3 ? { notes: given(joined([reason ?? null, notes ?? null], '\n')) } : { reason, notes };
  return { kind: 'credit_note', correctedInvoice: precedingInvoice, ...words };
}

/** The frozen snapshot of an invoice or credit note in the words and order of the printed page. Computes no amount. */
export function printableInvoice(snapshot: IssuedDocument, options: PrintOptions): InvoiceDocument {
  const { language, seller, buyer } = snapshot;
  const country = seller.address.country;
  const abroad = country !== buyer.address.country;
  const foreign = snapshot.currencyCode !== snapshot.baseCurrencyCode;
  return {
    templateVersion: snapshot.templateVersion,
    ...ofKind(snapshot),
    language,
    // The seller's country decides how its numbers and dates are written: 1’234.50 in Switzerland.
    locale: country === null ? language : `${language}-${country}`,
    paper: country !== null && LETTER.has(country) ? 'Letter' : 'A4',
    number: snapshot.number,
    issuedAt: snapshot.issuedAt,
    issueDate: snapshot.issueDate,
    customerNumber: given(buyer.code),
    purchaseReference: given(snapshot.reference),
    currencyCode: snapshot.currencyCode,
    currencyDecimals: snapshot.currencyDecimals,
    seller: sellerOf(seller, language, abroad, options.logo),
    buyer: buyerOf(buyer, language, abroad),
    lines: snapshot.lines.map((line) => lineOf(line, language)),
    taxes: snapshot.taxes.map((tax) => ({
      name: given(tax.name),
      percent: decimal(tax.percent),
      taxable: decimal(tax.net),
      tax: decimal(tax.tax),
      exemptionReason: given(tax.exemptionReason),
    })),
    total: decimal(snapshot.total),
    taxTotal: decimal(snapshot.taxTotal),
    grandTotal: decimal(snapshot.grandTotal),
    baseCurrencyTax: foreign
      ? {
          currencyCode: snapshot.baseCurrencyCode,
          rate: decimal(snapshot.exchangeRate),
          tax: decimal(snapshot.baseTaxTotal),
        }
      : undefined,
    payment: {
      termsText:
        snapshot.documentKind === 'credit_note' ? undefined : paymentTermsText(language, snapshot.paymentTerms),
      accountHolder: seller.legalName,
      iban: given(seller.iban),
      bic: given(seller.bic),
      bankName: given(seller.bankName),
    },
    voided: options.voidedOn === null ? undefined : { date: options.voidedOn },
  };
}
