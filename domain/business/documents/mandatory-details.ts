import { Decimal } from '../decimal';
import type { BuyerSnapshot, InvoiceSnapshot, SellerSnapshot } from '../invoices/invoice';
import { getSupplyPeriod } from '../invoices/supply-dates';
import type { TaxCategory } from '../settings/tax-rates';
import { isUnionMember } from '../settings/countries';
import { parseVatIdentifier } from './einvoice/identifiers';
import type { RuleViolation } from './einvoice/rules/rule';

/** Whether a company's invoices must have every detail that the law of its country requires. */
export const COMPLETENESS_MODES = ['off', 'on'] as const;
export type CompletenessMode = (typeof COMPLETENESS_MODES)[number];

/** A detail that invoices of sellers of some countries must have. */
export interface MandatoryDetail<A extends unknown[]> {
  /** Such as `DE-SUPPLY-DATE`; named in errors and in the documentation. */
  id: string;
  /** The field that supplies the detail. */
  field: string;
  /** The requirement, in words for the user who must supply the detail. */
  problem: string;
  /** The law that requires it. */
  source: string;
  /** Whether it applies to invoices of a seller in this country; null if the country is not stated. */
  appliesIn: (country: string | null) => boolean;
  isMissing: (...subject: A) => boolean;
}

const isBlank = (text: string | null | undefined): boolean => text == null || text.trim() === '';

const anywhere = (): boolean => true;
const only =
  (...countries: readonly string[]) =>
  (country: string | null): boolean =>
    country !== null && countries.includes(country);
const inUnion = (country: string | null): boolean => country !== null && isUnionMember(country);
/** Member states with a rule of their own for the tax number. */
const OWN_TAX_NUMBER_RULE = new Set(['AT', 'DE', 'ES', 'FR']);

/** Forms of companies with limited liability, which state register, directors and capital; with or without dots. */
const LIMITED_FORMS: Readonly<Record<string, RegExp>> = {
  DE: /\b(GmbH|gGmbH|UG|AG|SE|KGaA|eG)\b/u,
  AT: /\b(GmbH|GesmbH|FlexCo|FlexKapG|AG|SE)\b/u,
  FR: /\b(SARL|EURL|SAS|SASU|SA|SCA|SE)\b/u,
};

/** Whether the company has limited liability, by its legal form, else by its name. */
function hasLimitedLiability({ legalForm, legalName, address }: SellerSnapshot): boolean {
  const forms = LIMITED_FORMS[address.country ?? ''];
  return forms?.test((legalForm ?? legalName).replaceAll('.', '')) ?? false;
}

const hasVatIdentifier = ({ taxId, address }: SellerSnapshot): boolean => parseVatIdentifier(taxId, address) !== null;
const hasTaxNumber = (seller: SellerSnapshot): boolean => !isBlank(seller.taxId) || !isBlank(seller.taxNumber);

/** Categories with which no VAT is invoiced because the seller charges none at all. */
const UNTAXED: ReadonlySet<TaxCategory> = new Set(['O', 'E']);
const isVatCharged = ({ taxes }: InvoiceSnapshot): boolean => taxes.some(({ category }) => !UNTAXED.has(category));

/** Highest totals of simplified invoices in EUR, which need neither buyer nor date of supply; elsewhere 100. */
const SIMPLIFIED_LIMITS: Readonly<Record<string, number>> = { AT: 400, DE: 250, ES: 400, FR: 150 };

/** Whether the invoice may be a simplified one (2006/112/EC, articles 220a and 226b; § 33 UStDV). */
const isSimplified = ({ baseCurrencyCode, baseGrandTotal, seller }: InvoiceSnapshot): boolean =>
  baseCurrencyCode === 'EUR' && new Decimal(baseGrandTotal).lte(SIMPLIFIED_LIMITS[seller.address.country ?? ''] ?? 100);

const isAddressMissing = ({ address }: SellerSnapshot | BuyerSnapshot): boolean =>
  isBlank(address.line1) || isBlank(address.city);

const statesSupply = (invoice: InvoiceSnapshot): boolean =>
  getSupplyPeriod(invoice) !== null || invoice.lines.every((line) => getSupplyPeriod(line) !== null);

const hasCategory = ({ taxes }: InvoiceSnapshot, category: TaxCategory): boolean =>
  taxes.some((row) => row.category === category);

