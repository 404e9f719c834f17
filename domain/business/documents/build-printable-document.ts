import type { DecimalText } from '../decimal';
import { Decimal, sum } from '../decimal';
import { signAdjustment } from '../invoices/adjustments';
import type { AdjustmentType } from '../invoices/adjustments';
import type {
  BuyerSnapshot,
  DocumentLanguage,
  InvoiceLineSnapshot,
  InvoiceTaxSnapshot,
  IssuedDocument,
  PostalAddress,
  SellerSnapshot,
} from '../invoices/invoice';
import { buildPrintedPrepaid } from './build-printed-prepaid';
import { toDecimalString } from './printable-document';
import type {
  DecimalString,
  DocumentLine,
  DocumentParty,
  DocumentSeller,
  DocumentTax,
  PrintableDocument,
  PrintedAdjustment,
} from './printable-document';
import { labelRegistration, labelTaxNumber } from './labels/identifiers';
import { buildSwissQrBill } from './swiss-qr-bill';
import { formatPaymentTerms } from './labels/payment-terms';
import { getUnitName } from './labels/units';

/** Territories that print on Letter (Unicode CLDR, supplemental measurement data, paperSize US-Letter). */
const LETTER_COUNTRIES = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '));

/** Countries that write city, region and postal code in this order on one line. */
const CITY_FIRST_COUNTRIES = new Set(['AU', 'CA', 'US']);

const blankToUndefined = (value: string | null): string | undefined =>
  value === null || value.trim() === '' ? undefined : value;

const joinNonBlank = (parts: readonly (string | null)[], separator: string): string =>
  parts.filter((part) => part !== null && part.trim() !== '').join(separator);

const getCountryName = (language: DocumentLanguage, country: string): string =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(country) ?? country;

/** Formats an address as on an envelope; the country is included only for addresses abroad. */
export function formatAddressLines(address: PostalAddress, language: DocumentLanguage, abroad: boolean): string[] {
  const { line1, line2, city, region, postalCode, country } = address;
  const town =
    country !== null && CITY_FIRST_COUNTRIES.has(country)
      ? [joinNonBlank([city, joinNonBlank([region, postalCode], ' ')], ', ')]
      : [joinNonBlank([postalCode, city], ' '), region === city ? null : region];
  const lines = [line1, line2, ...town, abroad && country !== null ? getCountryName(language, country) : null];
  return lines.filter((line) => line !== null && line.trim() !== '').map(String);
}

/** Layouts before version 4 name every tax number alike. */
function buildNumbers(
  party: SellerSnapshot | BuyerSnapshot,
  { language, templateVersion }: IssuedDocument,
): Pick<DocumentParty, 'taxId' | 'registrationId' | 'identifiers'> {
  const taxId = blankToUndefined(party.taxId);
  const registrationId = blankToUndefined(party.registrationNumber ?? null);
  if (templateVersion < 4) return { taxId, registrationId };
  const taxNumber = 'taxNumber' in party ? blankToUndefined(party.taxNumber ?? null) : undefined;
  const { address } = party;
  return {
    identifiers: [
      ...[taxId, taxNumber].flatMap((number) =>
        number === undefined ? [] : [labelTaxNumber(language, number, address)],
      ),
      // The foot names the register with its number.
      ...(registrationId === undefined || ('registerName' in party && party.registerName != null)
        ? []
        : [labelRegistration(language, registrationId, address.country)]),
    ],
  };
}

function buildSeller(document: IssuedDocument, abroad: boolean, logo: string | null): DocumentSeller {
  const { seller, language } = document;
  const { shareCapital } = seller;
  const register = [seller.registerName ?? null, seller.registrationNumber];
  return {
    name: seller.legalName,
    addressLines: formatAddressLines(seller.address, language, abroad),
    ...buildNumbers(seller, document),
    email: blankToUndefined(seller.email),
    phone: blankToUndefined(seller.phone),
    website: blankToUndefined(seller.website),
    legalForm: blankToUndefined(seller.legalForm ?? null),
    register: blankToUndefined(seller.registerName ?? null) && joinNonBlank(register, ', '),
    managingDirectors: seller.managingDirectors,
    shareCapital: shareCapital ? { ...shareCapital, amount: toDecimalString(shareCapital.amount) } : undefined,
    logo: logo ?? undefined,
  };
}

