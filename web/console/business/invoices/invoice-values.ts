import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';
import { readAdjustments, toAdjustmentBodies } from './adjustment-values';
import type { AdjustmentValues } from './adjustment-values';

export type Invoice = BusinessResponse<'getInvoice'>['data'];
export type InvoiceBody = BusinessBody<'createInvoice'>;
type DraftChanges = BusinessBody<'updateInvoice'>;
type LineChange = NonNullable<DraftChanges['lines']>[number];

/** A number field: empty text until the user fills it in, which means the default. */
type NumberValue = number | string;

/** Day or period of delivery or performance. */
interface SupplyValues {
  deliveryFrom: string;
  /** Last day of a period; empty for a single day. */
  deliveryTo: string;
}

export interface LineValues extends SupplyValues {
  /** Identifies the line in the form. */
  key: string;
  /** Id of the line in the draft; null for a new line. */
  lineId: number | null;
  /** Null for a line in free text, which needs a description and a price. */
  productId: string | null;
  quantity: NumberValue;
  description: string;
  details: string;
  unit: string;
  unitPrice: NumberValue;
  /** Null for the default of the product. */
  priceIncludesTax: 'true' | 'false' | null;
  discountPercent: NumberValue;
  taxRateId: string | null;
  warehouseId: string | null;
  adjustments: AdjustmentValues[];
}

/** A deposit invoice asks for money before the supply; a final invoice deducts it. */
export const INVOICE_KINDS = ['invoice', 'deposit'] as const;

/** An invoice as it is edited. An empty field takes the default of the customer, the product or the company. */
export interface InvoiceValues extends SupplyValues, Record<string, unknown> {
  customerId: string | null;
  kind: (typeof INVOICE_KINDS)[number];
  /** Paid deposit invoices that the invoice deducts. */
  depositInvoiceIds: string[];
  issueDate: string;
  dueDate: string;
  paymentTerms: string | null;
  earlyPaymentDiscount: { percent: NumberValue; days: NumberValue };
  currencyCode: string | null;
  seriesId: string | null;
  language: string | null;
  reference: string;
  buyerReference: string;
  notes: string;
  adjustments: AdjustmentValues[];
  lines: LineValues[];
}

/** A new line of one unit; the product that is chosen determines the rest. */
export const createLine = (): LineValues => ({
  key: crypto.randomUUID(),
  lineId: null,
  productId: null,
  quantity: 1,
  description: '',
  details: '',
  unit: '',
  unitPrice: '',
  priceIncludesTax: null,
  discountPercent: '',
  taxRateId: null,
  warehouseId: null,
  deliveryFrom: '',
  deliveryTo: '',
  adjustments: [],
});

/** A new invoice with one line. @param customerId null until a customer is chosen */
export const createValues = (customerId: string | null): InvoiceValues => ({
  customerId,
  kind: 'invoice',
  depositInvoiceIds: [],
  issueDate: '',
  dueDate: '',
  paymentTerms: null,
  earlyPaymentDiscount: { percent: '', days: '' },
  currencyCode: null,
  seriesId: null,
  language: null,
  reference: '',
  buyerReference: '',
  notes: '',
  deliveryFrom: '',
  deliveryTo: '',
  adjustments: [],
  lines: [createLine()],
});

const readId = (id: number | null): string | null => (id === null ? null : String(id));

const readSupply = ({ deliveryDate, deliveryPeriod }: Pick<Invoice, 'deliveryDate' | 'deliveryPeriod'>) => ({
  deliveryFrom: deliveryDate ?? deliveryPeriod?.start ?? '',
  deliveryTo: deliveryPeriod?.end ?? '',
});

const readLine = (line: Invoice['lines'][number]): LineValues => ({
  key: String(line.lineId),
  lineId: line.lineId,
  productId: readId(line.productId),
  quantity: line.quantity,
  description: line.description,
  details: line.details ?? '',
  unit: line.unit,
  unitPrice: line.unitPrice,
  priceIncludesTax: line.priceIncludesTax ? 'true' : 'false',
  discountPercent: line.discountPercent,
  taxRateId: String(line.taxRateId),
  warehouseId: readId(line.warehouseId),
  ...readSupply(line),
  adjustments: readAdjustments(line.adjustments),
});

/** The values of a stored draft. */
export const readValues = (draft: Invoice): InvoiceValues => ({
  customerId: String(draft.customerId),
  kind: draft.deposit ? 'deposit' : 'invoice',
  depositInvoiceIds: (draft.prepaid?.deposits ?? []).map(({ invoiceId }) => String(invoiceId)),
  issueDate: draft.issueDate,
  dueDate: draft.dueDate,
  paymentTerms: draft.paymentTerms,
  earlyPaymentDiscount: {
    percent: draft.earlyPaymentDiscount?.percent ?? '',
    days: draft.earlyPaymentDiscount?.days ?? '',
  },
  currencyCode: draft.currencyCode,
  seriesId: String(draft.seriesId),
  language: draft.language,
  reference: draft.reference ?? '',
  buyerReference: draft.buyerReference ?? '',
  notes: draft.notes ?? '',
  ...readSupply(draft),
  adjustments: readAdjustments(draft.adjustments),
  lines: draft.lines.map(readLine),
});

const toNumber = (value: NumberValue): number | null => (value === '' ? null : Number(value));
const toId = (value: string | null): number | null => (value === null ? null : Number(value));

/** Both fields, of which at most one is set. */
const toSupply = ({ deliveryFrom, deliveryTo }: SupplyValues) => ({
  deliveryDate: deliveryFrom === '' || deliveryTo !== '' ? null : deliveryFrom,
  deliveryPeriod: deliveryFrom === '' || deliveryTo === '' ? null : { start: deliveryFrom, end: deliveryTo },
});

