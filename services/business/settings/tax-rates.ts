import { Types } from 'mongoose';
import { isDeepStrictEqual } from 'node:util';
import { Decimal, sum } from '../../../domain/business/decimal';
import type { TaxComponent } from '../../../domain/business/invoices/tax-components';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { findSuccessorProblem, validateTaxRate } from '../../../domain/business/settings/tax-rates';
import type { TaxProfile, TaxRateScope, TaxTranslations } from '../../../domain/business/settings/tax-profiles';
import type { TaxCategory } from '../../../domain/business/settings/tax-rates';
import { conflictError, invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import { SalesOrder } from '../../../models/business/orders/sales-order';
import { Payable, PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { guardTaxRates } from './tax-rate-uses';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { getRecord, listRecords, omitUndefined, prepareAndCreateRecord, updateRecord } from '../records/records';
import type { RecordKind, RecordReference } from '../records/records';
import { requireNotDefault } from './company-defaults';

const KIND: RecordKind<TaxRateRecord> = {
  model: TaxRate,
  name: 'tax_rate',
  counter: 'tax-rates',
  unique: null,
  where: (key) => key,
};

export const TAX_RATE_SORT_FIELDS = ['id', 'name', 'createdAt'] as const;

/** The fields that a client can set; undefined leaves a field as it is, or at its default. */
export interface TaxRateInput {
  name?: string | undefined;
  percent?: Decimal | undefined;
  category?: TaxCategory | undefined;
  exemptionReason?: string | null | undefined;
  profile?: TaxProfile | null | undefined;
  appliesTo?: TaxRateScope | null | undefined;
  components?: TaxComponent[] | null | undefined;
  translations?: TaxTranslations | null | undefined;
  /** `YYYY-MM-DD` */
  validFrom?: string | null | undefined;
  validTo?: string | null | undefined;
  successorId?: number | null | undefined;
  active?: boolean | undefined;
}

/** A tax rate that may have no id yet. */
type TaxRateDraft = Omit<TaxRateRecord, 'id'>;

/** The record with the fields of the input. */
function apply(record: TaxRateDraft, input: TaxRateInput, now: Date): TaxRateDraft {
  const { percent, ...fields } = input;
  const changed: TaxRateDraft = {
    ...record,
    ...omitUndefined(fields),
    ...(percent === undefined ? {} : { percent: toDecimal128(percent) }),
    updatedAt: now,
  };
  return { ...changed, tokens: buildSearchTokens([changed.name]) };
}

/**
 * @param id null for a new rate
 * @throws AppError 400 naming all problems of the rate and its successor
 */
async function requireValidTaxRate(record: TaxRateDraft, id: number | null, unit?: UnitOfWork): Promise<void> {
  const problems: FieldProblem[] = validateTaxRate({ ...record, percent: fromDecimal128(record.percent) });
  if (record.successorId !== null) {
    const query = TaxRate.find({ organisationId: record.organisationId });
    const rates = await (unit === undefined ? query : query.session(unit.mongoSession)).lean<TaxRateRecord[]>();
    const byId = new Map(rates.map((rate) => [rate.id, rate]));
    const problem = findSuccessorProblem(byId, id, record.successorId);
    if (problem !== null) problems.push({ field: 'successorId', problem });
  }
  if (
    record.components &&
    !sum(record.components.map(({ percent }) => new Decimal(percent))).eq(fromDecimal128(record.percent))
  )
    problems.push({ field: 'components', problem: 'must have percentages that add up to percent' });
  for (const [language, texts] of Object.entries(record.translations ?? {}))
    if ((texts.exemptionReason === null) !== (record.exemptionReason === null))
      problems.push({
        field: `translations.${language}.exemptionReason`,
        problem:
          record.exemptionReason === null ? 'must be null like exemptionReason' : 'is required like exemptionReason',
      });
  if (problems.length > 0) throw invalidRequestError(problems);
}

/**
 * Whether an order, also a draft, or an issued document uses the rate. The tax table of a document has one row for all rates with the same
 * category, percentage and reason, with the id of the first of them; the others are found by the lines.
 */
async function isUsed(
  { mongoSession }: UnitOfWork,
  { organisationId, id, category, percent }: TaxRateRecord,
): Promise<boolean> {
  const lines = { organisationId, 'lines.taxRateId': id };
  if ((await PurchaseOrder.exists(lines).session(mongoSession)) !== null) return true;
  if ((await SalesOrder.exists(lines).session(mongoSession)) !== null) return true;
  if ((await Payable.exists(lines).session(mongoSession)) !== null) return true;
  const row = 'document.taxes.taxRateId';
  // Drafts are recalculated when they are issued.
  const issued = { organisationId, sequence: { $gte: 1 } } as const;
  if ((await Invoice.exists({ ...issued, [row]: id }).session(mongoSession)) !== null) return true;
  const equalRates = await TaxRate.find({ organisationId, category, percent, id: { $ne: id } }, { id: 1 })
    .session(mongoSession)
    .lean();
  if (equalRates.length === 0) return false;
  const rows = { [row]: { $in: equalRates.map((rate) => rate.id) } };
  const inLines = { ...issued, ...rows, 'document.lines.taxRateId': id };
  return (await Invoice.exists(inLines).session(mongoSession)) !== null;
}

/**
 * Rejects a change of percentage or category if an order or an issued document uses the rate. Records that name the rate
 * by its id conflict with the change; an invoice that is issued concurrently contains the rate it was calculated with.
 * @throws AppError 409
 */
async function requireUnusedForNewTerms(unit: UnitOfWork, before: TaxRateRecord, after: TaxRateRecord): Promise<void> {
  const changed = [
    ...(fromDecimal128(before.percent).equals(fromDecimal128(after.percent)) ? [] : ['percent']),
    ...(before.category === after.category ? [] : ['category']),
    ...(isDeepStrictEqual(before.components ?? null, after.components ?? null) ? [] : ['components']),
  ];
  if (changed.length === 0) return;
  await guardTaxRates(unit, before.organisationId, [before.id]);
  if (!(await isUsed(unit, before))) return;
  throw conflictError(
    'tax_rate_in_use',
    `${changed.join(', ')}: orders or documents use this rate. Create the new rate, then set this one's validTo and successorId.`,
    {
      fields: changed.map((field) => ({ field, problem: 'cannot change: orders or documents use this rate' })),
    },
  );
}

const buildBlankTaxRate = (caller: BusinessCaller, name: string, now: Date): TaxRateDraft => ({
  _id: new Types.ObjectId(),
  organisationId: caller.organisationId,
  name,
  percent: Types.Decimal128.fromString('0'),
  category: 'S',
  exemptionReason: null,
  profile: null,
  appliesTo: null,
  components: null,
  translations: null,
  validFrom: null,
  validTo: null,
  successorId: null,
  active: true,
  tokens: [],
  version: 1,
  createdAt: now,
  updatedAt: now,
});

/** @throws AppError 400 naming every wrong field */
export const createTaxRate = (
  platform: Platform,
  caller: BusinessCaller,
  input: TaxRateInput & { name: string; percent: Decimal },
  use: IdempotentUse | undefined,
): Promise<TaxRateRecord> =>
  prepareAndCreateRecord(platform, caller, KIND, use, async () => {
    const now = platform.clock.now();
    const draft = apply(buildBlankTaxRate(caller, input.name, now), input, now);
    await requireValidTaxRate(draft, null);
    return (id) => ({ ...draft, id });
  });

/** @throws AppError 404, also for the id of another organisation */
export const getTaxRate = (caller: BusinessCaller, id: number): Promise<TaxRateRecord> => getRecord(caller, KIND, id);

/**
 * Changes the fields that are sent. Percentage and category can only change while no order and no document uses the
 * rate.
 * @throws AppError 400, 404, 409 `tax_rate_in_use` or `is_default`, 412
 */
export const updateTaxRate = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  input: TaxRateInput,
): Promise<TaxRateRecord> =>
  updateRecord(
    platform,
    caller,
    KIND,
    at,
    { fields: Object.keys(omitUndefined(input)) },
    async (current, now, unit) => {
      const changed = { ...apply(current, input, now), id: current.id };
      await requireValidTaxRate(changed, current.id, unit);
      await requireUnusedForNewTerms(unit, current, changed);
      if (current.active && !changed.active) await requireNotDefault(unit, caller, 'defaultTaxRateId', at.id);
      return changed;
    },
  );

/** One page of tax rates with the exact total. */
export const listTaxRates = (
  caller: BusinessCaller,
  filter: ActiveFilter & CreatedFilter,
  query: ListQuery,
): Promise<ListPage<TaxRateRecord>> => listRecords(caller, KIND, filter, query);
