import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord, PurchaseOrderRecord } from '../../../models/business/purchasing/purchase-order';
import { readReceivingMovements } from './vendor-return-lines';

/** The quantities of an order that were received and returned to the vendor, by line of the order. */
export async function readReturnedQuantities(
  { organisationId, id }: PurchaseOrderRecord,
  mongoSession: ClientSession | null = null,
): Promise<Map<number, Decimal>> {
  const receipts = await Payable.find({
    organisationId,
    orderId: id,
    type: 'receipt',
    'lines.returned': { $exists: true },
  })
    .session(mongoSession)
    .lean<PayableRecord[]>();
  const returned = new Map<number, Decimal>();
  for (const receipt of receipts) {
    const movements = await readReceivingMovements(mongoSession, receipt);
    for (const line of receipt.lines) {
      const lineId = movements.get(line.lineId)?.lineId;
      if (lineId == null || line.returned === undefined) continue;
      returned.set(lineId, (returned.get(lineId) ?? ZERO).plus(fromDecimal128(line.returned)));
    }
  }
  return returned;
}
