import type { DecimalText } from '../../decimal';
import { Decimal, sum } from '../../decimal';
import type {
  BuyerSnapshot,
  InvoiceSnapshot,
  InvoiceTaxSnapshot,
  IssuedDocument,
  PostalAddress,
  SellerSnapshot,
} from '../../invoices/invoice';
import { coverPeriods, getSupplyPeriod } from '../../invoices/supply-dates';
import type { AdjustmentType } from '../../invoices/adjustments';
import { formatStructuredDiscount } from '../../payments/early-payment';
import { formatCreditTerms, formatEarlyPayment, formatPaymentTerms } from '../labels/payment-terms';
import type { TaxCategory } from '../../settings/tax-rates';
import { buildDocumentAdjustment, buildLine } from './lines';
import { blankToNull, formatAmount } from './values';
import { parseElectronicAddress } from './electronic-address';
import type { ElectronicAddress } from './electronic-address';
import type { EInvoiceProfile } from './specification';
import { getNonVatTaxNumber, parseVatIdentifier } from './identifiers';
import type { ElectronicInvoice, ElectronicParty, ElectronicPayment, ElectronicTax } from './semantic-model';
import { buildInvoiceNote } from './invoice-note';

/** The profile is absent in documents issued before there was a choice. */
const getProfile = (document: IssuedDocument): EInvoiceProfile => document.eInvoiceProfile ?? 'en16931';

/** Codes of the list VATEX for categories that have only one reason. */
const EXEMPTION_CODES: Partial<Record<TaxCategory, string>> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
};

const isOutOfScope = (document: IssuedDocument): boolean => document.taxes.some((tax) => tax.category === 'O');

const buildAddress = (address: PostalAddress): ElectronicParty['address'] => ({
  line1: blankToNull(address.line1),
  line2: blankToNull(address.line2),
  city: blankToNull(address.city),
  postCode: blankToNull(address.postalCode),
  region: blankToNull(address.region),
  country: blankToNull(address.country),
});

/** Formats register, directors and capital, as the law of many countries requires on business letters. */
function formatLegalInformation({ legalForm, registerName, managingDirectors = [], shareCapital }: SellerSnapshot) {
  const capital = shareCapital ? `${shareCapital.amount} ${shareCapital.currencyCode}` : null;
  const parts = [legalForm ?? null, registerName ?? null, managingDirectors.join(', '), capital];
  return blankToNull(parts.filter((part) => part !== null && part !== '').join('; '));
}

/** The stated electronic address, else the email address with its scheme. */
const buildEndpoint = (stated: string | null | undefined, email: string | null): ElectronicAddress | null =>
  parseElectronicAddress(stated) ?? (email === null ? null : { scheme: 'EM', identifier: email });

/** A supply outside the scope of VAT has no VAT identifier (BR-O-02); the number is given as a tax number instead. */
function buildSeller(seller: SellerSnapshot, outOfScope: boolean): ElectronicParty {
  const vat = parseVatIdentifier(seller.taxId, seller.address);
  const [email, phone] = [blankToNull(seller.email), blankToNull(seller.phone)];
  return {
    name: seller.legalName,
    identifier: null,
    legalRegistration: blankToNull(seller.registrationNumber),
    vatIdentifier: outOfScope ? null : vat,
    taxRegistration:
      blankToNull(seller.taxNumber ?? null) ??
      (outOfScope && vat !== null ? vat : getNonVatTaxNumber(seller.taxId, seller.address)),
    legalInformation: formatLegalInformation(seller),
    endpoint: buildEndpoint(seller.electronicAddress, email),
    contact: email === null && phone === null ? null : { name: seller.legalName, phone, email },
    address: buildAddress(seller.address),
  };
}

function buildBuyer(buyer: BuyerSnapshot, outOfScope: boolean): ElectronicParty {
  const vat = parseVatIdentifier(buyer.taxId, buyer.address);
  return {
    name: buyer.name,
    identifier: blankToNull(buyer.code),
    legalRegistration:
      blankToNull(buyer.registrationNumber ?? null) ??
      (outOfScope && vat !== null ? vat : getNonVatTaxNumber(buyer.taxId, buyer.address)),
    vatIdentifier: outOfScope ? null : vat,
    taxRegistration: null,
    legalInformation: null,
    endpoint: buildEndpoint(buyer.electronicAddress, blankToNull(buyer.email)),
    contact: null,
    address: buildAddress(buyer.address),
  };
}

