import { fromDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { forbiddenError } from '../../../domain/errors';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import type { ReturnLineInput } from './vendor-return-lines';

/** Naming another cost decides, as a credit note of a vendor does, how much is payable and how much tax is deducted. */
const PERMISSION = 'payables:create';

/**
 * Rejects costs other than those of the receipt and of its bill, unless the caller may record credit notes of vendors.
 * @throws AppError 403 naming each line and the costs that are accepted
 */
export async function rejectForeignCosts(
  unit: UnitOfWork,
  { organisationId, permissions }: BusinessCaller,
  receipt: PayableRecord,
  lines: readonly ReturnLineInput[] = [],
): Promise<void> {
  if (permissions.has(PERMISSION) || lines.every(({ unitCost }) => unitCost === undefined)) return;
  const bill = await Payable.findOne({ organisationId, type: 'bill', id: receipt.billId }, { lines: 1 })
    .session(unit.mongoSession)
    .lean<Pick<PayableRecord, 'lines'>>();
  const problems = lines.flatMap(({ lineId, unitCost }, index) => {
    const received = receipt.lines.find((line) => line.lineId === lineId);
    if (unitCost === undefined || received === undefined) return [];
    const billed = bill?.lines.filter(({ productId }) => productId === received.productId) ?? [];
    const costs = [received, ...billed].map((line) => fromDecimal128(line.unitCost));
    if (costs.some((cost) => cost.eq(unitCost))) return [];
    const accepted = [...new Set(costs.map((cost) => cost.toFixed()))].join(' or ');
    return [{ field: `lines[${index}].unitCost`, problem: `must be ${accepted}, which was received or billed` }];
  });
  if (problems.length > 0) throw forbiddenError(PERMISSION, problems);
}
