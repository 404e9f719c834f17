/** Methods of payment. */
export const PAYMENT_METHODS = ['bank_transfer', 'cash', 'card', 'check', 'direct_debit', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
