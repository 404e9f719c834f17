import { restorePositions } from '../../../shared/failures';

/** Quantities have at most six decimals; the difference of two of them has rounding errors beyond. */
export const QUANTITY_DECIMALS = 6;

/** The difference of two quantities, without the error of binary fractions. */
export const subtractQuantity = (whole: number, part: number): number =>
  Number((whole - part).toFixed(QUANTITY_DECIMALS));

/** Goods of a line of an order or receipt; empty for nothing, and for the cost of that line. */
export interface GoodsLine {
  lineId: number;
  quantity: number | string;
  unitCost: number | string;
}

/** Goods as the API expects them. */
interface SentLine {
  lineId: number;
  quantity: number;
  unitCost?: number;
}

/** Sends the lines that have a quantity; a problem of one of them is found at its field. */
export async function sendGoods<R>(lines: readonly GoodsLine[], send: (lines: SentLine[]) => Promise<R>): Promise<R> {
  const chosen = [...lines.entries()].filter(([, { quantity }]) => Number(quantity) > 0);
  const sent = chosen.map(([, { lineId, quantity, unitCost }]) => ({
    lineId,
    quantity: Number(quantity),
    ...(unitCost === '' ? {} : { unitCost: Number(unitCost) }),
  }));
  try {
    return await send(sent);
  } catch (error) {
    const positions = chosen.map(([position]) => position);
    throw restorePositions(error, 'lines', positions);
  }
}
