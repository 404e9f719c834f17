import type { DayPeriod } from '../../invoices/supply-dates';
import type { AdjustmentType } from '../../invoices/adjustments';
import type {
  ElectronicAdjustment,
  ElectronicInvoice,
  ElectronicLine,
  ElectronicParty,
  ElectronicTax,
} from './semantic-model';
import { PROFILE_SPECIFICATIONS } from './specification';
import { element, text, buildXmlDocument } from './xml';
import type { Xml } from './xml';

const OASIS = 'urn:oasis:names:specification:ubl:schema:xsd';

/** Codes of UNTDID 5189 (discount) and 7161 (other services). */
const REASON_CODES: Readonly<Record<AdjustmentType, string>> = { discount: '95', charge: 'ADR' };

/** Elements whose names differ between invoices and credit notes. */
interface ElementNames {
  root: 'Invoice' | 'CreditNote';
  typeCode: string;
  line: string;
  quantity: string;
}

const ELEMENT_NAMES = {
  invoice: {
    root: 'Invoice',
    typeCode: 'cbc:InvoiceTypeCode',
    line: 'cac:InvoiceLine',
    quantity: 'cbc:InvoicedQuantity',
  },
  creditNote: {
    root: 'CreditNote',
    typeCode: 'cbc:CreditNoteTypeCode',
    line: 'cac:CreditNoteLine',
    quantity: 'cbc:CreditedQuantity',
  },
} as const satisfies Record<string, ElementNames>;

const getElementNames = ({ typeCode }: ElectronicInvoice): ElementNames =>
  typeCode === '381' ? ELEMENT_NAMES.creditNote : ELEMENT_NAMES.invoice;

const buildCountry = (code: string | null): Xml => element('cac:Country', text('cbc:IdentificationCode', code));

const buildTaxNumber = (number: string | null, scheme: 'VAT' | 'FC'): Xml =>
  number === null
    ? null
    : element('cac:PartyTaxScheme', text('cbc:CompanyID', number), element('cac:TaxScheme', text('cbc:ID', scheme)));

function buildParty(party: ElectronicParty): Xml {
  const { address, contact } = party;
  return element(
    'cac:Party',
    party.endpoint === null
      ? null
      : text('cbc:EndpointID', party.endpoint.identifier, { schemeID: party.endpoint.scheme }),
    element('cac:PartyIdentification', text('cbc:ID', party.identifier)),
    element(
      'cac:PostalAddress',
      text('cbc:StreetName', address.line1),
      text('cbc:AdditionalStreetName', address.line2),
      text('cbc:CityName', address.city),
      text('cbc:PostalZone', address.postCode),
      text('cbc:CountrySubentity', address.region),
      buildCountry(address.country),
    ),
    buildTaxNumber(party.vatIdentifier, 'VAT'),
    buildTaxNumber(party.taxRegistration, 'FC'),
    element(
      'cac:PartyLegalEntity',
      text('cbc:RegistrationName', party.name),
      text('cbc:CompanyID', party.legalRegistration),
      text('cbc:CompanyLegalForm', party.legalInformation),
    ),
    contact === null
      ? null
      : element(
          'cac:Contact',
          text('cbc:Name', contact.name),
          text('cbc:Telephone', contact.phone),
          text('cbc:ElectronicMail', contact.email),
        ),
  );
}

const buildPeriod = (period: DayPeriod | null): Xml =>
  element('cac:InvoicePeriod', text('cbc:StartDate', period?.start ?? null), text('cbc:EndDate', period?.end ?? null));

const buildVatScheme = (): Xml => element('cac:TaxScheme', text('cbc:ID', 'VAT'));

const buildTaxSubtotal = (tax: ElectronicTax, currencyID: string): Xml =>
  element(
    'cac:TaxSubtotal',
    text('cbc:TaxableAmount', tax.taxable, { currencyID }),
    text('cbc:TaxAmount', tax.tax, { currencyID }),
    element(
      'cac:TaxCategory',
      text('cbc:ID', tax.category),
      text('cbc:Percent', tax.percent),
      text('cbc:TaxExemptionReasonCode', tax.exemptionCode),
      text('cbc:TaxExemptionReason', tax.exemptionReason),
      buildVatScheme(),
    ),
  );

const buildTaxCategory = (name: string, category: string, percent: string | null): Xml =>
  element(name, text('cbc:ID', category), text('cbc:Percent', percent), buildVatScheme());

const buildAdjustment = (
  { type, reason, percent, amount, base }: ElectronicAdjustment,
  currencyID: string,
  taxCategory: Xml = null,
): Xml =>
  element(
    'cac:AllowanceCharge',
    text('cbc:ChargeIndicator', String(type === 'charge')),
    text('cbc:AllowanceChargeReasonCode', REASON_CODES[type]),
    text('cbc:AllowanceChargeReason', reason),
    text('cbc:MultiplierFactorNumeric', percent),
    text('cbc:Amount', amount, { currencyID }),
    text('cbc:BaseAmount', base, { currencyID }),
    taxCategory,
  );

