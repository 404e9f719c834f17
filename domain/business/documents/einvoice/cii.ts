import type { ElectronicInvoice, ElectronicLine, ElectronicParty, ElectronicTax } from './semantic-model';
import { CORE_SPECIFICATION } from './specification';
import { element, text, xmlDocument } from './xml';
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
/** Code of UNTDID 5189: discount. */
const DISCOUNT = '95';

const compact = (date: string): string => date.replaceAll('-', '');

const dateTime = (name: string, date: string | null): Xml =>
  date === null ? null : element(name, text('udt:DateTimeString', compact(date), DATE));

function address(of: ElectronicParty['address']): Xml {
  return element(
    'ram:PostalTradeAddress',
    text('ram:PostcodeCode', of.postCode),
    text('ram:LineOne', of.line1),
    text('ram:LineTwo', of.line2),
    text('ram:CityName', of.city),
    text('ram:CountryID', of.country),
    text('ram:CountrySubDivisionName', of.region),
  );
}

function party(name: string, of: ElectronicParty): Xml {
  const { contact } = of;
  return element(
    name,
    text('ram:ID', of.identifier),
    text('ram:Name', of.name),
    element('ram:SpecifiedLegalOrganization', text('ram:ID', of.legalRegistration)),
    contact === null
      ? null
      : element(
          'ram:DefinedTradeContact',
          text('ram:PersonName', contact.name),
          element('ram:TelephoneUniversalCommunication', text('ram:CompleteNumber', contact.phone)),
          element('ram:EmailURIUniversalCommunication', text('ram:URIID', contact.email)),
        ),
    address(of.address),
    element('ram:URIUniversalCommunication', text('ram:URIID', of.email, { schemeID: 'EM' })),
    element('ram:SpecifiedTaxRegistration', text('ram:ID', of.vatIdentifier, { schemeID: 'VA' })),
    element('ram:SpecifiedTaxRegistration', text('ram:ID', of.taxRegistration, { schemeID: 'FC' })),
  );
}

function lineSettlement(of: ElectronicLine): Xml {
  const { discount } = of;
  return element(
    'ram:SpecifiedLineTradeSettlement',
    element(
      'ram:ApplicableTradeTax',
      text('ram:TypeCode', 'VAT'),
      text('ram:CategoryCode', of.category),
      text('ram:RateApplicablePercent', of.percent),
    ),
    discount === null
      ? null
      : element(
          'ram:SpecifiedTradeAllowanceCharge',
          element('ram:ChargeIndicator', text('udt:Indicator', 'false')),
          text('ram:CalculationPercent', discount.percent),
          text('ram:BasisAmount', discount.base),
          text('ram:ActualAmount', discount.amount),
          text('ram:ReasonCode', DISCOUNT),
          text('ram:Reason', discount.reason),
        ),
    element('ram:SpecifiedTradeSettlementLineMonetarySummation', text('ram:LineTotalAmount', of.net)),
  );
}

const line = (of: ElectronicLine): Xml =>
  element(
    'ram:IncludedSupplyChainTradeLineItem',
    element('ram:AssociatedDocumentLineDocument', text('ram:LineID', of.id)),
    element('ram:SpecifiedTradeProduct', text('ram:SellerAssignedID', of.sellerItemId), text('ram:Name', of.name)),
    element(
      'ram:SpecifiedLineTradeAgreement',
      element(
        'ram:NetPriceProductTradePrice',
        text('ram:ChargeAmount', of.price),
        text('ram:BasisQuantity', of.priceQuantity, { unitCode: of.unit }),
      ),
    ),
    element('ram:SpecifiedLineTradeDelivery', text('ram:BilledQuantity', of.quantity, { unitCode: of.unit })),
    lineSettlement(of),
  );

const taxRow = (tax: ElectronicTax): Xml =>
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

function paymentMeans({ payment }: ElectronicInvoice): Xml {
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

function summation({ totals, currencyCode, taxCurrencyCode }: ElectronicInvoice): Xml {
  return element(
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    text('ram:LineTotalAmount', totals.lines),
    text('ram:TaxBasisTotalAmount', totals.taxExclusive),
    text('ram:TaxTotalAmount', totals.tax, { currencyID: currencyCode }),
    taxCurrencyCode === null
      ? null
      : text('ram:TaxTotalAmount', totals.taxInTaxCurrency, { currencyID: taxCurrencyCode }),
    text('ram:GrandTotalAmount', totals.taxInclusive),
    text('ram:DuePayableAmount', totals.due),
  );
}

function preceding({ precedingInvoice }: ElectronicInvoice): Xml {
  if (precedingInvoice === null) return null;
  return element(
    'ram:InvoiceReferencedDocument',
    text('ram:IssuerAssignedID', precedingInvoice.number),
    element('ram:FormattedIssueDateTime', text('qdt:DateTimeString', compact(precedingInvoice.issueDate), DATE)),
  );
}

const settlement = (invoice: ElectronicInvoice): Xml =>
  element(
    'ram:ApplicableHeaderTradeSettlement',
    text('ram:PaymentReference', invoice.payment?.remittance ?? null),
    text('ram:TaxCurrencyCode', invoice.taxCurrencyCode),
    text('ram:InvoiceCurrencyCode', invoice.currencyCode),
    paymentMeans(invoice),
    invoice.taxes.map(taxRow),
    element(
      'ram:SpecifiedTradePaymentTerms',
      text('ram:Description', invoice.paymentTerms),
      dateTime('ram:DueDateDateTime', invoice.dueDate),
    ),
    summation(invoice),
    preceding(invoice),
  );

/** The schema wants the element even where nothing is said of delivery. */
function delivery({ delivery: of }: ElectronicInvoice): Xml {
  const name = 'ram:ApplicableHeaderTradeDelivery';
  if (of === null) return `<${name}/>`;
  return element(
    name,
    element('ram:ShipToTradeParty', element('ram:PostalTradeAddress', text('ram:CountryID', of.country))),
    element('ram:ActualDeliverySupplyChainEvent', dateTime('ram:OccurrenceDateTime', of.date)),
  );
}

/**
 * The document as Cross Industry Invoice of UN/CEFACT (D22B), the binding of CEN/TS 16931-3-3: what a Factur-X file of
 * the profile EN 16931 carries.
 */
export function ciiXml(invoice: ElectronicInvoice): string {
  return xmlDocument(
    'rsm:CrossIndustryInvoice',
    NAMESPACES,
    element(
      'rsm:ExchangedDocumentContext',
      element('ram:GuidelineSpecifiedDocumentContextParameter', text('ram:ID', CORE_SPECIFICATION)),
    ),
    element(
      'rsm:ExchangedDocument',
      text('ram:ID', invoice.number),
      text('ram:TypeCode', invoice.typeCode),
      dateTime('ram:IssueDateTime', invoice.issueDate),
      element('ram:IncludedNote', text('ram:Content', invoice.note)),
    ),
    element(
      'rsm:SupplyChainTradeTransaction',
      invoice.lines.map(line),
      element(
        'ram:ApplicableHeaderTradeAgreement',
        party('ram:SellerTradeParty', invoice.seller),
        party('ram:BuyerTradeParty', invoice.buyer),
        element('ram:BuyerOrderReferencedDocument', text('ram:IssuerAssignedID', invoice.purchaseOrder)),
      ),
      delivery(invoice),
      settlement(invoice),
    ),
  );
}
