import type { DecimalText } from '../../decimal';
import type { DayPeriod } from '../../invoices/supply-dates';
import type { AdjustmentType } from '../../invoices/adjustments';
import type { TaxCategory } from '../../settings/tax-rates';
import type { ElectronicAddress } from './electronic-address';
import type { EInvoiceProfile } from './specification';

/**
 * The semantic model of an electronic invoice, EN 16931-1:2017, independent of the two syntaxes. Comments have the
 * numbers of the standard's business terms (BT) and groups (BG). Terms that no document of this service has are
 * omitted.
 * Amounts have the decimals of their currency.
 */
export interface ElectronicInvoice {
  /** Determines BT-23 and BT-24. */
  profile: EInvoiceProfile;
  /** BT-1 */
  number: string;
  /** BT-2 */
  issueDate: string;
  /** BT-3, UNTDID 1001: commercial invoice, credit note, prepayment invoice, or partial invoice (XRechnung). */
  typeCode: '380' | '381' | '386' | '326';
  /** BT-5 */
  currencyCode: string;
  /** BT-6: the base currency of the seller, if it differs. */
  taxCurrencyCode: string | null;
  /** BT-9 */
  dueDate: string | null;
  /** BT-10 */
  buyerReference: string | null;
  /** BT-13 */
  purchaseOrder: string | null;
  /** BT-20 */
  paymentTerms: string | null;
  /** Discount for early payment, of the profile Factur-X Extended; the others state it in the payment terms. */
  earlyPayment: { days: number; percent: DecimalText; amount: DecimalText } | null;
  /** BT-22 */
  note: string | null;
  /** BT-25 and BT-26: the invoice that is corrected, or deposit invoices that are deducted. */
  precedingInvoices: readonly { number: string; issueDate: string }[];
  /** Deposits with their tax, of the profile Factur-X Extended; the others state them in the note. */
  advancePayments: readonly ElectronicAdvancePayment[];
  /** BG-4 */
  seller: ElectronicParty;
  /** BG-7 */
  buyer: ElectronicParty;
  /** BT-72 and BT-80: at least one of them. */
  delivery: ElectronicDelivery | null;
  /** BG-14: BT-73 and BT-74 */
  period: DayPeriod | null;
  /** BG-20 and BG-21 */
  adjustments: ElectronicDocumentAdjustment[];
  /** BG-16 */
  payment: ElectronicPayment | null;
  /** BG-22 */
  totals: ElectronicTotals;
  /** BG-23 */
  taxes: ElectronicTax[];
  /** BG-25 */
  lines: ElectronicLine[];
}

/** BG-4 and BG-7. */
export interface ElectronicParty {
  /** BT-27, BT-44 */
  name: string;
  /** BT-29, BT-46 */
  identifier: string | null;
  /** BT-30, BT-47 */
  legalRegistration: string | null;
  /** BT-31, BT-48: begins with the code of the country that assigned it. */
  vatIdentifier: string | null;
  /** BT-32, only for the seller: a tax number that is not a VAT identifier. */
  taxRegistration: string | null;
  /** BT-33, only for the seller: register, directors and capital. */
  legalInformation: string | null;
  /** BT-34, BT-49 */
  endpoint: ElectronicAddress | null;
  /** BG-6, only for the seller. */
  contact: { name: string; phone: string | null; email: string | null } | null;
  /** BG-5, BG-8 */
  address: {
    /** BT-35, BT-50 */
    line1: string | null;
    /** BT-36, BT-51 */
    line2: string | null;
    /** BT-37, BT-52 */
    city: string | null;
    /** BT-38, BT-53 */
    postCode: string | null;
    /** BT-39, BT-54 */
    region: string | null;
    /** BT-40, BT-55 */
    country: string | null;
  };
}

export interface ElectronicDelivery {
  /** BT-72 */
  date: string | null;
  /** BT-80 */
  country: string | null;
  /** BT-77 and BT-78, which XRechnung requires together with the country. */
  city?: string | null;
  postCode?: string | null;
}

export interface ElectronicPayment {
  /** BT-81, UNTDID 4461: not defined, credit transfer, SEPA credit transfer, or clearing between partners. */
  meansCode: '1' | '30' | '58' | '97';
  /** BT-83 */
  remittance: string | null;
  /** BT-84; null unless it is a credit transfer. */
  account: string | null;
  /** BT-85 */
  accountName: string | null;
  /** BT-86 */
  bic: string | null;
}

/** A deposit that was paid and is deducted. */
export interface ElectronicAdvancePayment {
  amount: DecimalText;
  taxes: readonly { category: TaxCategory; percent: DecimalText | null; tax: DecimalText }[];
  invoice: { number: string; issueDate: string };
}

export interface ElectronicTotals {
  /** BT-106 */
  lines: DecimalText;
  /** BT-107; null without discounts. */
  discounts: DecimalText | null;
  /** BT-108; null without charges. */
  charges: DecimalText | null;
  /** BT-109 */
  taxExclusive: DecimalText;
  /** BT-110 */
  tax: DecimalText;
  /** BT-111, in the tax currency. */
  taxInTaxCurrency: DecimalText | null;
  /** BT-112 */
  taxInclusive: DecimalText;
  /** BT-113; null if nothing was paid before. */
  prepaid: DecimalText | null;
  /** BT-115 */
  due: DecimalText;
}

export interface ElectronicTax {
  /** BT-116 */
  taxable: DecimalText;
  /** BT-117 */
  tax: DecimalText;
  /** BT-118 */
  category: TaxCategory;
  /** BT-119; null outside the scope of VAT, which has no rate. */
  percent: DecimalText | null;
  /** BT-120 */
  exemptionReason: string | null;
  /** BT-121, list VATEX */
  exemptionCode: string | null;
}

export interface ElectronicLine {
  /** BT-126 */
  id: string;
  /** BT-129 */
  quantity: DecimalText;
  /** BT-130 */
  unit: string;
  /** BG-26: BT-134 and BT-135 */
  period: DayPeriod | null;
  /** BT-131 */
  net: DecimalText;
  /** BG-27 and BG-28 */
  adjustments: ElectronicAdjustment[];
  /** BT-146, without tax, for `priceQuantity` units. */
  price: DecimalText;
  /** BT-149; null for 1. */
  priceQuantity: DecimalText | null;
  /** BT-151 */
  category: TaxCategory;
  /** BT-152 */
  percent: DecimalText | null;
  /** BT-153 */
  name: string;
  /** BT-154 */
  description: string | null;
  /** BT-155 */
  sellerItemId: string | null;
}

/** A discount or charge of a line, before tax. */
export interface ElectronicAdjustment {
  type: AdjustmentType;
  /** BT-92, BT-99, BT-136, BT-141 */
  amount: DecimalText;
  /** BT-93, BT-100, BT-137, BT-142; null for an amount. */
  base: DecimalText | null;
  /** BT-94, BT-101, BT-138, BT-143 */
  percent: DecimalText | null;
  /** BT-97, BT-104, BT-139, BT-144 */
  reason: string;
}

/** A discount or charge of the document, before tax. */
export interface ElectronicDocumentAdjustment extends ElectronicAdjustment {
  /** BT-95, BT-102 */
  category: TaxCategory;
  /** BT-96, BT-103; null outside the scope of VAT. */
  taxPercent: DecimalText | null;
}
