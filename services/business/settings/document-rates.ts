import { addDays } from '../../../domain/business/calendar';
import { Decimal } from '../../../domain/business/decimal';
import { Currency } from '../../../models/business/settings/currency';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { ExchangeRate } from '../../../models/business/settings/exchange-rate';
import type { ExchangeRateRecord } from '../../../models/business/settings/exchange-rate';
import type { BusinessCaller } from '../access/caller';

/**
 * Units of base currency per unit of `currencyCode`: the latest rate on or before `date`, unless it is older than the
 * company accepts.
 * @returns the rate, or the problem of the field
 */
export async function findExchangeRate(
  caller: BusinessCaller,
  currencyCode: string,
  date: string,
): Promise<Decimal | { problem: string }> {
  const { organisationId, company } = caller;
  if (currencyCode === company.baseCurrencyCode) return new Decimal(1);
  const latest = await ExchangeRate.findOne({ organisationId, currencyCode, date: { $lte: date } })
    .sort({ date: -1 })
    .lean<ExchangeRateRecord>();
  const oldestAccepted = addDays(date, -company.maxExchangeRateAgeDays);
  if (latest && latest.date >= oldestAccepted) return fromDecimal128(latest.rate);
  return { problem: `has no exchange rate to ${company.baseCurrencyCode} from ${oldestAccepted} to ${date}` };
}

/** The problem of a currency that enters no new document; null if there is none. */
export async function findCurrencyProblem(
  { organisationId, company }: BusinessCaller,
  currencyCode: string,
): Promise<string | null> {
  if (currencyCode === company.baseCurrencyCode) return null;
  const inactive = await Currency.exists({ organisationId, code: currencyCode, active: false });
  return inactive === null ? null : 'is an inactive currency';
}

/** The rate for a new document, which rejects inactive currencies; payments still accept them. */
export async function findDocumentExchangeRate(
  caller: BusinessCaller,
  currencyCode: string,
  date: string,
): Promise<Decimal | { problem: string }> {
  const problem = await findCurrencyProblem(caller, currencyCode);
  return problem === null ? findExchangeRate(caller, currencyCode, date) : { problem };
}
