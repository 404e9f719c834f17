import { Decimal, sum } from '../../decimal';
import type {
  BuyerSnapshot,
  DecimalText,
  InvoiceLineSnapshot,
  InvoiceTaxSnapshot,
  IssuedDocument,
  PostalAddress,
  SellerSnapshot,
} from '../../invoices/invoice';
import { labelsFor } from '../labels';
import { creditTermsText, paymentTermsText } from '../labels/payment-terms';
import type { TaxCategory } from '../../settings/tax-rates';
import { otherTaxNumber, vatIdentifier } from './identifiers';
import type {
  ElectronicInvoice,
  ElectronicLine,
  ElectronicParty,
  ElectronicPayment,
  ElectronicTax,
} from './semantic-model';

const given = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text.trim());

/** An amount with at least the decimals of its currency: `150` → `150.00`. More decimals stay, for the rules to see. */
const amount = (text: DecimalText, decimals: number): DecimalText => {
  const value = new Decimal(text);
  return value.toFixed(Math.max(decimals, value.decimalPlaces()));
};

/** Codes of the list VATEX for categories that have but one reason. */
const EXEMPTION_CODES: Partial<Record<TaxCategory, string>> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
};

const isOutOfScope = (document: IssuedDocument): boolean => document.taxes.some((tax) => tax.category === 'O');

const addressOf = (address: PostalAddress): ElectronicParty['address'] => ({
  line1: given(address.line1),
  line2: given(address.line2),
  city: given(address.city),
  postCode: given(address.postalCode),
  region: given(address.region),
  country: given(address.country),
});

/** A supply outside the scope of VAT names no VAT identifier (BR-O-02): the number stays as one of the tax office. */
function sellerOf(seller: SellerSnapshot, outOfScope: boolean): ElectronicParty {
  const vat = vatIdentifier(seller.taxId, seller.address);
  const [email, phone] = [given(seller.email), given(seller.phone)];
  return {
    name: seller.legalName,
    identifier: null,
    legalRegistration: given(seller.registrationNumber),
    vatIdentifier: outOfScope ? null : vat,
    taxRegistration: outOfScope && vat !== null ? vat : otherTaxNumber(seller.taxId, seller.address),
    email,
    contact: email === null && phone === null ? null : { name: seller.legalName, phone, email },
    address: addressOf(seller.address),
  };
}

function buyerOf(buyer: BuyerSnapshot, outOfScope: boolean): ElectronicParty {
  const vat = vatIdentifier(buyer.taxId, buyer.address);
  return {
    name: buyer.name,
    identifier: given(buyer.code),
    legalRegistration: outOfScope && vat !== null ? vat : otherTaxNumber(buyer.taxId, buyer.address),
    vatIdentifier: outOfScope ? null : vat,
    taxRegistration: null,
    email: given(buyer.email),
    contact: null,
    address: addressOf(buyer.address),
  };
}

/**
 * The price of a line without tax. One that was agreed with tax has no such unit price of few decimals: its net stands
 * for the whole quantity instead (BT-149), its discount already taken off.
 */
function lineOf(line: InvoiceLineSnapshot, document: IssuedDocument): ElectronicLine {
  const decimals = document.currencyDecimals;
  const discounted = !line.priceIncludesTax && !new Decimal(line.discount).isZero();
  return {
    id: String(line.lineId),
    quantity: line.quantity,
    unit: line.unit,
    net: amount(line.net, decimals),
    discount: discounted
      ? {
          amount: amount(line.discount, decimals),
          base: amount(line.gross, decimals),
          percent: line.discountPercent,
          reason: labelsFor(document.language).discount,
        }
      : null,
    price: line.priceIncludesTax ? amount(line.net, decimals) : line.unitPrice,
    priceQuantity: line.priceIncludesTax ? line.quantity : null,
    category: line.taxCategory,
    percent: line.taxCategory === 'O' ? null : line.taxPercent,
    name: line.description,
    sellerItemId: line.productCode,
  };
}

const isUsed = (tax: InvoiceTaxSnapshot, { lines }: IssuedDocument): boolean =>
  !new Decimal(tax.net).isZero() ||
  !new Decimal(tax.tax).isZero() ||
  lines.some((line) => line.taxCategory === tax.category && new Decimal(line.taxPercent).eq(tax.percent));

