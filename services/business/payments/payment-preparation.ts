import { currencyDecimals } from '../../../domain/business/currencies';
import { MAX_AMOUNT, round, sum } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { Side } from '../../../domain/business/payments/open-items';
import type { PaymentMethod } from '../../../domain/business/payments/payments';
import { invalid } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import type { Platform } from '../../platform/platform';
import { afterToday, companyToday } from '../settings/company';
import type { BusinessCaller } from '../access/caller';
import { exchangeRateOn } from '../settings/document-rates';
import { findParty, PARTY_FIELD } from '../parties/parties';
import type { PartyHead } from '../parties/parties';

export interface AllocationInput {
  /** Invoice, or payable. */
  documentId: number;
  /** In the payment's currency. */
  amount: Decimal;
  /** In the document's currency. @default `amount`, where the currencies are one */
  settled?: Decimal | undefined;
}

export interface PaymentInput {
  partyId: number;
  amount: Decimal;
  /** @default the company's base currency */
  currencyCode?: string | undefined;
  /** `YYYY-MM-DD`. @default today in the company's zone */
  date?: string | undefined;
  method: PaymentMethod;
  reference?: string | undefined;
  /** Undefined: oldest due first; empty: all of it stays credit. */
  allocations?: AllocationInput[] | undefined;
}

export interface PreparedPayment {
  side: Side;
  party: PartyHead;
  amount: Decimal;
  amountBase: Decimal;
  currencyCode: string;
  exchangeRate: Decimal;
  date: string;
  method: PaymentMethod;
  reference: string | null;
  allocations: AllocationInput[] | null;
}

const tooFine = (amount: Decimal, currencyCode: string): boolean =>
  amount.decimalPlaces() > currencyDecimals(currencyCode);

function checkAmounts(input: PaymentInput, currencyCode: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const fine = `must have at most ${currencyDecimals(currencyCode)} decimals in ${currencyCode}`;
  if (!input.amount.gt(0)) problems.push({ field: 'amount', problem: 'must be greater than 0' });
  if (tooFine(input.amount, currencyCode)) problems.push({ field: 'amount', problem: fine });
  const { allocations = [] } = input;
  allocations.forEach(({ documentId, amount, settled }, index) => {
    const at = `allocations[${index}]`;
    if (!amount.gt(0)) problems.push({ field: `${at}.amount`, problem: 'must be greater than 0' });
    if (tooFine(amount, currencyCode)) problems.push({ field: `${at}.amount`, problem: fine });
    if (settled !== undefined && !settled.gt(0))
      problems.push({ field: `${at}.settled`, problem: 'must be greater than 0' });
    if (allocations.findIndex((other) => other.documentId === documentId) !== index)
      problems.push({ field: `${at}.documentId`, problem: 'is named twice' });
  });
  if (sum(allocations.map(({ amount }) => amount)).gt(input.amount))
    problems.push({ field: 'allocations', problem: 'add up to more than the amount' });
  return problems;
}

/**
 * Works a payment out as far as it can be without the documents it settles. Writes nothing.
 * @throws AppError 400 naming every field that is wrong
 */
export async function preparePayment(
  platform: Platform,
  caller: BusinessCaller,
  side: Side,
  input: PaymentInput,
): Promise<PreparedPayment> {
  const { baseCurrencyCode } = caller.company;
  const today = companyToday(platform, caller);
  const date = input.date ?? today;
  const currencyCode = input.currencyCode ?? baseCurrencyCode;
  const problems = checkAmounts(input, currencyCode);
  const [party, rate] = await Promise.all([
    findParty(caller, side, input.partyId),
    exchangeRateOn(caller, currencyCode, date),
  ]);
  if (party === null)
    problems.push({
      field: PARTY_FIELD[side],
      problem: `is not a ${side === 'receivable' ? 'customer' : 'vendor'} of the company`,
    });
  if (date > today) problems.push({ field: 'date', problem: afterToday(today) });
  if ('problem' in rate) throw invalid([...problems, { field: 'currencyCode', problem: rate.problem }]);
  const amountBase = round(input.amount.times(rate), currencyDecimals(baseCurrencyCode));
  if (amountBase.gt(MAX_AMOUNT))
    problems.push({ field: 'amount', problem: `must be at most ${MAX_AMOUNT.toFixed()} in ${baseCurrencyCode}` });
  if (party === null || problems.length > 0) throw invalid(problems);
  return {
    side,
    party,
    amount: input.amount,
    amountBase,
    currencyCode,
    exchangeRate: rate,
    date,
    method: input.method,
    reference: input.reference ?? null,
    allocations: input.allocations ?? null,
  };
}
