/** Quantities have at most six decimals; the difference of two of them has rounding errors beyond. */
export const QUANTITY_DECIMALS = 6;

export const subtractQuantity = (whole: number, part: number): number =>
  Number((whole - part).toFixed(QUANTITY_DECIMALS));
