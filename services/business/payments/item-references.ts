import type { Types } from 'mongoose';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { AllocationRecord, PaymentRecord } from '../../../models/business/payments/payment';

/** A document, payment or credit note that other records name by its open item. */
export type ItemReference = Pick<OpenItemRecord, 'kind' | 'id' | 'number'>;

/** Reads what open items of an organisation are, by their id. */
async function readItemReferences(
  organisationId: string,
  itemIds: readonly Types.ObjectId[],
): Promise<Map<string, ItemReference>> {
  if (itemIds.length === 0) return new Map();
  const items = await OpenItem.find({ organisationId, _id: { $in: itemIds } }, { kind: 1, id: 1, number: 1 }).lean<
    (ItemReference & { _id: Types.ObjectId })[]
  >();
  return new Map(items.map(({ _id, ...item }) => [String(_id), item]));
}

/** A payment or refund, and the payment or credit note of which a refund pays out credit; null for a payment. */
export interface PaymentWithCredit {
  payment: PaymentRecord;
  refundOf: ItemReference | null;
}

/** Adds to the refunds among payments of an organisation what they pay out. */
export async function addRefundedCredits(
  organisationId: string,
  payments: readonly PaymentRecord[],
): Promise<PaymentWithCredit[]> {
  const items = await readItemReferences(
    organisationId,
    payments.flatMap(({ creditItemId }) => creditItemId ?? []),
  );
  return payments.map((payment) => ({ payment, refundOf: items.get(String(payment.creditItemId)) ?? null }));
}

/** An application of credit, with the document and the credit. */
export interface AllocationWithItems {
  allocation: AllocationRecord;
  document: ItemReference;
  credit: ItemReference;
}

/** Adds to allocations of an organisation the document and the credit of each. */
export async function addAllocatedItems(
  organisationId: string,
  allocations: readonly AllocationRecord[],
): Promise<AllocationWithItems[]> {
  const items = await readItemReferences(
    organisationId,
    allocations.flatMap(({ creditItemId, debitItemId }) => [creditItemId, debitItemId]),
  );
  return allocations.map((allocation) => {
    const [document, credit] = [allocation.debitItemId, allocation.creditItemId].map((id) => items.get(String(id)));
    if (document === undefined || credit === undefined)
      throw new Error('an allocation names an item that does not exist');
    return { allocation, document, credit };
  });
}
