import { currencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { canonicalJson } from '../../../domain/business/invoices/invoice';
import type {
  BuyerSnapshot,
  InvoiceLineSnapshot,
  InvoiceSnapshot,
  InvoiceTaxSnapshot,
  IssuedDocument,
  SellerSnapshot,
} from '../../../domain/business/invoices/invoice';
import { INVOICE_TEMPLATE_VERSION } from '../../../domain/business/documents/invoice-document';
import { sha256Hex } from '../../../lib/crypto/secrets';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { fromStored } from '../../../models/business/decimal128';
import type { PostalAddress } from '../../../domain/business/invoices/invoice';
import { taxRowKey } from './invoice-preparation';
import type { PreparedInvoice, PreparedLine } from './invoice-preparation';

const text = (value: Decimal): string => value.toFixed();

const addressOf = (address: PostalAddress): PostalAddress => ({
  line1: address.line1,
  line2: address.line2,
  city: address.city,
  region: address.region,
  postalCode: address.postalCode,
  country: address.country,
});

const sellerOf = (company: CompanyRecord): SellerSnapshot => ({
  legalName: company.legalName,
  taxId: company.taxId,
  registrationNumber: company.registrationNumber,
  address: addressOf(company.address),
  email: company.email,
  phone: company.phone,
  website: company.website,
  bankName: company.bankName,
  iban: company.iban,
  bic: company.bic,
  logoKey: company.logoKey,
});

const buyerOf = (customer: CustomerRecord): BuyerSnapshot => ({
  customerId: customer.id,
  code: customer.code,
  name: customer.name,
  taxId: customer.taxId,
  address: addressOf(customer.address),
  email: customer.email,
});

function lineOf(prepared: PreparedInvoice, line: PreparedLine, index: number): InvoiceLineSnapshot {
  const figures = prepared.calculation.lines[index];
  return {
    lineId: index + 1,
    productId: line.product.id,
    productCode: line.product.code,
    description: line.description,
    unit: line.product.unit,
    quantity: text(line.quantity),
    unitPrice: text(line.unitPrice),
    priceIncludesTax: line.priceIncludesTax,
    discountPercent: text(line.discountPercent),
    gross: text(figures?.gross ?? ZERO),
    discount: text(figures?.discount ?? ZERO),
    net: text(figures?.net ?? ZERO),
    tax: text(figures?.tax ?? ZERO),
    taxRateId: line.taxRate.id,
    taxPercent: text(fromStored(line.taxRate.percent)),
    taxCategory: line.taxRate.category,
    exemptionReason: line.taxRate.exemptionReason,
  };
}

const taxesOf = (prepared: PreparedInvoice): InvoiceTaxSnapshot[] =>
  prepared.calculation.taxes.flatMap((row) => {
    const rate = prepared.lines.find((line) => taxRowKey(line) === row.taxKey)?.taxRate;
    if (rate === undefined) return [];
    return {
      taxRateId: rate.id,
      name: rate.name,
      category: rate.category,
      percent: text(row.percent),
      exemptionReason: rate.exemptionReason,
      net: text(row.net),
      tax: text(row.tax),
    };
  });

/** Freezes everything the issued invoice says. */
export function snapshotOf(
  company: CompanyRecord,
  prepared: PreparedInvoice,
  number: string,
  issuedAt: Date,
): InvoiceSnapshot {
  const { calculation, base } = prepared;
  return {
    documentKind: 'invoice',
    templateVersion: INVOICE_TEMPLATE_VERSION,
    language: prepared.language,
    number,
    issueDate: prepared.issueDate,
    dueDate: prepared.dueDate,
    issuedAt: issuedAt.toISOString(),
    paymentTerms: prepared.paymentTerms,
    reference: prepared.reference,
    notes: prepared.notes,
    currencyCode: prepared.currencyCode,
    currencyDecimals: currencyDecimals(prepared.currencyCode),
    baseCurrencyCode: company.baseCurrencyCode,
    baseCurrencyDecimals: currencyDecimals(company.baseCurrencyCode),
    exchangeRate: text(prepared.exchangeRate),
    taxRounding: company.taxRounding,
    seller: sellerOf(company),
    buyer: buyerOf(prepared.customer),
    lines: prepared.lines.map((line, index) => lineOf(prepared, line, index)),
    taxes: taxesOf(prepared),
    total: text(calculation.total),
    taxTotal: text(calculation.taxTotal),
    grandTotal: text(calculation.grandTotal),
    baseTotal: text(base.total),
    baseTaxTotal: text(base.taxTotal),
    baseGrandTotal: text(base.grandTotal),
  };
}

/** SHA-256, hex, of the snapshot's canonical JSON: names the printed object and links the document into its chain. */
export const contentHashOf = (snapshot: IssuedDocument): string => sha256Hex(canonicalJson(snapshot));
