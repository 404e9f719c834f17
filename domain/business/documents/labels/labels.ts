/**
 * The words printed on invoices and credit notes. `{name}` marks a place that `fill` replaces. A language is complete
 * or it does not compile.
 */
export interface InvoiceLabels {
  invoice: string;
  creditNote: string;
  from: string;
  billTo: string;
  shipTo: string;
  correctedInvoice: string;
  issueDate: string;
  deliveryDate: string;
  dueDate: string;
  customerNumber: string;
  purchaseReference: string;
  taxId: string;
  registrationId: string;
  position: string;
  description: string;
  quantity: string;
  unitPrice: string;
  discount: string;
  taxRate: string;
  amount: string;
  priceIncludesTax: string;
  taxSummary: string;
  taxableAmount: string;
  taxAmount: string;
  subtotal: string;
  taxTotal: string;
  amountDue: string;
  amountCredited: string;
  /** Takes `{currency}`. */
  amountsIn: string;
  /** Takes `{currency}` and `{rate}`. */
  baseCurrencyTax: string;
  payment: string;
  accountHolder: string;
  iban: string;
  bic: string;
  bank: string;
  paymentReference: string;
  scanToPay: string;
  reason: string;
  notes: string;
  voided: string;
  /** Takes `{date}`. */
  voidedOn: string;
  /** Takes `{page}` and `{pages}`. */
  pageOf: string;
}
