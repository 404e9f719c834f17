/** Receivables from customers and payables to vendors; both use the same ledger. */
export const LEDGER_SIDES = ['receivable', 'payable'] as const;
export type LedgerSide = (typeof LEDGER_SIDES)[number];

/**
 * Kinds of open items. Debits raise the balance (an invoice, a vendor's bill, a receipt of goods that are not billed
 * yet); credits lower it when they are applied (a payment, a credit note).
 */
export const ITEM_KINDS = ['invoice', 'receipt', 'bill', 'payment', 'credit_note'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

const CREDIT_KINDS: ReadonlySet<ItemKind> = new Set(['payment', 'credit_note']);
/** Whether items of the kind reduce the balance of their party. */
export const isCredit = (kind: ItemKind): boolean => CREDIT_KINDS.has(kind);

export const ITEM_STATES = ['open', 'settled', 'void'] as const;
export type ItemState = (typeof ITEM_STATES)[number];
/** The values by which items are filtered: `overdue` is open after the due date, `all` is no condition. */
export const ITEM_STATE_FILTERS = [...ITEM_STATES, 'overdue', 'all'] as const;
export type ItemStateFilter = (typeof ITEM_STATE_FILTERS)[number];

/** Reason why the open amount of an item changed. */
export const ENTRY_KINDS = [
  'issue',
  'allocation',
  'refund',
  'billed',
  'returned',
  'void',
  'reversal',
  'discount',
  'write_off',
  'deposit',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
