import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';
import { createCostLine, readCostLines, toCostLine } from './cost-values';
import type { CostLine } from './cost-values';
import { subtractQuantity } from './goods-lines';

export type Order = BusinessResponse<'getPurchaseOrder'>['data'];

/** A line with the quantity that can still be received. */
export type OpenLine = Order['lines'][number] & { left: number };

/** The lines of which something was not received, or was returned since. */
export const listOpenLines = (order: Order): OpenLine[] =>
  order.lines
    .map((line) => ({ ...line, left: subtractQuantity(line.quantity + line.returned, line.received) }))
    .filter(({ left }) => left > 0);

/** A purchase order as it is edited. */
export interface OrderValues extends Record<string, unknown> {
  vendorId: string | null;
  orderDate: string;
  expectedDate: string;
  currencyCode: string | null;
  reference: string;
  notes: string;
  draft: boolean;
  lines: CostLine[];
}

/** The values of a draft; those of a new order for null. */
export const readValues = (order: Order | null): OrderValues => ({
  vendorId: order === null ? null : String(order.vendorId),
  orderDate: order?.orderDate ?? '',
  expectedDate: order?.expectedDate ?? '',
  currencyCode: order?.currencyCode ?? null,
  reference: order?.reference ?? '',
  notes: order?.notes ?? '',
  draft: order !== null,
  lines: order === null ? [createCostLine()] : readCostLines(order.id, order.lines),
});

const toLine = (line: CostLine) => ({
  ...toCostLine(line),
  productId: Number(line.productId),
  ...(line.warehouseId === null ? {} : { warehouseId: Number(line.warehouseId) }),
});

/** The order after the choice of another vendor, whose currency and tax rates apply. */
export const changeVendor = (values: OrderValues, vendorId: string | null): OrderValues => ({
  ...values,
  vendorId,
  currencyCode: null,
  lines: values.lines.map((line) => ({ ...line, taxRateId: null })),
});

const toCommonBody = (values: OrderValues) => ({
  vendorId: Number(values.vendorId),
  reference: values.reference || null,
  notes: values.notes || null,
  lines: values.lines.map(toLine),
});

/** The fields of a new order. */
export const toNewOrder = (values: OrderValues): BusinessBody<'createPurchaseOrder'> => ({
  ...toCommonBody(values),
  draft: values.draft,
  ...(values.orderDate === '' ? {} : { orderDate: values.orderDate }),
  ...(values.expectedDate === '' ? {} : { expectedDate: values.expectedDate }),
  ...(values.currencyCode === null ? {} : { currencyCode: values.currencyCode }),
});

/** The fields of a changed draft: null replaces a stored value with the default. */
export const toOrderChanges = (values: OrderValues): BusinessBody<'updatePurchaseOrder'> => ({
  ...toCommonBody(values),
  orderDate: values.orderDate || null,
  expectedDate: values.expectedDate || null,
  currencyCode: values.currencyCode,
});
