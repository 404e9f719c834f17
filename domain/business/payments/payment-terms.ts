import { addDays, endOfMonth } from '../calendar';

/** Rule for the due date: days are added to the issue date; then the end of that month may be taken. */
interface PaymentTerm {
  days: number;
  endOfMonth: boolean;
}

const TERMS = {
  CASH: { days: 0, endOfMonth: false },
  NET7: { days: 7, endOfMonth: false },
  NET10: { days: 10, endOfMonth: false },
  NET14: { days: 14, endOfMonth: false },
  NET15: { days: 15, endOfMonth: false },
  NET20: { days: 20, endOfMonth: false },
  NET30: { days: 30, endOfMonth: false },
  NET45: { days: 45, endOfMonth: false },
  NET60: { days: 60, endOfMonth: false },
  NET90: { days: 90, endOfMonth: false },
  NET120: { days: 120, endOfMonth: false },
  EOM: { days: 0, endOfMonth: true },
  NET30EOM: { days: 30, endOfMonth: true },
  NET60EOM: { days: 60, endOfMonth: true },
} as const satisfies Record<string, PaymentTerm>;

export type PaymentTermsCode = keyof typeof TERMS;

export const PAYMENT_TERMS_CODES: readonly PaymentTermsCode[] = Object.keys(TERMS).filter(isPaymentTermsCode);

/** Whether a text is the code of payment terms, such as `NET30`. */
export function isPaymentTermsCode(code: string): code is PaymentTermsCode {
  return Object.hasOwn(TERMS, code);
}

/** Computes the due date of a document issued on `issueDate`, both `YYYY-MM-DD`; never before the issue date. */
export function computeDueDate(issueDate: string, code: PaymentTermsCode): string {
  const term: PaymentTerm = TERMS[code];
  const date = addDays(issueDate, term.days);
  return term.endOfMonth ? endOfMonth(date) : date;
}
