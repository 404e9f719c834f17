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

const UNCEFACT = 'urn:un:unece:uncefact:data:standard';
const NAMESPACES = {
  rsm: `${UNCEFACT}:CrossIndustryInvoice:100`,
  ram: `${UNCEFACT}:ReusableAggregateBusinessInformationEntity:100`,
  udt: `${UNCEFACT}:UnqualifiedDataType:100`,
  qdt: `${UNCEFACT}:QualifiedDataType:100`,
};

/** UNTDID 2379: CCYYMMDD. */
const DATE = { format: '102' };
/** Codes of UNTDID 5189 (discount) and 7161 (other services). */
const REASON_CODES: Readonly<Record<AdjustmentType, string>> = { discount: '95', charge: 'ADR' };

const compactDate = (date: string): string => date.replaceAll('-', '');

const buildDateTime = (name: string, date: string | null): Xml =>
  date === null ? null : element(name, text('udt:DateTimeString', compactDate(date), DATE));

const buildPeriod = (period: DayPeriod | null): Xml =>
  period === null
    ? null
    : element(
        'ram:BillingSpecifiedPeriod',
        buildDateTime('ram:StartDateTime', period.start),
        buildDateTime('ram:EndDateTime', period.end),
      );

function buildAddress(address: ElectronicParty['address']): Xml {
  return element(
    'ram:PostalTradeAddress',
    text('ram:PostcodeCode', address.postCode),
    text('ram:LineOne', address.line1),
    text('ram:LineTwo', address.line2),
    text('ram:CityName', address.city),
    text('ram:CountryID', address.country),
    text('ram:CountrySubDivisionName', address.region),
  );
}

function buildParty(name: string, party: ElectronicParty): Xml {
  const { contact } = party;
  return element(
    name,
    text('ram:ID', party.identifier),
    text('ram:Name', party.name),
    text('ram:Description', party.legalInformation),
    element('ram:SpecifiedLegalOrganization', text('ram:ID', party.legalRegistration)),
    contact === null
      ? null
      : element(
          'ram:DefinedTradeContact',
          text('ram:PersonName', contact.name),
          element('ram:TelephoneUniversalCommunication', text('ram:CompleteNumber', contact.phone)),
          element('ram:EmailURIUniversalCommunication', text('ram:URIID', contact.email)),
        ),
    buildAddress(party.address),
    party.endpoint === null
      ? null
      : element(
          'ram:URIUniversalCommunication',
          text('ram:URIID', party.endpoint.identifier, { schemeID: party.endpoint.scheme }),
        ),
    element('ram:SpecifiedTaxRegistration', text('ram:ID', party.vatIdentifier, { schemeID: 'VA' })),
    element('ram:SpecifiedTaxRegistration', text('ram:ID', party.taxRegistration, { schemeID: 'FC' })),
  );
}

const buildAdjustment = ({ type, reason, percent, amount, base }: ElectronicAdjustment, tax: Xml = null): Xml =>
  element(
    'ram:SpecifiedTradeAllowanceCharge',
    element('ram:ChargeIndicator', text('udt:Indicator', String(type === 'charge'))),
    text('ram:CalculationPercent', percent),
    text('ram:BasisAmount', base),
    text('ram:ActualAmount', amount),
    text('ram:ReasonCode', REASON_CODES[type]),
    text('ram:Reason', reason),
    tax,
  );

const buildCategory = (name: string, category: string, percent: string | null): Xml =>
  element(
    name,
    text('ram:TypeCode', 'VAT'),
    text('ram:CategoryCode', category),
    text('ram:RateApplicablePercent', percent),
  );

const buildLineSettlement = (line: ElectronicLine): Xml =>
  element(
    'ram:SpecifiedLineTradeSettlement',
    buildCategory('ram:ApplicableTradeTax', line.category, line.percent),
    buildPeriod(line.period),
    line.adjustments.map((adjustment) => buildAdjustment(adjustment)),
    element('ram:SpecifiedTradeSettlementLineMonetarySummation', text('ram:LineTotalAmount', line.net)),
  );

