import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { toCanonicalJson } from '../../../domain/canonical-json';
import type {
  BuyerSnapshot,
  InvoiceLineSnapshot,
  InvoiceSnapshot,
  InvoiceTaxSnapshot,
  IssuedDocument,
  SellerSnapshot,
} from '../../../domain/business/invoices/invoice';
import { DOCUMENT_TEMPLATE_VERSION } from '../../../domain/business/documents/printable-document';
import { toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import { sha256Hex } from '../../../lib/crypto/secrets';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { PostalAddress } from '../../../domain/business/invoices/invoice';
import { buildTaxRowKey } from './invoice-preparation';
import type { PreparedInvoice, PreparedLine } from './invoice-preparation';

const toText = (value: Decimal): string => value.toFixed();

const buildAddress = (address: PostalAddress): PostalAddress => ({
  line1: address.line1,
  line2: address.line2,
  city: address.city,
  region: address.region,
  postalCode: address.postalCode,
  country: address.country,
});

/** The company's data as an invoice issued now would state them. */
export const buildSellerSnapshot = (company: CompanyRecord): SellerSnapshot => ({
  legalName: company.legalName,
  taxId: company.taxId,
  registrationNumber: company.registrationNumber,
  address: buildAddress(company.address),
  email: company.email,
  phone: company.phone,
  website: company.website,
  bankName: company.bankName,
  iban: company.iban,
  bic: company.bic,
  logoKey: company.logoKey,
  legalForm: company.legalForm ?? null,
  taxNumber: company.taxNumber ?? null,
  registerName: company.registerName ?? null,
  managingDirectors: company.managingDirectors ?? [],
  shareCapital: company.shareCapital ?? null,
  accountNumber: company.accountNumber ?? null,
  routingNumber: company.routingNumber ?? null,
  paymentNote: company.paymentNote ?? null,
});

const buildBuyerSnapshot = (customer: CustomerRecord): BuyerSnapshot => ({
  customerId: customer.id,
  code: customer.code,
  name: customer.name,
  taxId: customer.taxId,
  registrationNumber: customer.registrationNumber ?? null,
  address: buildAddress(customer.address),
  email: customer.email,
});

function buildLineSnapshot(prepared: PreparedInvoice, line: PreparedLine, index: number): InvoiceLineSnapshot {
  const figures = prepared.calculation.lines[index];
  return {
    lineId: index + 1,
    productId: line.product.id,
    productCode: line.product.code,
    description: line.description,
    unit: line.product.unit,
    quantity: toText(line.quantity),
    unitPrice: toText(line.unitPrice),
    priceIncludesTax: line.priceIncludesTax,
    discountPercent: toText(line.discountPercent),
    gross: toText(figures?.gross ?? ZERO),
    discount: toText(figures?.discount ?? ZERO),
    net: toText(figures?.net ?? ZERO),
    tax: toText(figures?.tax ?? ZERO),
    taxRateId: line.taxRate.id,
    taxPercent: toText(fromDecimal128(line.taxRate.percent)),
    taxCategory: line.taxRate.category,
    exemptionReason: line.taxRate.exemptionReason,
    ...toSupplyDates(line),
  };
}

const buildTaxSnapshots = (prepared: PreparedInvoice): InvoiceTaxSnapshot[] =>
  prepared.calculation.taxes.flatMap((row) => {
    const rate = prepared.lines.find((line) => buildTaxRowKey(line) === row.taxKey)?.taxRate;
    if (rate === undefined) return [];
    return {
      taxRateId: rate.id,
      name: rate.name,
      category: rate.category,
      percent: toText(row.percent),
      exemptionReason: rate.exemptionReason,
      net: toText(row.net),
      tax: toText(row.tax),
    };
  });

/** Builds the complete, immutable content of an invoice. */
export function buildInvoiceSnapshot(
  company: CompanyRecord,
  prepared: PreparedInvoice,
  number: string,
  issuedAt: Date,
): InvoiceSnapshot {
  const { calculation, base } = prepared;
  return {
    documentKind: 'invoice',
    templateVersion: DOCUMENT_TEMPLATE_VERSION,
    language: prepared.language,
    number,
    issueDate: prepared.issueDate,
    dueDate: prepared.dueDate,
    ...toSupplyDates(prepared),
    issuedAt: issuedAt.toISOString(),
    paymentTerms: prepared.paymentTerms,
    reference: prepared.reference,
    notes: prepared.notes,
    currencyCode: prepared.currencyCode,
    currencyDecimals: getCurrencyDecimals(prepared.currencyCode),
    baseCurrencyCode: company.baseCurrencyCode,
    baseCurrencyDecimals: getCurrencyDecimals(company.baseCurrencyCode),
    exchangeRate: toText(prepared.exchangeRate),
    taxRounding: company.taxRounding,
    seller: buildSellerSnapshot(company),
    buyer: buildBuyerSnapshot(prepared.customer),
    lines: prepared.lines.map((line, index) => buildLineSnapshot(prepared, line, index)),
    taxes: buildTaxSnapshots(prepared),
    total: toText(calculation.total),
    taxTotal: toText(calculation.taxTotal),
    grandTotal: toText(calculation.grandTotal),
    baseTotal: toText(base.total),
    baseTaxTotal: toText(base.taxTotal),
    baseGrandTotal: toText(base.grandTotal),
  };
}

/**
 * SHA-256, hex, of the snapshot's canonical JSON: identifies the rendered files and links the document into its chain.
 */
export const computeContentHash = (snapshot: IssuedDocument): string => sha256Hex(toCanonicalJson(snapshot));
