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
 * Records that orders, receipts and bills use tax rates, of which they store only the ids. Each rate is written, so that
 * a use and a concurrent change of percentage or category conflict: the change finds the record, or the record is
 * computed again. Callers run within {@link withCurrentTaxRates}, unless they read the rates in the same transaction.
 * @param taxRates as they were read when the record was computed
 */
export async function recordTaxRateUses(
  unit: UnitOfWork,
  organisationId: string,
  taxRates: readonly Pick<TaxRateRecord, 'id' | 'version'>[],
): Promise<void> {
  const versions = new Map(taxRates.map(({ id, version }) => [id, version]));
  for (const [id, version] of [...versions].sort(([a], [b]) => a - b)) {
    const used = await TaxRate.updateOne(
      { organisationId, id, version },
      { $inc: { usesGuard: 1 } },
      { session: unit.mongoSession },
    );
    if (used.matchedCount === 0) throw new TaxRateChangedError(id);
  }
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
