import type { Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { convertRows } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';
import { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { readActiveSettlements } from '../invariants/settlements';
import { computeInvoiceStatus, writeInvoiceStatus } from '../invoices/invoice-status';

/** Recomputes what is settled and credited of an item, and the status of its invoice. */
async function convertItem(unit: UnitOfWork, itemId: Types.ObjectId): Promise<void> {
  const stored = await OpenItem.findById(itemId).session(unit.mongoSession).orFail().lean<OpenItemRecord>();
  const settlements = await readActiveSettlements(unit.mongoSession, stored.organisationId, stored.side, [stored]);
  const { settled, credited } = settlements(stored);
  const at = unit.platform.clock.now();
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
 * Versions that counted credit notes as payments stored invoices that were credited as a whole as `paid`, and those that
 * were credited in part as `partially_paid`. Emits no events.
 */
export const invoiceSettlement: Migration = {
  version: 5,
  name: 'invoice-settlement',
  summary: 'recomputes what is settled and what is credited of invoices with credit notes, and their status',
  run: (context) =>
    convertRows(context, {
      collection: 'open_items',
      filter: { side: 'receivable', kind: 'invoice', credited: { $gt: toDecimal128(ZERO) } },
      async convert(rows, session) {
        const items = await OpenItem.find({ _id: { $in: rows.map(({ _id }) => _id) } }, { _id: 1 })
          .session(session)
          .lean<Pick<OpenItemRecord, '_id'>[]>();
        const unit = new UnitOfWork(session, context.platform);
        for (const { _id } of items) await convertItem(unit, _id);
        return items.length;
      },
    }),
};
