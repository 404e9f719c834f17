import { z } from 'zod';
import { invalidFieldError } from '../../../domain/errors';
import { LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import { recordId } from '../fields';

/** The fields by which a body names a registered payment instead of documents. */
export const registeredPaymentFields = {
  paymentId: recordId.optional().meta({
    description: 'A payment or refund that is registered already, instead of the party and its documents.',
  }),
  side: z
    .enum(LEDGER_SIDES, { error: `must be one of ${LEDGER_SIDES.join(', ')}` })
    .optional()
    .meta({
      description:
        'Side of `paymentId`. Default: that of the transaction; the other one for refunds to customers and from vendors.',
    }),
};

/** @throws AppError 400 for a field of documents in a body with a payment */
export function rejectDocumentFields(fields: Readonly<Record<string, unknown>>): void {
  const [present] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  if (present !== undefined) throw invalidFieldError(present, 'is not accepted with paymentId');
}

/** @throws AppError 400 for the side of a payment in a body without one */
export function rejectSide(side: unknown): void {
  if (side !== undefined) throw invalidFieldError('side', 'is accepted only with paymentId');
}

/** The value of a field that a body without a payment needs. @throws AppError 400 */
export function requireDocumentField<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw invalidFieldError(field, 'is required without paymentId');
  return value;
}
