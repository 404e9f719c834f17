import { z } from 'zod';
import { Decimal } from '../../../domain/business/decimal';
import { ADJUSTMENT_TYPES } from '../../../domain/business/invoices/adjustments';
import type { DocumentAdjustmentSnapshot, LineAdjustmentSnapshot } from '../../../domain/business/invoices/invoice';
import type { DocumentAdjustmentInput } from '../../../services/business/invoices/invoice-adjustments';
import { amount, line, NULLABLE_DECIMAL, percent, readOnlyField, recordId } from '../fields';

const MAX_ADJUSTMENTS = 20;

const adjustmentFields = {
  type: z.enum(ADJUSTMENT_TYPES, { error: `must be one of ${ADJUSTMENT_TYPES.join(', ')}` }),
  reason: line(200).optional().meta({
    description: 'Reason, printed on the document. Default: the word for it in the language of the document.',
  }),
  percent: percent.optional().meta({ type: 'number', description: 'Percentage; either this or `amount`.' }),
  amount: amount.optional().meta({ type: 'number', description: 'Amount, greater than 0; either this or `percent`.' }),
};

const EITHER = { oneOf: [{ required: ['percent'] }, { required: ['amount'] }] };
const formatTypeError = (issue: { code?: string }) => (issue.code === 'invalid_type' ? 'must be an object' : undefined);

const buildAdjustmentList = <T extends z.ZodType>(adjustment: T) =>
  z
    .array(adjustment, { error: 'must be an array' })
    .max(MAX_ADJUSTMENTS, `must have at most ${MAX_ADJUSTMENTS} discounts and charges`);

/** Discounts and charges of a line in a request. */
export const lineAdjustmentsInput = buildAdjustmentList(
  z.strictObject(adjustmentFields, { error: formatTypeError }).meta(EITHER),
).meta({
  'x-addition': true,
  description:
    'Discounts and charges of the line, besides `discountPercent`. A percentage is of quantity × unit price; an amount includes tax if the unit price does.',
});

/** Discounts and charges of a document in a request. */
export const documentAdjustmentsInput = buildAdjustmentList(
  z
    .strictObject(
      {
        ...adjustmentFields,
        taxRateId: recordId.optional().meta({
          description:
            'Tax rate. A percentage then applies to the lines of this rate. Default: spread over the rates of the lines in proportion to their amounts.',
        }),
      },
      { error: formatTypeError },
    )
    .meta(EITHER),
).meta({
  'x-addition': true,
  description:
    'Discounts and charges of the whole document. An amount is before tax, unless the prices of all lines include tax. They are taxed like the lines they apply to.',
});

/**
 * The form in which a draft returns an adjustment: with computed fields, which a client may send back. If it has a
 * percentage, `amount` follows from it.
 */
const draftAdjustmentFields = {
  ...adjustmentFields,
  percent: percent.nullable().optional().meta(NULLABLE_DECIMAL),
  amount: amount.nullable().optional().meta(NULLABLE_DECIMAL),
};

export const draftLineAdjustmentsInput = buildAdjustmentList(
  z.strictObject(draftAdjustmentFields, { error: formatTypeError }),
);

export const draftDocumentAdjustmentsInput = buildAdjustmentList(
  z.strictObject(
    {
      ...draftAdjustmentFields,
      taxRateId: recordId.nullable().optional(),
      adjustmentId: readOnlyField,
      includesTax: readOnlyField,
      net: readOnlyField,
      tax: readOnlyField,
      taxPercent: readOnlyField,
    },
    { error: formatTypeError },
  ),
);

/** Converts adjustments that were sent back as a draft returns them. */
export const toAdjustmentInputs = (sent: z.infer<typeof draftDocumentAdjustmentsInput>): DocumentAdjustmentInput[] =>
  sent.map(({ type, reason, percent: rate, amount: value, taxRateId }) => ({
    type,
    reason,
    percent: rate ?? undefined,
    amount: rate == null ? (value ?? undefined) : undefined,
    taxRateId: taxRateId ?? undefined,
  }));

type PresentedAdjustment = z.infer<typeof draftDocumentAdjustmentsInput>[number];

const describe = ({ type, reason, percent: rate, amount: value, taxRateId }: PresentedAdjustment): string =>
  JSON.stringify([type, reason, rate?.toFixed() ?? null, value?.toFixed() ?? null, taxRateId ?? null]);

/** Whether the list is the one that the draft returns: what it was computed from then stays. */
export const isUnchanged = (
  sent: readonly PresentedAdjustment[],
  current: readonly DocumentAdjustmentSnapshot[] = [],
): boolean => sent.map(describe).join() === current.map((each) => describe(presentDocumentAdjustment(each))).join();

const percentOrNull = z.number().nullable().meta({ description: 'Percentage; null for an amount.' });

export const lineAdjustmentSchema = z.object({
  type: z.enum(ADJUSTMENT_TYPES),
  reason: z.string(),
  percent: percentOrNull,
  amount: z.number(),
});

/** A discount or charge of a document at one tax rate. */
export const documentAdjustmentSchema = z.object({
  adjustmentId: z.number().int(),
  type: z.enum(ADJUSTMENT_TYPES),
  reason: z.string(),
  percent: percentOrNull,
  includesTax: z.boolean().meta({ description: 'Whether `amount` includes tax.' }),
  amount: z.number(),
  net: z.number().meta({ description: 'Amount before tax.' }),
  tax: z.number(),
  taxRateId: z.number().int(),
  taxPercent: z.number(),
});

const toNumber = (text: string | null): Decimal | null => (text === null ? null : new Decimal(text));

/**
 * A discount or charge of a line, with the percentage or null and the positive amount in the currency of the document.
 */
export const presentLineAdjustment = ({ type, reason, percent: rate, amount: value }: LineAdjustmentSnapshot) => ({
  type,
  reason,
  percent: toNumber(rate),
  amount: new Decimal(value),
});

/**
 * A discount or charge of the whole document at one tax rate, with positive amounts in the currency of the document.
 */
export const presentDocumentAdjustment = (adjustment: DocumentAdjustmentSnapshot) => ({
  adjustmentId: adjustment.adjustmentId,
  type: adjustment.type,
  reason: adjustment.reason,
  percent: toNumber(adjustment.percent),
  includesTax: adjustment.includesTax,
  amount: new Decimal(adjustment.amount),
  net: new Decimal(adjustment.net),
  tax: new Decimal(adjustment.tax),
  taxRateId: adjustment.taxRateId,
  taxPercent: new Decimal(adjustment.taxPercent),
});
