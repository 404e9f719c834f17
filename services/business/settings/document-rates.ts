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

/** The rate for a new document, which rejects inactive currencies; payments still accept them. */
export async function findDocumentExchangeRate(
  caller: BusinessCaller,
  currencyCode: string,
  date: string,
): Promise<Decimal | { problem: string }> {
  const { organisationId, company } = caller;
  const inactive = { organisationId, code: currencyCode, active: false };
  if (currencyCode !== company.baseCurrencyCode && (await Currency.exists(inactive)) !== null)
    return { problem: 'is an inactive currency' };
  return findExchangeRate(caller, currencyCode, date);
}
