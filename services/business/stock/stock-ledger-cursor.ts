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

/** A position as a client sends it; `quantities` is null if they did not fit. */
export type SentPosition = Omit<LedgerPosition, 'quantities'> & { quantities: WarehouseQuantities | null };

/** Maximum number of characters of a cursor, which is a part of an address. */
export const MAX_CURSOR_LENGTH = 8000;

/** Maximum number of warehouses whose quantities are in a cursor: at most 64 characters each in base64. */
const MAX_CURSOR_WAREHOUSES = 100;

const decimalText = z.string().regex(/^-?\d{1,20}(\.\d{1,10})?$/);

const cursorSchema = z.strictObject({
  s: z.number().int().min(0),
  q: z.array(z.tuple([z.number().int(), decimalText])).nullable(),
  o: z.tuple([decimalText, decimalText]),
});

/** Writes a position. With the quantities of few warehouses, the next page need not sum the movements before it again. */
export const encodeCursor = ({ sequence, quantities, opening }: LedgerPosition): string => {
  const held = [...quantities].filter(([, quantity]) => !quantity.isZero());
  const q = held.length > MAX_CURSOR_WAREHOUSES ? null : held.map(([id, quantity]) => [id, quantity.toFixed()]);
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
export function decodeCursor(cursor: string): SentPosition {
  const read = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!read.success) throw invalidFieldError('cursor', 'accepts the nextCursor of the previous page');
  const { s, q, o } = read.data;
  return {
    sequence: s,
    quantities: q === null ? null : new Map(q.map(([id, quantity]) => [id, new Decimal(quantity)])),
    opening: { quantity: new Decimal(o[0]), value: new Decimal(o[1]) },
  };
}
