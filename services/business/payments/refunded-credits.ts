import type { ItemKind } from '../../../domain/business/payments/open-items';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { PaymentRecord } from '../../../models/business/payments/payment';

/** The payment or credit note of which a refund pays out credit. */
export interface RefundedCredit {
  kind: ItemKind;
  id: number;
}

/** A payment or refund, and what a refund pays out; null for a payment. */
export interface PaymentWithCredit {
  payment: PaymentRecord;
  refundOf: RefundedCredit | null;
}

/** Adds to the refunds among payments of an organisation what they pay out. */
export async function addRefundedCredits(
  organisationId: string,
  payments: readonly PaymentRecord[],
): Promise<PaymentWithCredit[]> {
  const itemIds = payments.flatMap(({ creditItemId }) => creditItemId ?? []);
  const items =
    itemIds.length === 0
      ? []
      : await OpenItem.find({ organisationId, _id: { $in: itemIds } }, { kind: 1, id: 1 }).lean<
          Pick<OpenItemRecord, '_id' | 'kind' | 'id'>[]
        >();
  const credits = new Map(items.map(({ _id, kind, id }) => [String(_id), { kind, id }]));
  return payments.map((payment) => ({ payment, refundOf: credits.get(String(payment.creditItemId)) ?? null }));
}
