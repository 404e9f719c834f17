import type { DecimalText } from '../decimal';
import type { TaxShareText } from '../payments/deductions';

/** A paid deposit invoice that a final invoice deducts. */
export interface DeductedDeposit {
  invoiceId: number;
  number: string;
  issueDate: string;
  net: DecimalText;
  tax: DecimalText;
  total: DecimalText;
  /** Net amount and tax by rate. */
  taxes: TaxShareText[];
}

/** The part of a payment that was received before the invoice. */
export interface AppliedPrepayment {
  paymentId: number;
  date: string;
  amount: DecimalText;
}

/** What was paid before an invoice was issued. */
export interface PrepaidSnapshot {
  deposits: DeductedDeposit[];
  payments: AppliedPrepayment[];
  /** BT-113: the sum of deposits and payments. */
  amount: DecimalText;
  /** BT-115: the grand total less the amount. */
  due: DecimalText;
}
