import { Counter } from '../../../models/platform/transactions/counter';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** A rate was changed after a record was computed with it. */
class TaxRateChangedError extends Error {
  constructor(id: number) {
    super(`tax rate ${id} changed after a record was computed with it`);
  }
}

/**
 * Makes transactions that use a rate, or change its percentage or category, conflict with each other. They write a
 * counter of the rate: a field of the rate itself would be unknown to processes of an earlier version, which write the
 * whole rate.
 */
export async function guardTaxRates(unit: UnitOfWork, organisationId: string, ids: readonly number[]): Promise<void> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  if (sorted.length === 0) return;
  await Counter.bulkWrite(
    sorted.map((id) => ({
      updateOne: {
        filter: { _id: `${organisationId}.tax-rate-uses.${id}` },
        update: { $inc: { value: 1 } },
        upsert: true,
      },
    })),
    { session: unit.mongoSession },
  );
}

/**
 * Records that orders, receipts and bills use tax rates, of which they store only the ids. A use and a concurrent change
 * of percentage or category conflict: the change finds the record, or the record is computed again. Callers run within
 * {@link withCurrentTaxRates}, unless they read the rates in the same transaction.
 * @param taxRates as they were read when the record was computed
 */
export async function recordTaxRateUses(
  unit: UnitOfWork,
  organisationId: string,
  taxRates: readonly Pick<TaxRateRecord, 'id' | 'version'>[],
): Promise<void> {
  const ids = taxRates.map(({ id }) => id);
  await guardTaxRates(unit, organisationId, ids);
  const current = await TaxRate.find({ organisationId, id: { $in: ids } }, { id: 1, version: 1 })
    .session(unit.mongoSession)
    .lean<Pick<TaxRateRecord, 'id' | 'version'>[]>();
  const versions = new Map(current.map(({ id, version }) => [id, version]));
  const changed = taxRates.find(({ id, version }) => versions.get(id) !== version);
  if (changed !== undefined) throw new TaxRateChangedError(changed.id);
}

/** Computes and writes a record; again if one of its tax rates has changed meanwhile. */
export async function withCurrentTaxRates<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TaxRateChangedError)) throw error;
    }
  }
}