/**
 * One row per category and percentage: rows that differ in their reason alone are one in the standard (BR-E-01). A rate
 * of the invoice of which nothing is credited has none.
 */
function taxesOf(document: IssuedDocument): ElectronicTax[] {
  const decimals = document.currencyDecimals;
  const groups = new Map<string, InvoiceTaxSnapshot[]>();
  for (const tax of document.taxes.filter((row) => isUsed(row, document))) {
    const key = `${tax.category}|${tax.percent}`;
    groups.set(key, [...(groups.get(key) ?? []), tax]);
  }
  return [...groups.values()].flatMap((rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    const reasons = [...new Set(rows.flatMap((row) => given(row.exemptionReason) ?? []))];
    const total = (key: 'net' | 'tax') => amount(sum(rows.map((row) => new Decimal(row[key]))).toFixed(), decimals);
    return {
      taxable: total('net'),
      tax: total('tax'),
      category: first.category,
      percent: first.category === 'O' ? null : first.percent,
      exemptionReason: reasons.length === 0 ? null : reasons.join('; '),
      exemptionCode: EXEMPTION_CODES[first.category] ?? null,
    };
  });
}

function paymentOf(document: IssuedDocument): ElectronicPayment | null {
  const { seller, number } = document;
  const account = given(seller.iban)?.replace(/\s/gu, '').toUpperCase();
  if (document.documentKind === 'credit_note' || account === undefined) return null;
  return {
    meansCode: document.currencyCode === 'EUR' ? '58' : '30',
    remittance: number,
    account,
    accountName: seller.legalName,
    bic: given(seller.bic)?.replace(/\s/gu, '').toUpperCase() ?? null,
  };
}

/** Goods leave at issue, so that day is the day of supply; only a supply within the Union must name it (BR-IC-11, -12). */
const deliveryOf = (document: IssuedDocument): ElectronicInvoice['delivery'] =>
  document.taxes.some((tax) => tax.category === 'K')
    ? { date: document.issueDate, country: given(document.buyer.address.country) }
    : null;

type OfKind = Pick<ElectronicInvoice, 'typeCode' | 'dueDate' | 'paymentTerms' | 'note' | 'precedingInvoice'>;

function ofKind(document: IssuedDocument): OfKind {
  const { language } = document;
  if (document.documentKind === 'credit_note') {
    const { precedingInvoice, reason, notes } = document;
    const words = [given(reason), given(notes)].filter((text) => text !== null);
    return {
      typeCode: '381',
      dueDate: null,
      paymentTerms: creditTermsText(language, precedingInvoice.number),
      note: words.length === 0 ? null : words.join('\n'),
      precedingInvoice,
    };
  }
  return {
    typeCode: '380',
    dueDate: document.dueDate,
    paymentTerms: paymentTermsText(language, document.paymentTerms),
    note: given(document.notes),
    precedingInvoice: null,
  };
}

/** An issued document in the terms of EN 16931. Computes no amount: totals and tax are those that were issued. */
export function electronicInvoice(document: IssuedDocument): ElectronicInvoice {
  const decimals = document.currencyDecimals;
  const outOfScope = isOutOfScope(document);
  const foreign = document.currencyCode !== document.baseCurrencyCode;
  return {
    ...ofKind(document),
    number: document.number,
    issueDate: document.issueDate,
    currencyCode: document.currencyCode,
    taxCurrencyCode: foreign ? document.baseCurrencyCode : null,
    purchaseOrder: given(document.reference),
    seller: sellerOf(document.seller, outOfScope),
    buyer: buyerOf(document.buyer, outOfScope),
    delivery: deliveryOf(document),
    payment: paymentOf(document),
    totals: {
      lines: amount(document.total, decimals),
      taxExclusive: amount(document.total, decimals),
      tax: amount(document.taxTotal, decimals),
      taxInTaxCurrency: foreign ? amount(document.baseTaxTotal, document.baseCurrencyDecimals) : null,
      taxInclusive: amount(document.grandTotal, decimals),
      due: amount(document.grandTotal, decimals),
    },
    taxes: taxesOf(document),
    lines: document.lines.map((line) => lineOf(line, document)),
  };
}
