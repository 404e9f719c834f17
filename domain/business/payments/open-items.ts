/** Money owed to the company by customers, and by the company to vendors; both are kept alike. */
export const LEDGER_SIDES = ['receivable', 'payable'] as const;
export type LedgerSide = (typeof LEDGER_SIDES)[number];

/**
 * What stands open. Debits raise what is owed (an invoice; goods received and not billed yet; a vendor's bill), credits
 * lower it once they are applied (a payment, a credit note).
 */
export const ITEM_KINDS = ['invoice', 'receipt', 'bill', 'payment', 'credit_note'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

const CREDIT_KINDS: ReadonlySet<ItemKind> = new Set(['payment', 'credit_note']);
export const isCredit = (kind: ItemKind): boolean => CREDIT_KINDS.has(kind);

export const ITEM_STATES = ['open', 'settled', 'void'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** Why an item's open amount changed. */
export const ENTRY_KINDS = ['issue', 'allocation', 'refund', 'billed', 'void', 'reversal'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