function buildLine(line: ElectronicLine, names: ElementNames, currencyID: string): Xml {
  return element(
    names.line,
    text('cbc:ID', line.id),
    text(names.quantity, line.quantity, { unitCode: line.unit }),
    text('cbc:LineExtensionAmount', line.net, { currencyID }),
    buildPeriod(line.period),
    line.adjustments.map((adjustment) => buildAdjustment(adjustment, currencyID)),
    element(
      'cac:Item',
      text('cbc:Description', line.description),
      text('cbc:Name', line.name),
      element('cac:SellersItemIdentification', text('cbc:ID', line.sellerItemId)),
      buildTaxCategory('cac:ClassifiedTaxCategory', line.category, line.percent),
    ),
    element(
      'cac:Price',
      text('cbc:PriceAmount', line.price, { currencyID }),
      text('cbc:BaseQuantity', line.priceQuantity, { unitCode: line.unit }),
    ),
  );
}

/** Payment means and payment reference. */
function buildPayment({ payment: transfer, paymentTerms }: ElectronicInvoice): Xml[] {
  const means =
    transfer === null
      ? null
      : element(
          'cac:PaymentMeans',
          text('cbc:PaymentMeansCode', transfer.meansCode),
          text('cbc:PaymentID', transfer.remittance),
          element(
            'cac:PayeeFinancialAccount',
            text('cbc:ID', transfer.account),
            text('cbc:Name', transfer.accountName),
            element('cac:FinancialInstitutionBranch', text('cbc:ID', transfer.bic)),
          ),
        );
  return [means, element('cac:PaymentTerms', text('cbc:Note', paymentTerms))];
}

function buildReferences(invoice: ElectronicInvoice): Xml[] {
  return [
    element('cac:OrderReference', text('cbc:ID', invoice.purchaseOrder)),
    ...invoice.precedingInvoices.map(({ number, issueDate }) =>
      element(
        'cac:BillingReference',
        element('cac:InvoiceDocumentReference', text('cbc:ID', number), text('cbc:IssueDate', issueDate)),
      ),
    ),
  ];
}

function buildDelivery({ delivery: deliveryInfo }: ElectronicInvoice): Xml {
  if (deliveryInfo === null) return null;
  return element(
    'cac:Delivery',
    text('cbc:ActualDeliveryDate', deliveryInfo.date),
    element(
      'cac:DeliveryLocation',
      element(
        'cac:Address',
        text('cbc:CityName', deliveryInfo.city ?? null),
        text('cbc:PostalZone', deliveryInfo.postCode ?? null),
        buildCountry(deliveryInfo.country),
      ),
    ),
  );
}

function buildAmounts({ totals, taxes, currencyCode, taxCurrencyCode }: ElectronicInvoice): Xml[] {
  const currencyID = currencyCode;
  return [
    element(
      'cac:TaxTotal',
      text('cbc:TaxAmount', totals.tax, { currencyID }),
      taxes.map((tax) => buildTaxSubtotal(tax, currencyID)),
    ),
    taxCurrencyCode === null
      ? null
      : element('cac:TaxTotal', text('cbc:TaxAmount', totals.taxInTaxCurrency, { currencyID: taxCurrencyCode })),
    element(
      'cac:LegalMonetaryTotal',
      text('cbc:LineExtensionAmount', totals.lines, { currencyID }),
      text('cbc:TaxExclusiveAmount', totals.taxExclusive, { currencyID }),
      text('cbc:TaxInclusiveAmount', totals.taxInclusive, { currencyID }),
      text('cbc:AllowanceTotalAmount', totals.discounts, { currencyID }),
      text('cbc:ChargeTotalAmount', totals.charges, { currencyID }),
      text('cbc:PrepaidAmount', totals.prepaid, { currencyID }),
      text('cbc:PayableAmount', totals.due, { currencyID }),
    ),
  ];
}

/** Writes a document in UBL 2.1 (ISO/IEC 19845), as Invoice or CreditNote, by the binding of CEN/TS 16931-3-2. */
export function toUblXml(invoice: ElectronicInvoice): string {
  const names = getElementNames(invoice);
  const specification = PROFILE_SPECIFICATIONS[invoice.profile];
  const namespaces = {
    '': `${OASIS}:${names.root}-2`,
    cac: `${OASIS}:CommonAggregateComponents-2`,
    cbc: `${OASIS}:CommonBasicComponents-2`,
  };
  return buildXmlDocument(
    names.root,
    namespaces,
    text('cbc:CustomizationID', specification.ubl),
    text('cbc:ProfileID', specification.businessProcess),
    text('cbc:ID', invoice.number),
    text('cbc:IssueDate', invoice.issueDate),
    text('cbc:DueDate', invoice.dueDate),
    text(names.typeCode, invoice.typeCode),
    text('cbc:Note', invoice.note),
    text('cbc:DocumentCurrencyCode', invoice.currencyCode),
    text('cbc:TaxCurrencyCode', invoice.taxCurrencyCode),
    text('cbc:BuyerReference', invoice.buyerReference),
    buildPeriod(invoice.period),
    buildReferences(invoice),
    element('cac:AccountingSupplierParty', buildParty(invoice.seller)),
    element('cac:AccountingCustomerParty', buildParty(invoice.buyer)),
    buildDelivery(invoice),
    buildPayment(invoice),
    invoice.adjustments.map((each) =>
      buildAdjustment(each, invoice.currencyCode, buildTaxCategory('cac:TaxCategory', each.category, each.taxPercent)),
    ),
    buildAmounts(invoice),
    invoice.lines.map((each) => buildLine(each, names, invoice.currencyCode)),
  );
}
