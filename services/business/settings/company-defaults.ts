import { conflictError } from '../../../domain/errors';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import type { FieldProblem } from '../../../domain/errors';

/** The fields of the company with the defaults of new documents. */
export type DefaultField = 'defaultTaxRateId' | 'defaultWarehouseId' | 'defaultSeriesId';

/**
 * Rejects the deactivation of a default of new documents. The record of the company is written, so that selecting a
 * default and deactivating it concurrently conflict.
 * @throws AppError 409 `is_default`
 */
export async function requireNotDefault(
  unit: UnitOfWork,
  { organisationId }: BusinessCaller,
  field: DefaultField,
  id: number,
): Promise<void> {
  const updated = await Company.updateOne(
    { _id: organisationId, [field]: { $ne: id } },
    { $inc: { defaultsGuard: 1 } },
    { session: unit.mongoSession },
  );
  if (updated.matchedCount > 0) return;
  throw conflictError(
    'is_default',
    `active: this is the company's ${field}; choose another in PUT /api/config/company first.`,
    {
      fields: [{ field: 'active', problem: `must be true for the company's ${field}` }],
    },
  );
}

/** The problems with the defaults of a company; each must exist, be active and be of the right kind. */
export async function findDefaultProblems(unit: UnitOfWork, company: CompanyRecord): Promise<FieldProblem[]> {
  const { _id: organisationId } = company;
  const active = { organisationId, active: true };
  const found: [DefaultField, string, object | null][] = [
    [
      'defaultTaxRateId',
      'tax rate',
      company.defaultTaxRateId === null
        ? {}
        : await TaxRate.exists({ ...active, id: company.defaultTaxRateId }).session(unit.mongoSession),
    ],
    [
      'defaultWarehouseId',
      'warehouse',
      await Warehouse.exists({ ...active, id: company.defaultWarehouseId }).session(unit.mongoSession),
    ],
    [
      'defaultSeriesId',
      'invoice series',
      await DocumentSeries.exists({ ...active, id: company.defaultSeriesId, documentType: 'invoice' }).session(
        unit.mongoSession,
      ),
    ],
  ];
  return found.flatMap(([field, what, record]) =>
    record === null ? [{ field, problem: `is not an active ${what} of the company` }] : [],
  );
}
