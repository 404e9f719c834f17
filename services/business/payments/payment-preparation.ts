import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { MAX_AMOUNT, round, sum } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import type { PaymentMethod } from '../../../domain/business/payments/payments';
import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import type { Platform } from '../../platform/platform';
import { formatFutureDateProblem, getCompanyToday } from '../settings/company';
import type { BusinessCaller } from '../access/caller';
import { findExchangeRate } from '../settings/document-rates';
import { findParty, PARTY_FIELD } from '../parties/parties';
import type { PartyHead } from '../parties/parties';

export interface AllocationInput {
  /** Id of the invoice or payable. */
  documentId: number;
  /** Amount in the payment's currency. */
  amount: Decimal;
  /** Amount in the document's currency. @default `amount`, if both are in one currency */
  settled?: Decimal | undefined;
  /**
   * Discount for early payment in the document's currency. @default the discount of the document, if it is exactly what
   * the payment leaves open
   */
  discount?: Decimal | undefined;
}

export interface PaymentInput {
  partyId: number;
  /** Request field of the party, for error messages. @default `customerId` or `vendorId` */
  partyField?: string | undefined;
  amount: Decimal;
  /** @default the company's base currency */
  currencyCode?: string | undefined;
  /** `YYYY-MM-DD`. @default today in the company's zone */
  date?: string | undefined;
  /** Field of the date, for error messages. @default `date` */
  dateField?: string | undefined;
  method: PaymentMethod;
  reference?: string | undefined;
  /** If undefined, the oldest due documents are settled first; if empty, the whole amount stays credit. */
  allocations?: AllocationInput[] | undefined;
}

export interface PreparedPayment {
  side: LedgerSide;
  party: PartyHead;
  amount: Decimal;
  amountBase: Decimal;
  currencyCode: string;
  exchangeRate: Decimal;
  date: string;
  dateField: string;
  method: PaymentMethod;
  reference: string | null;
  allocations: AllocationInput[] | null;
}

const exceedsPrecision = (amount: Decimal, currencyCode: string): boolean =>
  amount.decimalPlaces() > getCurrencyDecimals(currencyCode);

function checkAmounts(input: PaymentInput, currencyCode: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const precisionProblem = `must have at most ${getCurrencyDecimals(currencyCode)} decimals in ${currencyCode}`;
  if (!input.amount.gt(0)) problems.push({ field: 'amount', problem: 'must be greater than 0' });
  if (exceedsPrecision(input.amount, currencyCode)) problems.push({ field: 'amount', problem: precisionProblem });
  const { allocations = [] } = input;
  allocations.forEach(({ documentId, amount, settled }, index) => {
    const at = `allocations[${index}]`;
    if (!amount.gt(0)) problems.push({ field: `${at}.amount`, problem: 'must be greater than 0' });
    if (exceedsPrecision(amount, currencyCode)) problems.push({ field: `${at}.amount`, problem: precisionProblem });
    if (settled !== undefined && !settled.gt(0))
      problems.push({ field: `${at}.settled`, problem: 'must be greater than 0' });
    if (allocations.findIndex((other) => other.documentId === documentId) !== index)
      problems.push({ field: `${at}.documentId`, problem: 'occurs twice' });
  });
  if (sum(allocations.map(({ amount }) => amount)).gt(input.amount))
    problems.push({ field: 'allocations', problem: 'add up to more than the amount' });
  return problems;
}

/**
 * Computes the parts of a payment that do not depend on the documents it settles. Writes nothing.
 * @throws AppError 400 naming every invalid field
 */
export async function preparePayment(
  platform: Platform,
  caller: BusinessCaller,
  side: LedgerSide,
  input: PaymentInput,
): Promise<PreparedPayment> {
  const { baseCurrencyCode } = caller.company;
  const today = getCompanyToday(platform, caller);
  const { date = today, dateField = 'date' } = input;
  const currencyCode = input.currencyCode ?? baseCurrencyCode;
  const problems = checkAmounts(input, currencyCode);
  const [party, rate] = await Promise.all([
    findParty(caller, side, input.partyId),
    findExchangeRate(caller, currencyCode, date),
  ]);
  if (party === null)
    problems.push({
      field: input.partyField ?? PARTY_FIELD[side],
      problem: `is not a ${side === 'receivable' ? 'customer' : 'vendor'} of the company`,
    });
  if (date > today) problems.push({ field: dateField, problem: formatFutureDateProblem(today) });
  if ('problem' in rate) throw invalidRequestError([...problems, { field: 'currencyCode', problem: rate.problem }]);
  const amountBase = round(input.amount.times(rate), getCurrencyDecimals(baseCurrencyCode));
  if (amountBase.gt(MAX_AMOUNT))
    problems.push({ field: 'amount', problem: `must be at most ${MAX_AMOUNT.toFixed()} in ${baseCurrencyCode}` });
  if (party === null || problems.length > 0) throw invalidRequestError(problems);
  return {
    side,
    party,
    amount: input.amount,
    amountBase,
    currencyCode,
    exchangeRate: rate,
    date,
    dateField,
    method: input.method,
    reference: input.reference ?? null,
    allocations: input.allocations ?? null,
  };
}
