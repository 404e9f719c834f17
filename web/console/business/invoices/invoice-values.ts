import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';

export type Invoice = BusinessResponse<'getInvoice'>['data'];
type InvoiceBody = BusinessBody<'createInvoice'>;
type DraftChanges = BusinessBody<'updateInvoice'>;

/** A number field: empty text until the user fills it in, which means the default. */
type NumberValue = number | string;

export interface LineValues {
  /** Identifies the line in the form. */
  key: string;
  /** Id of the line in the draft; null for a new line. */
  lineId: number | null;
  /** Null for a line in free text, which needs a description and a price. */
  productId: string | null;
  quantity: NumberValue;
  description: string;
  unitPrice: NumberValue;
  discountPercent: NumberValue;
  taxRateId: string | null;
}

/** An invoice as it is edited. An empty field takes the default of the customer, the product or the company. */
export interface InvoiceValues extends Record<string, unknown> {
  customerId: string | null;
  issueDate: string;
  paymentTerms: string | null;
  currencyCode: string | null;
  language: string | null;
  reference: string;
  notes: string;
  deliveryFrom: string;
  /** Last day of a period of supply; empty for a single day. */
  deliveryTo: string;
  lines: LineValues[];
}

export const createLine = (): LineValues => ({
  key: crypto.randomUUID(),
  lineId: null,
  productId: null,
  quantity: 1,
  description: '',
  unitPrice: '',
  discountPercent: '',
  taxRateId: null,
});

export const createValues = (customerId: string | null): InvoiceValues => ({
  customerId,
  issueDate: '',
  paymentTerms: null,
  currencyCode: null,
  language: null,
  reference: '',
  notes: '',
  deliveryFrom: '',
  deliveryTo: '',
  lines: [createLine()],
});

/** The values of a stored draft. */
export const readValues = (draft: Invoice): InvoiceValues => ({
  customerId: String(draft.customerId),
  issueDate: draft.issueDate,
  paymentTerms: draft.paymentTerms,
  currencyCode: draft.currencyCode,
  language: draft.language,
  reference: draft.reference ?? '',
  notes: draft.notes ?? '',
  deliveryFrom: draft.deliveryDate ?? draft.deliveryPeriod?.start ?? '',
  deliveryTo: draft.deliveryPeriod?.end ?? '',
  lines: draft.lines.map((line) => ({
    key: String(line.lineId),
    lineId: line.lineId,
    productId: line.productId === null ? null : String(line.productId),
    quantity: line.quantity,
    description: line.description,
    unitPrice: line.unitPrice,
    discountPercent: line.discountPercent,
    taxRateId: String(line.taxRateId),
  })),
});

const toNumber = (value: NumberValue): number | undefined => (value === '' ? undefined : Number(value));
const toId = (value: string | null): number | undefined => (value === null ? undefined : Number(value));

function toSupplyDates({ deliveryFrom, deliveryTo }: InvoiceValues) {
  if (deliveryFrom === '') return {};
  return deliveryTo === ''
    ? { deliveryDate: deliveryFrom }
    : { deliveryPeriod: { start: deliveryFrom, end: deliveryTo } };
}

const hasEmptyField = ({ description, unitPrice, discountPercent, taxRateId }: LineValues): boolean =>
  description === '' || unitPrice === '' || discountPercent === '' || taxRateId === null;

const toLineBody = (line: LineValues) => ({
  productId: toId(line.productId),
  quantity: Number(line.quantity),
  description: line.description || undefined,
  unitPrice: toNumber(line.unitPrice),
  discountPercent: toNumber(line.discountPercent),
  taxRateId: toId(line.taxRateId),
});

/** The body of a new draft; null until the customer, and quantity and product or free text of each line are known. */
export function toDraftBody(values: InvoiceValues): InvoiceBody | null {
  const { customerId, lines } = values;
  const isComplete = lines.every(
    ({ productId, quantity, description, unitPrice }) =>
      quantity !== '' && (productId !== null || (description !== '' && unitPrice !== '')),
  );
  if (customerId === null || lines.length === 0 || !isComplete) return null;
  return {
    customerId: Number(customerId),
    draft: true,
    issueDate: values.issueDate || undefined,
    paymentTerms: (values.paymentTerms as InvoiceBody['paymentTerms']) ?? undefined,
    currencyCode: values.currencyCode ?? undefined,
    language: (values.language as InvoiceBody['language']) ?? undefined,
    reference: values.reference || undefined,
    notes: values.notes || undefined,
    ...toSupplyDates(values),
    lines: lines.map(toLineBody),
  };
}

/** The changes of a stored draft, in which null stands for the default. */
export const toDraftChanges = (values: InvoiceValues): DraftChanges => ({
  customerId: toId(values.customerId),
  issueDate: values.issueDate || null,
  paymentTerms: (values.paymentTerms as DraftChanges['paymentTerms']) ?? null,
  currencyCode: values.currencyCode,
  language: (values.language as DraftChanges['language']) ?? null,
  reference: values.reference || null,
  notes: values.notes || null,
  deliveryDate: null,
  deliveryPeriod: null,
  ...toSupplyDates(values),
  lines: values.lines.map((line) => ({
    // A line in which a field was emptied takes its defaults again, as a new line does.
    ...(line.lineId === null || hasEmptyField(line) ? {} : { lineId: line.lineId }),
    ...toLineBody(line),
  })),
});