const buildLine = (line: ElectronicLine): Xml =>
  element(
    'ram:IncludedSupplyChainTradeLineItem',
    element('ram:AssociatedDocumentLineDocument', text('ram:LineID', line.id)),
    element(
      'ram:SpecifiedTradeProduct',
      text('ram:SellerAssignedID', line.sellerItemId),
      text('ram:Name', line.name),
      text('ram:Description', line.description),
    ),
    element(
      'ram:SpecifiedLineTradeAgreement',
      element(
        'ram:NetPriceProductTradePrice',
        text('ram:ChargeAmount', line.price),
        text('ram:BasisQuantity', line.priceQuantity, { unitCode: line.unit }),
      ),
    ),
    element('ram:SpecifiedLineTradeDelivery', text('ram:BilledQuantity', line.quantity, { unitCode: line.unit })),
    buildLineSettlement(line),
  );

const buildTaxRow = (tax: ElectronicTax): Xml =>
  element(
    'ram:ApplicableTradeTax',
    text('ram:CalculatedAmount', tax.tax),
    text('ram:TypeCode', 'VAT'),
    text('ram:ExemptionReason', tax.exemptionReason),
    text('ram:BasisAmount', tax.taxable),
    text('ram:CategoryCode', tax.category),
    text('ram:ExemptionReasonCode', tax.exemptionCode),
    text('ram:RateApplicablePercent', tax.percent),
  );

function buildPaymentMeans({ payment }: ElectronicInvoice): Xml {
  if (payment === null) return null;
  return element(
    'ram:SpecifiedTradeSettlementPaymentMeans',
    text('ram:TypeCode', payment.meansCode),
    element(
      'ram:PayeePartyCreditorFinancialAccount',
      text('ram:IBANID', payment.account),
      text('ram:AccountName', payment.accountName),
    ),
    element('ram:PayeeSpecifiedCreditorFinancialInstitution', text('ram:BICID', payment.bic)),
  );
}

function buildSummation({ totals, currencyCode, taxCurrencyCode }: ElectronicInvoice): Xml {
  return element(
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    text('ram:LineTotalAmount', totals.lines),
    text('ram:ChargeTotalAmount', totals.charges),
    text('ram:AllowanceTotalAmount', totals.discounts),
    text('ram:TaxBasisTotalAmount', totals.taxExclusive),
    text('ram:TaxTotalAmount', totals.tax, { currencyID: currencyCode }),
    taxCurrencyCode === null
      ? null
      : text('ram:TaxTotalAmount', totals.taxInTaxCurrency, { currencyID: taxCurrencyCode }),
    text('ram:GrandTotalAmount', totals.taxInclusive),
    text('ram:TotalPrepaidAmount', totals.prepaid),
    text('ram:DuePayableAmount', totals.due),
  );
}

/** The schema of CII has room for one invoice; the notes name several deposits. */
function buildPrecedingInvoice({ precedingInvoices }: ElectronicInvoice): Xml {
  const [precedingInvoice, ...others] = precedingInvoices;
  if (precedingInvoice === undefined || others.length > 0) return null;
  return buildReferencedInvoice('ram:InvoiceReferencedDocument', precedingInvoice);
}

const buildReferencedInvoice = (name: string, { number, issueDate }: { number: string; issueDate: string }): Xml =>
  element(
    name,
    text('ram:IssuerAssignedID', number),
    element('ram:FormattedIssueDateTime', text('qdt:DateTimeString', compactDate(issueDate), DATE)),
  );

/** Deposits with their tax. Only Factur-X Extended has an element for them. */
const buildAdvancePayments = ({ profile, advancePayments }: ElectronicInvoice): Xml[] =>
  profile !== 'extended'
    ? []
    : advancePayments.map(({ amount, taxes, invoice }) =>
        element(
          'ram:SpecifiedAdvancePayment',
          text('ram:PaidAmount', amount),
          taxes.map(({ category, percent, tax }) =>
            element(
              'ram:IncludedTradeTax',
              text('ram:CalculatedAmount', tax),
              text('ram:TypeCode', 'VAT'),
              text('ram:CategoryCode', category),
              text('ram:RateApplicablePercent', percent),
            ),
          ),
          buildReferencedInvoice('ram:InvoiceSpecifiedReferencedDocument', invoice),
        ),
      );