/** Adds up the amounts of one type; null if there are none (BT-107, BT-108). */
const sumAdjustments = (
  type: AdjustmentType,
  { adjustments = [], currencyDecimals }: IssuedDocument,
): DecimalText | null => {
  const nets = adjustments.filter((each) => each.type === type).map(({ net }) => new Decimal(net));
  return nets.length === 0 ? null : formatAmount(sum(nets).toFixed(), currencyDecimals);
};

const isUsed = (tax: InvoiceTaxSnapshot, { lines, adjustments = [] }: IssuedDocument): boolean =>
  !new Decimal(tax.net).isZero() ||
  !new Decimal(tax.tax).isZero() ||
  [...lines, ...adjustments].some(
    (taxed) => taxed.taxCategory === tax.category && new Decimal(taxed.taxPercent).eq(tax.percent),
  );

/**
 * Builds one row per category and percentage: the standard merges rows that differ only in their exemption reason
 * (BR-E-01). A rate of the invoice without credited amounts has no row.
 */
function buildTaxes(document: IssuedDocument): ElectronicTax[] {
  const decimals = document.currencyDecimals;
  const groups = new Map<string, InvoiceTaxSnapshot[]>();
  for (const tax of document.taxes.filter((row) => isUsed(row, document))) {
    const key = `${tax.category}|${tax.percent}`;
    groups.set(key, [...(groups.get(key) ?? []), tax]);
  }
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const reasons = [...new Set(rows.flatMap((row) => blankToNull(row.exemptionReason) ?? []))];
    const total = (key: 'net' | 'tax') =>
      formatAmount(sum(rows.map((row) => new Decimal(row[key]))).toFixed(), decimals);
    return {
      taxable: total('net'),
      tax: total('tax'),
      category: first.category,
      // Outside the scope of VAT there is no rate, but XRechnung requires one (BR-DE-14).
      percent: first.category === 'O' && getProfile(document) !== 'xrechnung' ? null : first.percent,
      exemptionReason: reasons.length === 0 ? null : reasons.join('; '),
      exemptionCode: EXEMPTION_CODES[first.category] ?? null,
    };
  });
}

/** Without an account there are no payment instructions, except in XRechnung, which requires a code (BR-DE-1). */
function buildPaymentWithoutAccount(document: IssuedDocument): ElectronicPayment | null {
  if (getProfile(document) !== 'xrechnung') return null;
  const meansCode = document.documentKind === 'credit_note' ? '97' : '1';
  return { meansCode, remittance: null, account: null, accountName: null, bic: null };
}

function buildPayment(document: IssuedDocument): ElectronicPayment | null {
  const { seller, number } = document;
  const account = blankToNull(seller.iban)?.replace(/\s/gu, '').toUpperCase();
  if (document.documentKind === 'credit_note' || account === undefined) return buildPaymentWithoutAccount(document);
  return {
    meansCode: document.currencyCode === 'EUR' ? '58' : '30',
    remittance: number,
    account,
    accountName: seller.legalName,
    bic: blankToNull(seller.bic)?.replace(/\s/gu, '').toUpperCase() ?? null,
  };
}

/**
 * Builds the date or period of supply as stated on the document, else the period that the dates of its lines cover.
 * The country that goods go to is given for supplies within the Union (BR-IC-12). Documents issued before dates of
 * supply could be stated give the issue date for such supplies, so that their files stay the same.
 */
function buildDelivery(document: IssuedDocument): Pick<ElectronicInvoice, 'delivery' | 'period'> {
  const withinUnion = document.taxes.some((tax) => tax.category === 'K');
  const country = withinUnion ? blankToNull(document.buyer.address.country) : null;
  const { address } = document.buyer;
  const place =
    getProfile(document) === 'xrechnung' && country !== null
      ? { city: blankToNull(address.city), postCode: blankToNull(address.postalCode) }
      : {};
  const { issueDate, deliveryDate, deliveryPeriod, lines } = document;
  if (deliveryDate === undefined)
    return { delivery: withinUnion ? { date: issueDate, country, ...place } : null, period: null };
  const period = deliveryPeriod ?? (deliveryDate === null ? coverPeriods(lines.map(getSupplyPeriod)) : null);
  const delivery = deliveryDate === null && country === null ? null : { date: deliveryDate, country, ...place };
  return { delivery, period };
}

