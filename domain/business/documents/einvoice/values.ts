import type { DecimalText } from '../../decimal';
import { Decimal } from '../../decimal';

/** Without spaces around it; null if nothing else is left. */
export const blankToNull = (text: string | null): string | null =>
  text === null || text.trim() === '' ? null : text.trim();

/**
 * Formats an amount with at least the decimals of its currency: `150` → `150.00`. The rules check for more decimals.
 */
export const formatAmount = (text: DecimalText, decimals: number): DecimalText => {
  const value = new Decimal(text);
  return value.toFixed(Math.max(decimals, value.decimalPlaces()));
};
