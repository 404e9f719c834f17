/**
 * draft → confirmed → invoiced; a draft or confirmed order can be cancelled. Voiding the invoice makes the order confirmed
 * again.
 */
export const SALES_ORDER_STATUSES = ['draft', 'confirmed', 'invoiced', 'cancelled'] as const;
export type SalesOrderStatus = (typeof SALES_ORDER_STATUSES)[number];