/** The details of a company, which are known before its first invoice. */
export const COMPANY_DETAILS: readonly MandatoryDetail<[seller: SellerSnapshot, chargesVat: boolean]>[] = [
  {
    id: 'SELLER-COUNTRY',
    field: 'company.address.country',
    problem: 'the seller needs a country, which decides what its invoices must state',
    source: 'all countries',
    appliesIn: anywhere,
    isMissing: (seller) => isBlank(seller.address.country),
  },
  {
    id: 'SELLER-ADDRESS',
    field: 'company.address',
    problem: 'the seller needs a street (line1) and a city',
    source: '2006/112/EC article 226 (5); customary in all other countries',
    appliesIn: anywhere,
    isMissing: (seller) => isAddressMissing(seller),
  },
  {
    id: 'EU-VAT-ID',
    field: 'company.taxId',
    problem: 'a seller that charges VAT needs its VAT identifier',
    source: '2006/112/EC article 226 (3)',
    appliesIn: (country) => inUnion(country) && !OWN_TAX_NUMBER_RULE.has(country ?? ''),
    isMissing: (seller, chargesVat) => chargesVat && !hasVatIdentifier(seller),
  },
  {
    id: 'DE-TAX-NUMBER',
    field: 'company.taxId',
    problem: 'the seller needs its USt-IdNr. (taxId) or its Steuernummer (taxNumber)',
    source: '§ 14 (4) no. 2 UStG',
    appliesIn: only('DE'),
    isMissing: (seller) => !hasTaxNumber(seller),
  },
  {
    id: 'AT-VAT-ID',
    field: 'company.taxId',
    problem: 'a seller that charges VAT needs its UID-Nummer',
    source: '§ 11 (1) no. 3 (i) UStG 1994',
    appliesIn: only('AT'),
    isMissing: (seller, chargesVat) => chargesVat && !hasVatIdentifier(seller),
  },
  {
    id: 'ES-NIF',
    field: 'company.taxId',
    problem: 'the seller needs its NIF (taxId or taxNumber)',
    source: 'article 6 (1) (d) of RD 1619/2012',
    appliesIn: only('ES'),
    isMissing: (seller) => !hasTaxNumber(seller),
  },
  {
    id: 'FR-VAT-ID',
    field: 'company.taxId',
    problem: 'a seller that charges VAT needs its numéro de TVA intracommunautaire',
    source: 'article 242 nonies A, annexe II of the CGI',
    appliesIn: only('FR'),
    isMissing: (seller, chargesVat) => chargesVat && !hasVatIdentifier(seller),
  },
  {
    id: 'FR-SIREN',
    field: 'company.registrationNumber',
    problem: 'the seller needs its SIREN (9 digits) or SIRET (14 digits)',
    source: 'article R123-237 of the code de commerce',
    appliesIn: only('FR'),
    isMissing: (seller) => !/^(\d{9}|\d{14})$/.test((seller.registrationNumber ?? '').replace(/\s/gu, '')),
  },
  {
    id: 'FR-CAPITAL',
    field: 'company.shareCapital',
    problem: 'a company with limited liability needs its register (registerName), legal form and share capital',
    source: 'articles R123-237 and R123-238 of the code de commerce',
    appliesIn: only('FR'),
    isMissing: (seller) => hasLimitedLiability(seller) && (seller.shareCapital == null || isBlank(seller.registerName)),
  },
  {
    id: 'FR-LATE-PAYMENT',
    field: 'company.paymentNote',
    problem: 'an invoice needs the rate of penalties for late payment and the indemnity of 40 EUR (paymentNote)',
    source: 'article L441-9 of the code de commerce',
    appliesIn: only('FR'),
    isMissing: (seller) => isBlank(seller.paymentNote),
  },
  {
    id: 'DE-REGISTER',
    field: 'company.registrationNumber',
    problem: 'a company with limited liability needs its register court (registerName) and number',
    source: '§ 35a GmbHG, § 80 AktG',
    appliesIn: only('DE'),
    isMissing: (seller) =>
      hasLimitedLiability(seller) && (isBlank(seller.registerName) || isBlank(seller.registrationNumber)),
  },
  {
    id: 'DE-DIRECTORS',
    field: 'company.managingDirectors',
    problem: 'a company with limited liability needs the names of its managing directors',
    source: '§ 35a GmbHG, § 80 AktG',
    appliesIn: only('DE'),
    isMissing: (seller) => hasLimitedLiability(seller) && (seller.managingDirectors ?? []).length === 0,
  },
  {
    id: 'AT-REGISTER',
    field: 'company.registrationNumber',
    problem: 'a company with limited liability needs its register court (registerName) and Firmenbuchnummer',
    source: '§ 14 UGB',
    appliesIn: only('AT'),
    isMissing: (seller) =>
      hasLimitedLiability(seller) && (isBlank(seller.registerName) || isBlank(seller.registrationNumber)),
  },
  {
    id: 'GB-VAT-NUMBER',
    field: 'company.taxId',
    problem: 'a seller that charges VAT needs its VAT registration number',
    source: 'regulation 14 (1) (d) of the VAT Regulations 1995',
    appliesIn: only('GB'),
    isMissing: (seller, chargesVat) => chargesVat && !hasTaxNumber(seller),
  },
  {
    id: 'CH-VAT-NUMBER',
    field: 'company.taxId',
    problem: 'a seller that charges VAT needs its UID with the suffix MWST, TVA or IVA',
    source: 'article 26 (2) (a) MWSTG',
    appliesIn: only('CH'),
    isMissing: (seller, chargesVat) => chargesVat && !hasTaxNumber(seller),
  },
  {
    id: 'CA-GST-NUMBER',
    field: 'company.taxId',
    problem: 'a seller that charges GST or HST needs its registration number',
    source: 'section 3 of the Input Tax Credit Information (GST/HST) Regulations',
    appliesIn: only('CA'),
    isMissing: (seller, chargesVat) => chargesVat && !hasTaxNumber(seller),
  },
];

