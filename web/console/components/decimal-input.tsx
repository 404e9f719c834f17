import { Text, TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useState } from 'react';
import type { ChangeEvent, FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../shared/format';
import { getSeparators, readDecimal } from './read-decimal';

/** Digits that a number of JavaScript represents exactly; longer numbers stay texts. */
const MAX_DIGITS = 15;

type DecimalValue = number | string;

interface DecimalInputProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'inputMode'> {
  /** A number, or '' without one. */
  value?: DecimalValue | null;
  onChange?: (value: DecimalValue) => void;
  /** @default true */
  allowNegative?: boolean;
  /** Decimals that can be typed. @default as many as are typed */
  decimalScale?: number;
  /** Larger numbers become this one when the field is left. */
  max?: number;
  /** What the number counts, such as `%`. */
  unit?: string;
}

const toValue = (number: string): DecimalValue =>
  number === '' || number.replaceAll(/\D/g, '').length > MAX_DIGITS ? number : Number(number);

/** A value as the display language writes it, without groups. */
function toText(value: DecimalValue | null | undefined, decimal: string): string {
  if (typeof value === 'number') return formatNumber(value, { useGrouping: false, maximumFractionDigits: 20 });
  return (value ?? '').replace('.', decimal);
}

/**
 * A field for an amount, a quantity or another number with decimals. While it is edited it shows what was typed, such as
 * `1,234.56`; once it is left, the number as the display language writes it.
 */
export function DecimalInput(props: DecimalInputProps) {
  const { value, onChange, onBlur, allowNegative = true, decimalScale, max, unit, ...input } = props;
  const { i18n } = useTranslation();
  const separators = getSeparators(i18n.language);
  /** What was typed, and the value that it is; another value has replaced it. */
  const [draft, setDraft] = useState<{ text: string; value: DecimalValue } | null>(null);
  const change = ({ currentTarget: { value: text } }: ChangeEvent<HTMLInputElement>): void => {
    const number = readDecimal(text, separators);
    if (number === null || (!allowNegative && text.includes('-'))) return;
    const excess = decimalScale === undefined ? 0 : (number.split('.')[1]?.length ?? 0) - decimalScale;
    const next = toValue(excess > 0 ? number.slice(0, -excess) : number);
    setDraft(excess > 0 ? null : { text, value: next });
    onChange?.(next);
  };
  const leave = (event: FocusEvent<HTMLInputElement>): void => {
    setDraft(null);
    if (max !== undefined && typeof value === 'number' && value > max) onChange?.(max);
    onBlur?.(event);
  };
  return (
    <TextInput
      {...input}
      inputMode="decimal"
      autoComplete="off"
      value={draft !== null && draft.value === value ? draft.text : toText(value, separators.decimal)}
      onChange={change}
      onBlur={leave}
      {...(unit === undefined
        ? {}
        : {
            rightSection: (
              <Text size="sm" c="dimmed">
                {unit}
              </Text>
            ),
          })}
    />
  );
}
