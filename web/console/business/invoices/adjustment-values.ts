import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';

type AdjustmentBody = NonNullable<BusinessBody<'createInvoice'>['adjustments']>[number];

/** A discount or charge as it is edited. */
export interface AdjustmentValues {
  /** Identifies the row in the form. */
  key: string;
  type: 'discount' | 'charge';
  reason: string;
  basis: 'percent' | 'amount';
  value: number | string;
  /** Only of the whole document; null spreads it over the rates of the lines. */
  taxRateId: string | null;
}

/** A new row, for a discount in percent. */
export const createAdjustment = (): AdjustmentValues => ({
  key: crypto.randomUUID(),
  type: 'discount',
  reason: '',
  basis: 'percent',
  value: '',
  taxRateId: null,
});

type StoredLine = BusinessResponse<'getInvoice'>['data']['lines'][number];
type StoredAdjustment = StoredLine['adjustments'][number] & { taxRateId?: number };

/** The values of stored discounts and charges. */
export const readAdjustments = (adjustments: readonly StoredAdjustment[]): AdjustmentValues[] =>
  adjustments.map(({ type, reason, percent, amount, taxRateId }, index) => ({
    key: String(index),
    type,
    reason,
    basis: percent === null ? 'amount' : 'percent',
    value: percent ?? amount,
    taxRateId: taxRateId === undefined ? null : String(taxRateId),
  }));

/** The bodies of discounts and charges; a row without a value is left out. */
export const toAdjustmentBodies = (adjustments: readonly AdjustmentValues[]): AdjustmentBody[] =>
  adjustments
    .filter(({ value }) => value !== '')
    .map(({ type, reason, basis, value, taxRateId }) => ({
      type,
      ...(reason === '' ? {} : { reason }),
      ...(basis === 'percent' ? { percent: Number(value) } : { amount: Number(value) }),
      ...(taxRateId === null ? {} : { taxRateId: Number(taxRateId) }),
    }));
