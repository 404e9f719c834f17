import { Types } from 'mongoose';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { conflictError } from '../../../domain/errors';
import { Currency } from '../../../models/business/settings/currency';
import type { CurrencyRecord } from '../../../models/business/settings/currency';
import { reserveNumber } from '../../platform/transactions/counters';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { holdBaseCurrency } from '../documents/posting-period';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { createRecord, getRecord, insertRecord, listRecords, replaceRecord, updateRecord } from '../records/records';
import type { RecordKind, RecordReference } from '../records/records';

const KIND: RecordKind<CurrencyRecord> = {
  model: Currency,
  name: 'currency',
  counter: 'currencies',
  unique: 'code',
  where: (key) => key,
};

export const CURRENCY_SORT_FIELDS = ['id', 'code', 'createdAt'] as const;

const buildCurrencyRecord = (caller: BusinessCaller, code: string, id: number, now: Date): CurrencyRecord => ({
  _id: new Types.ObjectId(),
  organisationId: caller.organisationId,
  id,
  code,
  active: true,
  tokens: buildSearchTokens([code]),
  version: 1,
  createdAt: now,
  updatedAt: now,
});

/**
 * Adds a currency.
 * @throws AppError 409 `code_taken`, also for an inactive currency, which must be activated instead
 */
export const addCurrency = (
  platform: Platform,
  caller: BusinessCaller,
  code: string,
  use: IdempotentUse | undefined,
): Promise<CurrencyRecord> =>
  createRecord(platform, caller, KIND, use, (id, now) => buildCurrencyRecord(caller, code, id, now));

/** @throws AppError 404, also for the id of another organisation */
export const getCurrency = (caller: BusinessCaller, id: number): Promise<CurrencyRecord> => getRecord(caller, KIND, id);

/**
 * Activates or deactivates a currency. An inactive currency accepts no new exchange rates and cannot be used in new
 * documents.
 * @throws AppError 404, 409 `base_currency` or `base_currency_changed`, 412
 */
export const setCurrencyActive = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  active: boolean | undefined,
): Promise<CurrencyRecord> =>
  updateRecord(platform, caller, KIND, at, { fields: ['active'] }, async (current, now, unit) => {
    if (active === undefined || active === current.active) return null;
    await holdBaseCurrency(unit, caller);
    if (!active && current.code === caller.company.baseCurrencyCode)
      throw conflictError('base_currency', 'active: the base currency is always active.', {
        fields: [{ field: 'active', problem: 'must be true for the base currency' }],
      });
    return { ...current, active, updatedAt: now };
  });

/** One page of currencies with the exact total. */
export const listCurrencies = (
  caller: BusinessCaller,
  filter: ActiveFilter & CreatedFilter,
  query: ListQuery,
): Promise<ListPage<CurrencyRecord>> => listRecords(caller, KIND, filter, query);

/** Reserves an id for a currency that may be new. Like all ids, it is reserved before the transaction. */
export const reserveCurrencyNumber = (caller: BusinessCaller): Promise<number> =>
  reserveNumber(caller.organisationId, KIND.counter);

/**
 * Ensures in a transaction that the company has an active currency.
 * @param currency its code, and the id for a new currency
 * @param whenInactive whether an inactive currency is an error or is activated
 * @throws AppError 409 `currency_inactive` with `reject`
 */
export async function ensureCurrency(
  unit: UnitOfWork,
  caller: BusinessCaller,
  currency: { code: string; reservedId: number; now: Date },
  whenInactive: 'reject' | 'activate',
): Promise<void> {
  const { code, reservedId, now } = currency;
  const existing = await Currency.findOne({ organisationId: caller.organisationId, code })
    .session(unit.mongoSession)
    .lean<CurrencyRecord>();
  if (existing === null) return insertRecord(unit, caller, KIND, buildCurrencyRecord(caller, code, reservedId, now));
  if (existing.active) return;
  if (whenInactive === 'reject')
    throw conflictError(
      'currency_inactive',
      `currencyCode: ${code} is inactive; PUT /api/config/currencies/${existing.id} with active: true first.`,
      { fields: [{ field: 'currencyCode', problem: 'is an inactive currency' }] },
    );
  await replaceRecord(unit, caller, KIND, { ...existing, active: true, updatedAt: now }, { fields: ['active'] });
}
