import { z } from 'zod';
import { Decimal } from '../../../domain/business/decimal';
import { invalidFieldError } from '../../../domain/errors';

/** Quantities of a product by warehouse. */
export type WarehouseQuantities = ReadonlyMap<number, Decimal>;

/** Stock before the first movement of a period. */
export interface OpeningStock {
  quantity: Decimal;
  value: Decimal;
}

/** A position in the ledger of a product: the last sequence, and the stock of its warehouses after it. */
export interface LedgerPosition {
  sequence: number;
  quantities: WarehouseQuantities;
  opening: OpeningStock;
}

const decimalText = z.string().regex(/^-?\d{1,20}(\.\d{1,10})?$/);

const cursorSchema = z.strictObject({
  s: z.number().int().min(0),
  q: z.array(z.tuple([z.number().int(), decimalText])).max(1000),
  o: z.tuple([decimalText, decimalText]),
});

/** Writes a position, so that the next page need not sum the movements before it again. */
export const encodeCursor = ({ sequence, quantities, opening }: LedgerPosition): string => {
  const q = [...quantities].map(([id, quantity]) => [id, quantity.toFixed()]);
  const o = [opening.quantity.toFixed(), opening.value.toFixed()];
  return Buffer.from(JSON.stringify({ s: sequence, q, o })).toString('base64url');
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @throws AppError 400 for another text than the `nextCursor` of a page */
export function decodeCursor(cursor: string): LedgerPosition {
  const read = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!read.success) throw invalidFieldError('cursor', 'accepts the nextCursor of the previous page');
  const { s, q, o } = read.data;
  return {
    sequence: s,
    quantities: new Map(q.map(([id, quantity]) => [id, new Decimal(quantity)])),
    opening: { quantity: new Decimal(o[0]), value: new Decimal(o[1]) },
  };
}