const buildBuyer = (document: IssuedDocument, abroad: boolean): DocumentParty => ({
  name: document.buyer.name,
  addressLines: formatAddressLines(document.buyer.address, document.language, abroad),
  ...buildNumbers(document.buyer, document),
  email: blankToUndefined(document.buyer.email),
});

const buildLine = (line: InvoiceLineSnapshot, language: DocumentLanguage): DocumentLine => ({
  position: line.lineId,
  code: line.productCode ?? undefined,
  name: line.description,
  deliveryDate: line.deliveryDate ?? undefined,
  deliveryPeriod: line.deliveryPeriod ?? undefined,
  description: blankToUndefined(line.details ?? null),
  quantity: toDecimalString(line.quantity),
  unit: getUnitName(language, line.unit),
  unitPrice: toDecimalString(line.unitPrice),
  priceIncludesTax: line.priceIncludesTax,
  discountPercent: Number(line.discountPercent) === 0 ? undefined : toDecimalString(line.discountPercent),
  adjustments: line.adjustments?.map(({ type, reason, percent, amount }) => ({
    reason,
    percent: percent === null ? undefined : toDecimalString(percent),
    amount: toSignedAmount(type, amount),
  })),
  taxPercent: toDecimalString(line.taxPercent),
  net: toDecimalString(line.net),
});

const toSignedAmount = (type: AdjustmentType, amount: DecimalText): DecimalString =>
  toDecimalString(signAdjustment(type, new Decimal(amount)).toFixed());

/** One row per discount or charge, also if it applies to several tax rates. */
function buildAdjustments({ adjustments = [], lines }: IssuedDocument): PrintableDocument['adjustments'] {
  if (adjustments.length === 0) return undefined;
  const rows = new Map<string, PrintedAdjustment>();
  for (const { type, reason, percent, net } of adjustments) {
    const key = [type, percent, reason].join('|');
    const amount = signAdjustment(type, new Decimal(net)).plus(rows.get(key)?.amount ?? 0);
    const printedPercent = percent === null ? undefined : toDecimalString(percent);
    rows.set(key, { reason, percent: printedPercent, amount: toDecimalString(amount.toFixed()) });
  }
  const linesTotal = toDecimalString(sum(lines.map(({ net }) => new Decimal(net))).toFixed());
  return { linesTotal, rows: [...rows.values()] };
}

const buildTax = (tax: InvoiceTaxSnapshot): DocumentTax => ({
  name: blankToUndefined(tax.name),
  percent: toDecimalString(tax.percent),
  taxable: toDecimalString(tax.net),
  tax: toDecimalString(tax.tax),
  components: tax.components?.map((component) => ({
    name: component.name,
    percent: toDecimalString(component.percent),
    tax: toDecimalString(component.tax),
  })),
  exemptionReason: blankToUndefined(tax.exemptionReason),
});

/** Content of the page that is not part of the snapshot. */
export interface PrintOptions {
  /** The logo's bytes as a `data:` URL. */
  logo: string | null;
  /** Date of voiding in the company's time zone, `YYYY-MM-DD`; null prints the document as issued. */
  voidedOn: string | null;
  /** Whether the document is not issued yet: it is stamped, and has no QR bill that could be paid. @default false */
  isDraft?: boolean;
}

/** Builds the fields that only invoices or only credit notes have. */
function buildKindSpecificFields(
  snapshot: IssuedDocument,
): Pick<PrintableDocument, 'kind' | 'dueDate' | 'correctedInvoice' | 'reason' | 'notes'> {
  if (snapshot.documentKind === 'invoice')
    return { kind: 'invoice', dueDate: snapshot.dueDate, notes: blankToUndefined(snapshot.notes) };
  const { precedingInvoice, templateVersion } = snapshot;
  const [reason, notes] = [blankToUndefined(snapshot.reason), blankToUndefined(snapshot.notes)];
  const words =
    templateVersion < 3
      ? { notes: blankToUndefined(joinNonBlank([reason ?? null, notes ?? null], '\n')) }
      : { reason, notes };
  return { kind: 'credit_note', correctedInvoice: precedingInvoice, ...words };
}

