import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';
import type { InvoiceBody } from '../invoices/invoice-values';

export type SalesOrder = BusinessResponse<'getSalesOrder'>['data'];
type OrderBody = BusinessBody<'createSalesOrder'>;

type NumberValue = number | string;

/** A line as it is edited; an empty field takes the default of the product. */
export interface OrderLineValues {
  /** Identifies the line in the form. */
  key: string;
  productId: string | null;
  quantity: NumberValue;
  unitPrice: NumberValue;
  discountPercent: NumberValue;
  taxRateId: string | null;
  description: string;
  /** Null for the default of the product. */
  priceIncludesTax: boolean | null;
  warehouseId: string | null;
}

/** An order as it is edited. */
export interface OrderValues extends Record<string, unknown> {
  customerId: string | null;
  orderDate: string;
  currencyCode: string | null;
  reference: string;
  notes: string;
  lines: OrderLineValues[];
}

/** A new line of one unit; the product that is chosen determines the rest. */
export const createOrderLine = (): OrderLineValues => ({
  key: crypto.randomUUID(),
  productId: null,
  quantity: 1,
  unitPrice: '',
  discountPercent: '',
  taxRateId: null,
  description: '',
  priceIncludesTax: null,
  warehouseId: null,
});

/** The line after the choice of another product, whose defaults apply. */
export const changeOrderProduct = (
  { key, quantity, discountPercent }: OrderLineValues,
  productId: string | null,
): OrderLineValues => ({ ...createOrderLine(), key, quantity, discountPercent, productId });

/** The order after the choice of another customer, whose currency and tax rates apply. */
export const changeOrderCustomer = (values: OrderValues, customerId: string | null): OrderValues => ({
  ...values,
  customerId,
  currencyCode: null,
  lines: values.lines.map((line) => ({ ...line, taxRateId: null })),
});

const readLine = (line: SalesOrder['lines'][number]): OrderLineValues => ({
  key: String(line.lineId),
  productId: String(line.productId),
  quantity: line.quantity,
  unitPrice: line.unitPrice,
  discountPercent: line.discountPercent,
  taxRateId: String(line.taxRateId),
  description: line.description,
  priceIncludesTax: line.priceIncludesTax,
  warehouseId: line.warehouseId === null ? null : String(line.warehouseId),
});

/** The values of a draft; those of a new order for null. */
export const readOrderValues = (order: SalesOrder | null): OrderValues => ({
  customerId: order === null ? null : String(order.customerId),
  orderDate: order?.orderDate ?? '',
  currencyCode: order?.currencyCode ?? null,
  reference: order?.reference ?? '',
  notes: order?.notes ?? '',
  lines: order === null ? [createOrderLine()] : order.lines.map(readLine),
});

const toLine = (line: OrderLineValues): OrderBody['lines'][number] => ({
  productId: Number(line.productId),
  quantity: Number(line.quantity),
  ...(line.unitPrice === '' ? {} : { unitPrice: Number(line.unitPrice) }),
  ...(line.discountPercent === '' ? {} : { discountPercent: Number(line.discountPercent) }),
  ...(line.taxRateId === null ? {} : { taxRateId: Number(line.taxRateId) }),
  ...(line.description === '' ? {} : { description: line.description }),
  ...(line.priceIncludesTax === null ? {} : { priceIncludesTax: line.priceIncludesTax }),
  ...(line.warehouseId === null ? {} : { warehouseId: Number(line.warehouseId) }),
});

const toHead = ({ customerId, currencyCode, lines }: OrderValues) => ({
  customerId: Number(customerId),
  ...(currencyCode === null ? {} : { currencyCode }),
  lines: lines.map(toLine),
});

/** The fields of a new order. */
export const toOrderBody = (values: OrderValues): OrderBody => ({
  ...toHead(values),
  ...(values.orderDate === '' ? {} : { orderDate: values.orderDate }),
  reference: values.reference || null,
  notes: values.notes || null,
});

/** The fields of a changed draft: null replaces a stored value with the default. */
export const toOrderChanges = (values: OrderValues): BusinessBody<'updateSalesOrder'> => ({
  ...toOrderBody(values),
  orderDate: values.orderDate || null,
  currencyCode: values.currencyCode,
});

/** The invoice that computes the amounts of an order; null while customer, products and quantities are not complete. */
export function toCalculatedBody(values: OrderValues): InvoiceBody | null {
  const isComplete = values.lines.every(({ productId, quantity }) => productId !== null && quantity !== '');
  return values.customerId === null || !isComplete ? null : { ...toHead(values), draft: true };
}
