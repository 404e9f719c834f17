import { Types } from 'mongoose';
import type { Decimal } from '../../../domain/business/decimal';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { invalidFieldError } from '../../../domain/errors';
import { toDecimal128 } from '../../../models/business/decimal128';
import { ExchangeRate } from '../../../models/business/settings/exchange-rate';
import type { ExchangeRateRecord } from '../../../models/business/settings/exchange-rate';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { holdBaseCurrency } from '../documents/posting-period';
import { computeToday } from './company';
import { buildDayRange, readPage } from '../records/lists';
import type { ListPage, ListQuery } from '../records/lists';
import { createRecord, getRecord, updateRecord } from '../records/records';
import type { RecordKind, RecordReference } from '../records/records';
import { ensureCurrency, reserveCurrencyNumber } from './currencies';

const KIND: RecordKind<ExchangeRateRecord> = {
  model: ExchangeRate,
  name: 'exchange_rate',
  counter: 'exchange-rates',
  unique: 'date',
  where: (key) => key,
};

export const EXCHANGE_RATE_SORT_FIELDS = ['id', 'date', 'createdAt'] as const;

export interface ExchangeRateInput {
  currencyCode: string;
  /** `YYYY-MM-DD`. @default today in the time zone of the company */
  date?: string | undefined;
  /** Units of base currency per 1 unit of `currencyCode`. */
  rate: Decimal;
}

/**
 * Records the rate of a day, and adds the currency if it is new. Issued documents keep the rate they were issued with.
 * @throws AppError 400 for the base currency, 409 `date_taken`, `currency_inactive` or `base_currency_changed`
 */
export async function addExchangeRate(
  platform: Platform,
  caller: BusinessCaller,
  input: ExchangeRateInput,
  use: IdempotentUse | undefined,
): Promise<ExchangeRateRecord> {
  const { organisationId, company } = caller;
  const { currencyCode } = input;
  if (currencyCode === company.baseCurrencyCode)
    throw invalidFieldError('currencyCode', 'is the base currency, whose rate is always 1');
  const reservedId = await reserveCurrencyNumber(caller);
  const build = (id: number, now: Date): ExchangeRateRecord => ({
    _id: new Types.ObjectId(),
    organisationId,
    id,
    currencyCode,
    date: input.date ?? computeToday(company, now),
    rate: toDecimal128(input.rate),
    tokens: buildSearchTokens([currencyCode]),
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
  return createRecord(platform, caller, KIND, use, build, async (unit, record) => {
    await holdBaseCurrency(unit, caller);
    await ensureCurrency(unit, caller, { code: currencyCode, reservedId, now: record.createdAt }, 'reject');
  });
}

/** @throws AppError 404, also for the id of another organisation */
export const getExchangeRate = (caller: BusinessCaller, id: number): Promise<ExchangeRateRecord> =>
  getRecord(caller, KIND, id);

/** Corrects a rate. Issued documents keep the rate they were issued with. @throws AppError 404, 412 */
export const correctExchangeRate = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  rate: Decimal | undefined,
): Promise<ExchangeRateRecord> =>
  updateRecord(platform, caller, KIND, at, { fields: ['rate'] }, (current, now) =>
    rate === undefined ? null : { ...current, rate: toDecimal128(rate), updatedAt: now },
  );

export interface ExchangeRateFilter {
  currencyCode?: string | undefined;
  /** Days, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

/** One page of exchange rates with the exact total. */
export function listExchangeRates(
  caller: BusinessCaller,
  filter: ExchangeRateFilter,
  query: ListQuery,
): Promise<ListPage<ExchangeRateRecord>> {
  const { currencyCode, from, to } = filter;
  const date = buildDayRange({ from, to });
  return readPage(
    ExchangeRate,
    {
      organisationId: caller.organisationId,
      ...(currencyCode === undefined ? {} : { currencyCode }),
      ...(date === null ? {} : { date }),
    },
    query,
  );
}