/** The details that are known only with the invoice. */
export const INVOICE_DETAILS: readonly MandatoryDetail<[invoice: InvoiceSnapshot]>[] = [
  {
    id: 'EU-BUYER-ADDRESS',
    field: 'customer.address',
    problem: 'the buyer needs a street (line1) and a city, except on simplified invoices of small amounts',
    source: '2006/112/EC article 226 (5), § 14 (4) no. 1 UStG',
    appliesIn: inUnion,
    isMissing: (invoice) => !isSimplified(invoice) && isAddressMissing(invoice.buyer),
  },
  {
    id: 'EU-BUYER-VAT-ID',
    field: 'customer.taxId',
    problem: 'a supply within the Union or under reverse charge needs the buyer’s VAT identifier',
    source: '2006/112/EC article 226 (4)',
    appliesIn: inUnion,
    isMissing: (invoice) =>
      (hasCategory(invoice, 'K') || hasCategory(invoice, 'AE')) &&
      parseVatIdentifier(invoice.buyer.taxId, invoice.buyer.address) === null,
  },
  {
    id: 'EU-SUPPLY-DATE',
    field: 'deliveryDate',
    problem: 'a supply within the Union needs deliveryDate or deliveryPeriod',
    source: '2006/112/EC article 226 (7), article 222',
    appliesIn: (country) => inUnion(country) && !only('AT', 'DE')(country),
    isMissing: (invoice) => hasCategory(invoice, 'K') && !statesSupply(invoice),
  },
  {
    id: 'DE-SUPPLY-DATE',
    field: 'deliveryDate',
    problem:
      'the invoice needs deliveryDate or deliveryPeriod, also if it is the date of issue; defaultDeliveryDate of the company can state it',
    source: '§ 14 (4) no. 6 UStG',
    appliesIn: only('DE'),
    isMissing: (invoice) => !isSimplified(invoice) && !statesSupply(invoice),
  },
  {
    id: 'AT-SUPPLY-DATE',
    field: 'deliveryDate',
    problem: 'the invoice needs deliveryDate or deliveryPeriod; defaultDeliveryDate of the company can state it',
    source: '§ 11 (1) no. 3 (d) UStG 1994',
    appliesIn: only('AT'),
    isMissing: (invoice) => !statesSupply(invoice),
  },
  {
    id: 'ES-BUYER-NIF',
    field: 'customer.taxId',
    problem: 'a Spanish buyer needs a NIF, except on simplified invoices of small amounts',
    source: 'article 6 (1) (d) of RD 1619/2012',
    appliesIn: only('ES'),
    isMissing: (invoice) =>
      invoice.buyer.address.country === 'ES' && !isSimplified(invoice) && isBlank(invoice.buyer.taxId),
  },
  {
    id: 'GB-BUYER-ADDRESS',
    field: 'customer.address',
    problem: 'the buyer needs a street (line1) and a city',
    source: 'regulation 14 (1) (e) of the VAT Regulations 1995',
    appliesIn: only('GB'),
    isMissing: ({ buyer }) => isAddressMissing(buyer),
  },
];

const toViolation = ({ id, field, problem, source }: MandatoryDetail<never>): RuleViolation => ({
  rule: id,
  field,
  problem: `${problem} (${source})`,
});

/**
 * Finds the details that every invoice of a company would lack by the law of its country.
 * @param chargesVat false if none of its supplies is taxed
 */
export const findMissingCompanyDetails = (seller: SellerSnapshot, chargesVat: boolean): RuleViolation[] =>
  COMPANY_DETAILS.filter(
    ({ appliesIn, isMissing }) => appliesIn(seller.address.country) && isMissing(seller, chargesVat),
  ).map(toViolation);

/** Finds the details that the law of the seller's country requires and the invoice lacks. */
export const findMissingDetails = (invoice: InvoiceSnapshot): RuleViolation[] => [
  ...findMissingCompanyDetails(invoice.seller, isVatCharged(invoice)),
  ...INVOICE_DETAILS.filter(
    ({ appliesIn, isMissing }) => appliesIn(invoice.seller.address.country) && isMissing(invoice),
  ).map(toViolation),
];