/** Only Factur-X Extended has an element for it. */
const buildEarlyPayment = ({ profile, earlyPayment }: ElectronicInvoice): Xml =>
  profile !== 'extended' || earlyPayment === null
    ? null
    : element(
        'ram:ApplicableTradePaymentDiscountTerms',
        text('ram:BasisPeriodMeasure', String(earlyPayment.days), { unitCode: 'DAY' }),
        text('ram:CalculationPercent', earlyPayment.percent),
        text('ram:ActualDiscountAmount', earlyPayment.amount),
      );

const buildSettlement = (invoice: ElectronicInvoice): Xml =>
  element(
    'ram:ApplicableHeaderTradeSettlement',
    text('ram:PaymentReference', invoice.payment?.remittance ?? null),
    text('ram:TaxCurrencyCode', invoice.taxCurrencyCode),
    text('ram:InvoiceCurrencyCode', invoice.currencyCode),
    buildPaymentMeans(invoice),
    invoice.taxes.map(buildTaxRow),
    buildPeriod(invoice.period),
    invoice.adjustments.map((each) =>
      buildAdjustment(each, buildCategory('ram:CategoryTradeTax', each.category, each.taxPercent)),
    ),
    element(
      'ram:SpecifiedTradePaymentTerms',
      text('ram:Description', invoice.paymentTerms),
      buildDateTime('ram:DueDateDateTime', invoice.dueDate),
      buildEarlyPayment(invoice),
    ),
    buildSummation(invoice),
    buildPrecedingInvoice(invoice),
    buildAdvancePayments(invoice),
  );

/** The schema requires the element even without delivery data. */
function buildDelivery({ delivery: deliveryInfo }: ElectronicInvoice): Xml {
  const name = 'ram:ApplicableHeaderTradeDelivery';
  if (deliveryInfo === null) return `<${name}/>`;
  return element(
    name,
    element(
      'ram:ShipToTradeParty',
      element(
        'ram:PostalTradeAddress',
        text('ram:PostcodeCode', deliveryInfo.postCode ?? null),
        text('ram:CityName', deliveryInfo.city ?? null),
        text('ram:CountryID', deliveryInfo.country),
      ),
    ),
    element('ram:ActualDeliverySupplyChainEvent', buildDateTime('ram:OccurrenceDateTime', deliveryInfo.date)),
  );
}

/**
 * Writes a document as Cross Industry Invoice of UN/CEFACT (D22B), by the binding of CEN/TS 16931-3-3. Factur-X files
 * of the profile EN 16931 embed it.
 */
export function toCiiXml(invoice: ElectronicInvoice): string {
  const specification = PROFILE_SPECIFICATIONS[invoice.profile];
  return buildXmlDocument(
    'rsm:CrossIndustryInvoice',
    NAMESPACES,
    element(
      'rsm:ExchangedDocumentContext',
      element('ram:BusinessProcessSpecifiedDocumentContextParameter', text('ram:ID', specification.businessProcess)),
      element('ram:GuidelineSpecifiedDocumentContextParameter', text('ram:ID', specification.cii)),
    ),
    element(
      'rsm:ExchangedDocument',
      text('ram:ID', invoice.number),
      text('ram:TypeCode', invoice.typeCode),
      buildDateTime('ram:IssueDateTime', invoice.issueDate),
      element('ram:IncludedNote', text('ram:Content', invoice.note)),
    ),
    element(
      'rsm:SupplyChainTradeTransaction',
      invoice.lines.map(buildLine),
      element(
        'ram:ApplicableHeaderTradeAgreement',
        text('ram:BuyerReference', invoice.buyerReference),
        buildParty('ram:SellerTradeParty', invoice.seller),
        buildParty('ram:BuyerTradeParty', invoice.buyer),
        element('ram:BuyerOrderReferencedDocument', text('ram:IssuerAssignedID', invoice.purchaseOrder)),
      ),
      buildDelivery(invoice),
      buildSettlement(invoice),
    ),
  );
}
