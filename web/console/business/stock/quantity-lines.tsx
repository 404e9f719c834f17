import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PRODUCTS, RecordSelect } from '../records/record-select';
import { DecimalInput } from '../../components/decimal-input';

export interface QuantityLine {
  key: string;
  productId: string | null;
  quantity: number | string;
  /** Cost of each added unit; only of adjustments. */
  unitCost: number | string;
}

/** A new row without a quantity. */
export const createQuantityLine = (): QuantityLine => ({
  key: crypto.randomUUID(),
  productId: null,
  quantity: '',
  unitCost: '',
});

interface QuantityLinesProps {
  /** Connects a field of the form, such as `lines.0.quantity`. */
  getInputProps: (path: string) => object;
  add: () => void;
  remove: (index: number) => void;
  lines: readonly QuantityLine[];
  quantityLabel: string;
  allowNegative?: boolean;
  hasCost?: boolean;
}

/** Products with quantities. */
export function QuantityLines(props: QuantityLinesProps) {
  const { getInputProps, add, remove, lines, quantityLabel, allowNegative = false, hasCost = false } = props;
  const { t } = useTranslation('stock');
  return (
    <Stack gap="sm">
      {lines.map((line, index) => (
        <Group key={line.key} align="end" gap="sm" role="group" aria-label={t('line', { position: index + 1 })}>
          <RecordSelect
            source={PRODUCTS}
            label={t('product')}
            required
            flex={2}
            miw={220}
            value={line.productId}
            onChange={() => undefined}
            {...getInputProps(`lines.${index}.productId`)}
          />
          <DecimalInput
            label={quantityLabel}
            required
            allowNegative={allowNegative}
            decimalScale={6}
            w={140}
            {...getInputProps(`lines.${index}.quantity`)}
          />
          {hasCost && (
            <DecimalInput
              label={t('unitCost')}
              allowNegative={false}
              decimalScale={6}
              w={140}
              {...getInputProps(`lines.${index}.unitCost`)}
            />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('removeLine', { position: index + 1 })}
            disabled={lines.length === 1}
            onClick={() => remove(index)}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t('addLine')}
        </Button>
      </Group>
    </Stack>
  );
}
