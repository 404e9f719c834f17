import type { ElectronicInvoice, ElectronicLine, ElectronicParty, ElectronicTax } from './semantic-model';
import { CORE_SPECIFICATION } from './specification';
import { element, text, xmlDocument } from './xml';
import type { Xml } from './xml';

const OASIS = 'urn:oasis:names:specification:ubl:schema:xsd';

/** Code of UNTDID 5189: discount. */
const DISCOUNT = '95';

/** Elements that an invoice and a credit note call differently. */
interface Names {
  root: 'Invoice' | 'CreditNote';
  typeCode: string;
  line: string;
  quantity: string;
}

const NAMES: Readonly<Record<ElectronicInvoice['typeCode'], Names>> = {
  380: {
    root: 'Invoice',
    typeCode: 'cbc:InvoiceTypeCode',
    line: 'cac:InvoiceLine',
    quantity: 'cbc:InvoicedQuantity',
  },
  381: {
    root: 'CreditNote',
    typeCode: 'cbc:CreditNoteTypeCode',
    line: 'cac:CreditNoteLine',
    quantity: 'cbc:CreditedQuantity',
  },
};

const country = (code: string | null): Xml => element('cac:Country', text('cbc:IdentificationCode', code));

const taxNumber = (number: string | null, scheme: 'VAT' | 'FC'): Xml =>
  number === null
    ? null
    : element('cac:PartyTaxScheme', text('cbc:CompanyID', number), element('cac:TaxScheme', text('cbc:ID', scheme)));

function party(of: ElectronicParty): Xml {
  const { address, contact } = of;
  return element(
    'cac:Party',
    text('cbc:EndpointID', of.email, { schemeID: 'EM' }),
    element('cac:PartyIdentification', text('cbc:ID', of.identifier)),
    element(
      'cac:PostalAddress',
      text('cbc:StreetName', address.line1),
      text('cbc:AdditionalStreetName', address.line2),
      text('cbc:CityName', address.city),
      text('cbc:PostalZone', address.postCode),
      text('cbc:CountrySubentity', address.region),
      country(address.country),
    ),
    taxNumber(of.vatIdentifier, 'VAT'),
    taxNumber(of.taxRegistration, 'FC'),
    element('cac:PartyLegalEntity', text('cbc:RegistrationName', of.name), text('cbc:CompanyID', of.legalRegistration)),
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

const vat = (): Xml => element('cac:TaxScheme', text('cbc:ID', 'VAT'));

const taxRow = (tax: ElectronicTax, currencyID: string): Xml =>
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
      vat(),
    ),
  );

function line(of: ElectronicLine, names: Names, currencyID: string): Xml {
  const { discount } = of;
  return element(
    names.line,
    text('cbc:ID', of.id),
    text(names.quantity, of.quantity, { unitCode: of.unit }),
    text('cbc:LineExtensionAmount', of.net, { currencyID }),
    discount === null
      ? null
      : element(
          'cac:AllowanceCharge',
          text('cbc:ChargeIndicator', 'false'),
          text('cbc:AllowanceChargeReasonCode', DISCOUNT),
          text('cbc:AllowanceChargeReason', discount.reason),
          text('cbc:MultiplierFactorNumeric', discount.percent),
          text('cbc:Amount', discount.amount, { currencyID }),
          text('cbc:BaseAmount', discount.base, { currencyID }),
        ),
    element(
      'cac:Item',
      text('cbc:Name', of.name),
      element('cac:SellersItemIdentification', text('cbc:ID', of.sellerItemId)),
      element('cac:ClassifiedTaxCategory', text('cbc:ID', of.category), text('cbc:Percent', of.percent), vat()),
    ),
    element(
      'cac:Price',
      text('cbc:PriceAmount', of.price, { currencyID }),
      text('cbc:BaseQuantity', of.priceQuantity, { unitCode: of.unit }),
    ),
  );
}

/** Where the money goes, and in which words. */
function payment({ payment: transfer, paymentTerms }: ElectronicInvoice): Xml[] {
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

function references(invoice: ElectronicInvoice): Xml[] {
  const preceding = invoice.precedingInvoice;
  return [
    element('cac:OrderReference', text('cbc:ID', invoice.purchaseOrder)),
    element(
      'cac:BillingReference',
      element(
        'cac:InvoiceDocumentReference',
        text('cbc:ID', preceding?.number ?? null),
        text('cbc:IssueDate', preceding?.issueDate ?? null),
      ),
    ),
  ];
}

function delivery({ delivery: of }: ElectronicInvoice): Xml {
  if (of === null) return null;
  return element(
    'cac:Delivery',
    text('cbc:ActualDeliveryDate', of.date),
    element('cac:DeliveryLocation', element('cac:Address', country(of.country))),
  );
}

function amounts({ totals, taxes, currencyCode, taxCurrencyCode }: ElectronicInvoice): Xml[] {
  const currencyID = currencyCode;
  return [
    element(
      'cac:TaxTotal',
      text('cbc:TaxAmount', totals.tax, { currencyID }),
      taxes.map((tax) => taxRow(tax, currencyID)),
    ),
    taxCurrencyCode === null
      ? null
      : element('cac:TaxTotal', text('cbc:TaxAmount', totals.taxInTaxCurrency, { currencyID: taxCurrencyCode })),
    element(
      'cac:LegalMonetaryTotal',
      text('cbc:LineExtensionAmount', totals.lines, { currencyID }),
      text('cbc:TaxExclusiveAmount', totals.taxExclusive, { currencyID }),
      text('cbc:TaxInclusiveAmount', totals.taxInclusive, { currencyID }),
      text('cbc:PayableAmount', totals.due, { currencyID }),
    ),
  ];
}

/** The document in UBL 2.1 (ISO/IEC 19845): an Invoice, or a CreditNote; the binding of CEN/TS 16931-3-2. */
export function ublXml(invoice: ElectronicInvoice): string {
  const names = NAMES[invoice.typeCode];
  const namespaces = {
    '': `${OASIS}:${names.root}-2`,
    cac: `${OASIS}:CommonAggregateComponents-2`,
    cbc: `${OASIS}:CommonBasicComponents-2`,
  };
  return xmlDocument(
    names.root,
    namespaces,
    text('cbc:CustomizationID', CORE_SPECIFICATION),
    text('cbc:ID', invoice.number),
    text('cbc:IssueDate', invoice.issueDate),
    text('cbc:DueDate', invoice.dueDate),
    text(names.typeCode, invoice.typeCode),
    text('cbc:Note', invoice.note),
    text('cbc:DocumentCurrencyCode', invoice.currencyCode),
    text('cbc:TaxCurrencyCode', invoice.taxCurrencyCode),
    references(invoice),
    element('cac:AccountingSupplierParty', party(invoice.seller)),
    element('cac:AccountingCustomerParty', party(invoice.buyer)),
    delivery(invoice),
    payment(invoice),
    amounts(invoice),
    invoice.lines.map((each) => line(each, names, invoice.currencyCode)),
  );
}