const buildEarlyPayment = (snapshot: IssuedDocument): PrintableDocument['payment']['earlyPayment'] => {
  const discount = snapshot.documentKind === 'invoice' ? snapshot.earlyPaymentDiscount : undefined;
  return discount === undefined
    ? undefined
    : {
        percent: toDecimalString(discount.percent),
        until: discount.until,
        amount: toDecimalString(discount.amount),
        payable: toDecimalString(discount.payable),
      };
};

/** Invoices issued before layout version 4 have no QR bill, so that their pages stay the same. */
const buildQrBill = (snapshot: IssuedDocument): PrintableDocument['payment']['swissQrBill'] =>
  snapshot.documentKind === 'invoice' && snapshot.templateVersion >= 4
    ? buildSwissQrBill(snapshot, snapshot.prepaid?.due ?? snapshot.grandTotal)
    : undefined;

/**
 * Converts the snapshot of an invoice or credit note to the words and order of the printed page. Computes no amount.
 */
export function buildPrintableDocument(snapshot: IssuedDocument, options: PrintOptions): PrintableDocument {
  const { language, seller, buyer } = snapshot;
  const { isDraft = false } = options;
  const country = seller.address.country;
  const abroad = country !== buyer.address.country;
  const foreign = snapshot.currencyCode !== snapshot.baseCurrencyCode;
  return {
    templateVersion: snapshot.templateVersion,
    ...buildKindSpecificFields(snapshot),
    language,
    // The seller's country determines the format of numbers and dates: 1’234.50 in Switzerland.
    locale: country === null ? language : `${language}-${country}`,
    paper: country !== null && LETTER_COUNTRIES.has(country) ? 'Letter' : 'A4',
    number: snapshot.number,
    issuedAt: snapshot.issuedAt,
    issueDate: snapshot.issueDate,
    deliveryDate: snapshot.deliveryDate ?? undefined,
    deliveryPeriod: snapshot.deliveryPeriod ?? undefined,
    customerNumber: blankToUndefined(buyer.code),
    purchaseReference: blankToUndefined(snapshot.reference),
    currencyCode: snapshot.currencyCode,
    currencyDecimals: snapshot.currencyDecimals,
    seller: buildSeller(snapshot, abroad, options.logo),
    buyer: buildBuyer(snapshot, abroad),
    lines: snapshot.lines.map((line) => buildLine(line, language)),
    adjustments: buildAdjustments(snapshot),
    taxes: snapshot.taxes.map(buildTax),
    total: toDecimalString(snapshot.total),
    taxTotal: toDecimalString(snapshot.taxTotal),
    grandTotal: toDecimalString(snapshot.grandTotal),
    isDeposit: snapshot.isDeposit,
    prepaid: buildPrintedPrepaid(snapshot),
    baseCurrencyTax: foreign
      ? {
          currencyCode: snapshot.baseCurrencyCode,
          rate: toDecimalString(snapshot.exchangeRate),
          tax: toDecimalString(snapshot.baseTaxTotal),
        }
      : undefined,
    payment: {
      termsText:
        snapshot.documentKind === 'credit_note' ? undefined : formatPaymentTerms(language, snapshot.paymentTerms),
      earlyPayment: buildEarlyPayment(snapshot),
      swissQrBill: isDraft ? undefined : buildQrBill(snapshot),
      accountHolder: seller.legalName,
      iban: blankToUndefined(seller.iban),
      bic: blankToUndefined(seller.bic),
      bankName: blankToUndefined(seller.bankName),
      accountNumber: blankToUndefined(seller.accountNumber ?? null),
      routingNumber: blankToUndefined(seller.routingNumber ?? null),
      note: blankToUndefined(seller.paymentNote ?? null),
    },
    voided: options.voidedOn === null ? undefined : { date: options.voidedOn },
    ...(isDraft ? { isDraft } : {}),
  };
}