const toDiscount = ({ percent, days }: InvoiceValues['earlyPaymentDiscount']) =>
  percent === '' && days === '' ? null : { percent: Number(percent), days: Number(days) };

/** All fields of a line; null stands for the default. */
const toLine = (line: LineValues) => ({
  productId: toId(line.productId),
  quantity: Number(line.quantity),
  description: line.description || null,
  details: line.details || null,
  unit: line.unit || null,
  unitPrice: toNumber(line.unitPrice),
  priceIncludesTax: line.priceIncludesTax === null ? null : line.priceIncludesTax === 'true',
  discountPercent: toNumber(line.discountPercent),
  taxRateId: toId(line.taxRateId),
  warehouseId: toId(line.warehouseId),
  ...toSupply(line),
  adjustments: toAdjustmentBodies(line.adjustments),
});

/** All fields of an invoice except its lines; null stands for the default. */
const toDocument = (values: InvoiceValues) => ({
  deposit: values.kind === 'deposit' ? true : null,
  depositInvoiceIds:
    values.kind === 'deposit' || values.depositInvoiceIds.length === 0 ? null : values.depositInvoiceIds.map(Number),
  issueDate: values.issueDate || null,
  dueDate: values.dueDate || null,
  paymentTerms: values.paymentTerms as InvoiceBody['paymentTerms'] | null,
  earlyPaymentDiscount: toDiscount(values.earlyPaymentDiscount),
  currencyCode: values.currencyCode,
  seriesId: toId(values.seriesId),
  language: values.language as InvoiceBody['language'] | null,
  reference: values.reference || null,
  buyerReference: values.buyerReference || null,
  notes: values.notes || null,
  ...toSupply(values),
  adjustments: toAdjustmentBodies(values.adjustments),
});

type Present<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** A copy without the fields that are null. */
const omitNulls = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Present<T>;

/** The body of a new draft; null until the customer, and quantity and product or free text of each line are known. */
export function toDraftBody(values: InvoiceValues): InvoiceBody | null {
  const { customerId, lines } = values;
  const isComplete = lines.every(
    ({ productId, quantity, description, unitPrice }) =>
      quantity !== '' && (productId !== null || (description !== '' && unitPrice !== '')),
  );
  if (customerId === null || lines.length === 0 || !isComplete) return null;
  return {
    ...omitNulls(toDocument(values)),
    customerId: Number(customerId),
    draft: true,
    lines: lines.map((line) => ({ ...omitNulls(toLine(line)), quantity: Number(line.quantity) })),
  };
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function toLineChange(line: LineValues, before: readonly LineValues[]): LineChange {
  const { adjustments, quantity, unitPrice, discountPercent, ...fields } = toLine(line);
  // An amount that is absent takes its default.
  const amounts = { quantity, ...omitNulls({ unitPrice, discountPercent }) };
  const stored = line.lineId === null ? undefined : before.find(({ lineId }) => lineId === line.lineId);
  if (stored === undefined) return { ...omitNulls(fields), ...amounts, adjustments };
  const isAdjusted = !isEqual(adjustments, toLine(stored).adjustments);
  // Reasons of discounts that were not sent stay defaults in the language of the document.
  return { ...fields, ...amounts, ...omitNulls({ lineId: stored.lineId }), ...(isAdjusted ? { adjustments } : {}) };
}

/**
 * The changes of a stored draft, in which null stands for the default. What was not changed is not sent, so that a
 * default stays one.
 */
export function toDraftChanges(values: InvoiceValues, draft: Invoice): DraftChanges {
  const before = readValues(draft);
  const stored: Record<string, unknown> = toDocument(before);
  const changed = Object.entries(toDocument(values)).filter(([name, value]) => !isEqual(value, stored[name]));
  const lines = values.lines.map((line) => toLineChange(line, before.lines));
  const hasLineChanges = !isEqual(
    lines,
    before.lines.map((line) => toLineChange(line, before.lines)),
  );
  const changes: DraftChanges = Object.fromEntries(changed);
  return {
    ...changes,
    ...('deliveryDate' in changes || 'deliveryPeriod' in changes ? toSupply(values) : {}),
    ...(values.customerId === before.customerId ? {} : { customerId: Number(values.customerId) }),
    ...(hasLineChanges ? { lines } : {}),
  };
}

/** Lines that the current draft does not have any more are new lines. */
export const reconcileLines = (values: InvoiceValues, current: Invoice): InvoiceValues => ({
  ...values,
  lines: values.lines.map((line) =>
    current.lines.some(({ lineId }) => lineId === line.lineId) ? line : { ...line, lineId: null },
  ),
});

/** The values after the choice of another customer, whose defaults and tax rates apply. */
export const changeCustomer = (values: InvoiceValues, customerId: string | null): InvoiceValues => ({
  ...values,
  customerId,
  depositInvoiceIds: [],
  paymentTerms: null,
  dueDate: '',
  currencyCode: null,
  language: null,
  buyerReference: '',
  // The rates of stored lines may be defaults for the customer before, which would be previewed and not be saved.
  lines: values.lines.map((line) => ({ ...line, taxRateId: null })),
});

/** The line after the choice of another product: price, text and tax of the one before are not its own. */
export const changeProduct = (line: LineValues, productId: string | null): LineValues => ({
  ...line,
  productId,
  description: '',
  details: '',
  unit: '',
  unitPrice: '',
  priceIncludesTax: null,
  taxRateId: null,
  warehouseId: null,
});
