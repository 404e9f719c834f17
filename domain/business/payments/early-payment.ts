import { addDays } from '../calendar';
import { Decimal, round } from '../decimal';

/** Terms of a discount for early payment (Skonto), as agreed. */
export interface EarlyPaymentTerms {
  /** Percentage of the grand total, above 0 and below 100. */
  percent: Decimal;
  /** Days after the issue date. */
  days: number;
}

/** The discount for early payment as a document states it. */
export interface EarlyPaymentSnapshot {
  percent: string;
  days: number;
  /** Last day of payment, `YYYY-MM-DD`. */
  until: string;
  /** Discount on the grand total, which includes tax. */
  amount: string;
  /** Grand total less the discount. */
  payable: string;
}

/** Computes the discount on a grand total, rounded half away from zero to `decimals`: 2 % of 119.00 is 2.38. */
export function computeEarlyPayment(
  { percent, days }: EarlyPaymentTerms,
  grandTotal: Decimal,
  issueDate: string,
  decimals: number,
): EarlyPaymentSnapshot {
  const amount = round(grandTotal.times(percent).div(100), decimals);
  return {
    percent: percent.toFixed(),
    days,
    until: addDays(issueDate, days),
    amount: amount.toFixed(),
    payable: grandTotal.minus(amount).toFixed(),
  };
}

/**
 * The discount as XRechnung states it in the payment terms (BR-DE-18): `#SKONTO#TAGE=14#PROZENT=2.00#`, on a line of
 * its own.
 */
export const formatStructuredDiscount = ({ days, percent }: EarlyPaymentSnapshot): string =>
  `#SKONTO#TAGE=${days}#PROZENT=${new Decimal(percent).toFixed(2)}#\n`;
