/** Rounds to one decimal place. */
export const roundToTenth = (value: number): number => Math.round(value * 10) / 10;