/** The payment terms in words, with the discount for early payment as the profile requires it. */
function buildPaymentTerms(document: InvoiceSnapshot): string {
  const { language, paymentTerms, earlyPaymentDiscount: discount, currencyCode } = document;
  const words = formatPaymentTerms(language, paymentTerms);
  if (discount === undefined) return words;
  if (getProfile(document) === 'xrechnung') return `${words}\n${formatStructuredDiscount(discount)}`;
  const format = (amount: DecimalText): string => `${formatAmount(amount, document.currencyDecimals)} ${currencyCode}`;
  const stated = formatEarlyPayment(language, {
    percent: `${discount.percent} %`,
    until: discount.until,
    amount: format(discount.amount),
    payable: format(discount.payable),
  });
  return `${words} ${stated}`;
}

function buildEarlyPayment(document: IssuedDocument): ElectronicInvoice['earlyPayment'] {
  if (document.documentKind === 'credit_note' || document.earlyPaymentDiscount === undefined) return null;
  const { days, percent, amount } = document.earlyPaymentDiscount;
  return { days, percent, amount: formatAmount(amount, document.currencyDecimals) };
}

type KindSpecificFields = Pick<
  ElectronicInvoice,
  'typeCode' | 'dueDate' | 'paymentTerms' | 'note' | 'precedingInvoices' | 'advancePayments'
>;

function buildKindSpecificFields(document: IssuedDocument): KindSpecificFields {
  const { language } = document;
  if (document.documentKind === 'credit_note') {
    const { precedingInvoice, reason, notes } = document;
    const words = [blankToNull(reason), blankToNull(notes)].filter((text) => text !== null);
    return {
      typeCode: '381',
      dueDate: null,
      paymentTerms: formatCreditTerms(language, precedingInvoice.number),
      note: words.length === 0 ? null : words.join('\n'),
      precedingInvoices: [precedingInvoice],
      advancePayments: [],
    };
  }
  return {
    typeCode: document.isDeposit !== true ? '380' : getProfile(document) === 'xrechnung' ? '326' : '386',
    dueDate: document.dueDate,
    paymentTerms: buildPaymentTerms(document),
    note: buildInvoiceNote(document),
    precedingInvoices: (document.prepaid?.deposits ?? []).map(({ number, issueDate }) => ({ number, issueDate })),
    advancePayments: (document.prepaid?.deposits ?? []).map(({ number, issueDate, total, taxes }) => ({
      amount: formatAmount(total, document.currencyDecimals),
      taxes: taxes.map(({ category, percent, tax }) => ({
        category,
        percent: category === 'O' ? null : percent,
        tax: formatAmount(tax, document.currencyDecimals),
      })),
      invoice: { number, issueDate },
    })),
  };
}

/**
 * Converts an issued document to the model of EN 16931. Computes no amount: totals and tax are those of the document.
 */
export function toElectronicInvoice(document: IssuedDocument): ElectronicInvoice {
  const decimals = document.currencyDecimals;
  const outOfScope = isOutOfScope(document);
  const prepaid = document.documentKind === 'invoice' ? document.prepaid : undefined;
  const foreign = document.currencyCode !== document.baseCurrencyCode;
  return {
    ...buildKindSpecificFields(document),
    earlyPayment: buildEarlyPayment(document),
    profile: getProfile(document),
    buyerReference: blankToNull(document.buyerReference ?? null),
    number: document.number,
    issueDate: document.issueDate,
    currencyCode: document.currencyCode,
    taxCurrencyCode: foreign ? document.baseCurrencyCode : null,
    purchaseOrder: blankToNull(document.reference),
    seller: buildSeller(document.seller, outOfScope),
    buyer: buildBuyer(document.buyer, outOfScope),
    ...buildDelivery(document),
    payment: buildPayment(document),
    totals: {
      lines: formatAmount(sum(document.lines.map(({ net }) => new Decimal(net))).toFixed(), decimals),
      discounts: sumAdjustments('discount', document),
      charges: sumAdjustments('charge', document),
      taxExclusive: formatAmount(document.total, decimals),
      tax: formatAmount(document.taxTotal, decimals),
      taxInTaxCurrency: foreign ? formatAmount(document.baseTaxTotal, document.baseCurrencyDecimals) : null,
      taxInclusive: formatAmount(document.grandTotal, decimals),
      prepaid: prepaid === undefined ? null : formatAmount(prepaid.amount, decimals),
      due: formatAmount(prepaid?.due ?? document.grandTotal, decimals),
    },
    taxes: buildTaxes(document),
    adjustments: (document.adjustments ?? []).map((each) => buildDocumentAdjustment(each, decimals)),
    lines: document.lines.map((line) => buildLine(line, document)),
  };
}
