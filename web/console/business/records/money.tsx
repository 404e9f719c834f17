import { Text } from '@mantine/core';
import type { TextProps } from '@mantine/core';
import { formatMoney, formatNumber } from '../../../shared/format';

interface MoneyProps extends TextProps {
  amount: number | null | undefined;
  /** Undefined while it is being read: the amount is then shown without one. */
  currency: string | undefined;
  /** Whether it is the price or cost of one unit, which may have more decimals than the currency. @default false */
  isUnit?: boolean;
}

function formatAmount(amount: number, currency: string | undefined, isUnit: boolean): string {
  return currency === undefined ? formatDecimal(amount) : formatMoney(amount, currency, isUnit);
}

/** An amount with its currency, in figures of equal width; a dash where there is none. */
export function Money({ amount, currency, isUnit = false, ...text }: MoneyProps) {
  return (
    <Text component="span" size="sm" ff="inherit" style={{ fontVariantNumeric: 'tabular-nums' }} {...text}>
      {amount === null || amount === undefined ? '–' : formatAmount(amount, currency, isUnit)}
    </Text>
  );
}

/** Red that has enough contrast in light and dark mode. */
export const RED = 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-3))';

/** A quantity or percentage with all of its decimals, of which the API accepts six. */
export const formatDecimal = (value: number): string => formatNumber(value, { maximumFractionDigits: 6 });
