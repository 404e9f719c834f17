/**
 * The words printed on invoices and credit notes. `interpolate` replaces placeholders of the form `{name}`. An
 * incomplete language does not compile.
 */
export interface DocumentLabels {
  invoice: string;
  creditNote: string;
  from: string;
  billTo: string;
  shipTo: string;
  correctedInvoice: string;
  issueDate: string;
  deliveryDate: string;
  deliveryPeriod: string;
  dueDate: string;
  customerNumber: string;
  purchaseReference: string;
  taxId: string;
  registrationId: string;
  register: string;
  managingDirectors: string;
  shareCapital: string;
  position: string;
  description: string;
  quantity: string;
  unitPrice: string;
  discount: string;
  charge: string;
  taxRate: string;
  amount: string;
  priceIncludesTax: string;
  /** The subtotal at the end of a page, and at the beginning of the next. */
  carriedForward: string;
  broughtForward: string;
  taxSummary: string;
  taxableAmount: string;
  taxAmount: string;
  linesTotal: string;
  subtotal: string;
  taxTotal: string;
  amountDue: string;
  amountCredited: string;
  /** Credit notes since layout version 4. */
  correctionTotal: string;
  correctionTo: string;
  correctionDate: string;
  /** Placeholder: `{currency}`. */
  amountsIn: string;
  /** Placeholders: `{currency}` and `{rate}`. */
  baseCurrencyTax: string;
  payment: string;
  accountHolder: string;
  iban: string;
  bic: string;
  bank: string;
  accountNumber: string;
  routingNumber: string;
  paymentReference: string;
  scanToPay: string;
  reason: string;
  notes: string;
  voided: string;
  /** Stamp of a preview, and its number. */
  draft: string;
  /** Placeholder: `{date}`. */
  voidedOn: string;
  /** Placeholders: `{page}` and `{pages}`. */
  pageOf: string;
}
