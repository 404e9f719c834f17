import type { Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { DataUpgrade } from '../../../models/business/upgrades/data-upgrade';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { readActiveSettlements } from '../invariants/settlements';
import { computeInvoiceStatus, writeInvoiceStatus } from '../invoices/invoice-status';

const UPGRADE_NAME = 'invoice-settlement';

/** Recomputes what is settled and credited of an item, and the status of its invoice. */
async function upgradeItem(platform: Platform, unit: UnitOfWork, itemId: Types.ObjectId): Promise<void> {
  const stored = await OpenItem.findById(itemId).session(unit.mongoSession).orFail().lean<OpenItemRecord>();
  const settlements = await readActiveSettlements(unit.mongoSession, stored.organisationId, stored.side, [stored]);
  const { settled, credited } = settlements(stored);
  const at = platform.clock.now();
  const item = { ...stored, settled: toDecimal128(settled), credited: toDecimal128(credited) };
  if (!credited.eq(fromDecimal128(stored.credited)))
    await OpenItem.updateOne(
      { _id: itemId, version: stored.version },
      { $set: { settled: item.settled, credited: item.credited, updatedAt: at }, $inc: { version: 1 } },
      { session: unit.mongoSession },
    );
  await writeInvoiceStatus(unit, item, computeInvoiceStatus(item), at);
}

/**
 * Converts invoices of earlier versions, which counted credit notes as payments: those that are credited as a whole
 * were `paid`, those that are credited in part `partially_paid`. Emits no events. Safe to run in parallel and to kill at
 * any point.
 */
export async function upgradeInvoiceSettlement(platform: Platform): Promise<void> {
  if ((await DataUpgrade.exists({ _id: UPGRADE_NAME })) !== null) return;
  const credited = { side: 'receivable', kind: 'invoice', credited: { $gt: toDecimal128(ZERO) } } as const;
  const items = OpenItem.find(credited, { _id: 1 }).lean<Pick<OpenItemRecord, '_id'>[]>().cursor();
  for await (const { _id } of items) await runTransaction(platform, (unit) => upgradeItem(platform, unit, _id));
  const completed = { $setOnInsert: { completedAt: platform.clock.now() } };
  await DataUpgrade.updateOne({ _id: UPGRADE_NAME }, completed, { upsert: true });
}
