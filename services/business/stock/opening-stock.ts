import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal } from '../../../domain/business/decimal';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { getCompanyToday } from '../settings/company';
import { requireOpenPeriod } from '../documents/posting-period';
import { receiveStock } from './stock-movements';

/** Opening stock of a new product, in the default warehouse of the company. */
export interface InitialStock {
  quantity: Decimal;
  /** Cost per unit in base currency. @default 0 */
  unitCost?: Decimal | undefined;
}

/**
 * Posts the opening stock of a new product with today's date.
 * @throws AppError 400 above the maximum amount; 409 `period_locked`
 */
export async function receiveInitialStock(
  unit: UnitOfWork,
  caller: BusinessCaller,
  record: ProductRecord,
  initial: InitialStock,
): Promise<void> {
  const { organisationId, company } = caller;
  await requireOpenPeriod(unit, caller, getCompanyToday(unit.platform, caller), 'initialStock');
  const baseDecimals = getCurrencyDecimals(company.baseCurrencyCode);
  const posting = { organisationId, kind: 'opening', invoiceId: null, baseDecimals, at: record.createdAt } as const;
  const line = {
    lineId: 1,
    field: 'initialStock.quantity',
    productId: record.id,
    productCode: record.code,
    productName: record.name,
    warehouseId: company.defaultWarehouseId,
    quantity: initial.quantity,
  };
  await receiveStock(unit, posting, line, initial.unitCost ?? new Decimal(0));
}
