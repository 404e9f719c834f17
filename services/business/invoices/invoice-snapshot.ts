import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { toCanonicalJson } from '../../../domain/canonical-json';
import type {
  BuyerSnapshot,
  DocumentAdjustmentSnapshot,
  InvoiceLineSnapshot,
  InvoiceSnapshot,
  InvoiceTaxSnapshot,
  IssuedDocument,
  LineAdjustmentSnapshot,
  SellerSnapshot,
} from '../../../domain/business/invoices/invoice';
import { getLabels } from '../../../domain/business/documents/labels';
import { DOCUMENT_TEMPLATE_VERSION } from '../../../domain/business/documents/printable-document';
import { toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import { computeTaxComponents } from '../../../domain/business/invoices/tax-components';
import { getTaxTexts } from '../../../domain/business/settings/tax-profiles';
import { sha256Hex } from '../../../lib/crypto/secrets';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { PostalAddress } from '../../../domain/business/invoices/invoice';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import type { PreparedAdjustment } from './invoice-adjustments';
import { buildTaxKey } from './invoice-preparation';
import type { PreparedLine } from './invoice-lines';
import type { PreparedInvoice } from './invoice-preparation';

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
  electronicAddress: company.electronicAddress ?? null,
});

const buildBuyerSnapshot = (customer: CustomerRecord): BuyerSnapshot => ({
  customerId: customer.id,
  code: customer.code,
  name: customer.name,
  taxId: customer.taxId,
  registrationNumber: customer.registrationNumber ?? null,
  address: buildAddress(customer.address),
  email: customer.email,
  electronicAddress: customer.electronicAddress ?? null,
});

const getReason = (prepared: PreparedInvoice, { reason, terms }: PreparedAdjustment): string =>
  reason ?? getLabels(prepared.language)[terms.type];

const getPercent = ({ terms }: PreparedAdjustment): string | null =>
  'percent' in terms ? toText(terms.percent) : null;

const buildLineAdjustments = (prepared: PreparedInvoice, line: PreparedLine, index: number): LineAdjustmentSnapshot[] =>
  line.adjustments.map((adjustment, position) => ({
    type: adjustment.terms.type,
    reason: getReason(prepared, adjustment),
    percent: getPercent(adjustment),
    amount: toText(prepared.calculation.lines[index]?.adjustments[position] ?? ZERO),
  }));

/** The rate of a row of the tax table: that of the first line in it, else of the first discount or charge. */
const findRate = ({ lines, adjustments }: PreparedInvoice, taxKey: string): TaxRateRecord | undefined =>
  [...lines, ...adjustments].find(({ taxRate }) => taxRate !== null && buildTaxKey(taxRate) === taxKey)?.taxRate ??
  undefined;

/** Builds the discounts and charges of the document, one for each rate that they apply to. */
const buildDocumentAdjustments = (prepared: PreparedInvoice): DocumentAdjustmentSnapshot[] =>
  prepared.calculation.adjustments.flatMap((share, index) => {
    const adjustment = prepared.adjustments[share.index];
    const rate = findRate(prepared, share.taxKey);
    if (adjustment === undefined || rate === undefined) return [];
    return {
      adjustmentId: index + 1,
      type: share.type,
      reason: getReason(prepared, adjustment),
      percent: getPercent(adjustment),
      base: share.base === null ? null : toText(share.base),
      includesTax: share.includesTax,
      amount: toText(share.amount),
      net: toText(share.net),
      tax: toText(share.tax),
      taxRateId: rate.id,
      taxPercent: toText(share.taxPercent),
      taxCategory: rate.category,
      exemptionReason: getTaxTexts(rate, prepared.language).exemptionReason,
    };
  });

function buildLineSnapshot(prepared: PreparedInvoice, line: PreparedLine, index: number): InvoiceLineSnapshot {
  const figures = prepared.calculation.lines[index];
  return {
    lineId: index + 1,
    productId: line.product?.id ?? null,
    productCode: line.product?.code ?? null,
    description: line.description,
    details: line.details,
    unit: line.unit,
    quantity: toText(line.quantity),
    unitPrice: toText(line.unitPrice),
    priceIncludesTax: line.priceIncludesTax,
    discountPercent: toText(line.discountPercent),
    gross: toText(figures?.gross ?? ZERO),
    discount: toText(figures?.discount ?? ZERO),
    ...(line.adjustments.length === 0 ? {} : { adjustments: buildLineAdjustments(prepared, line, index) }),
    net: toText(figures?.net ?? ZERO),
    tax: toText(figures?.tax ?? ZERO),
    taxRateId: line.taxRate.id,
    taxPercent: toText(fromDecimal128(line.taxRate.percent)),
    taxCategory: line.taxRate.category,
    exemptionReason: getTaxTexts(line.taxRate, prepared.language).exemptionReason,
    ...toSupplyDates(line),
  };
}

const buildTaxSnapshots = (prepared: PreparedInvoice): InvoiceTaxSnapshot[] =>
  prepared.calculation.taxes.flatMap((row) => {
    const rate = findRate(prepared, row.taxKey);
    if (rate === undefined) return [];
    const texts = getTaxTexts(rate, prepared.language);
    return {
      taxRateId: rate.id,
      name: texts.name,
      category: rate.category,
      percent: toText(row.percent),
      exemptionReason: texts.exemptionReason,
      net: toText(row.net),
      tax: toText(row.tax),
      ...(rate.components
        ? { components: computeTaxComponents(rate.components, row.tax, getCurrencyDecimals(prepared.currencyCode)) }
        : {}),
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
  const adjustments = buildDocumentAdjustments(prepared);
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
    ...(prepared.isDeposit ? { isDeposit: true as const } : {}),
    ...(prepared.prepaid === null ? {} : { prepaid: prepared.prepaid }),
    ...(prepared.earlyPaymentDiscount === null ? {} : { earlyPaymentDiscount: prepared.earlyPaymentDiscount }),
    reference: prepared.reference,
    buyerReference: prepared.buyerReference,
    eInvoiceProfile: prepared.customer.eInvoiceProfile ?? 'en16931',
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
    ...(adjustments.length === 0 ? {} : { adjustments }),
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
