import { ActionIcon, Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { PRODUCTS, RecordSelect } from '../records/record-select';

export interface CostLine {
  key: string;
  /** Null for a line in free text, which only bills have. */
  productId: string | null;
  description: string;
  quantity: number | string;
  unitCost: number | string;
}

export const createCostLine = (): CostLine => ({
  key: crypto.randomUUID(),
  productId: null,
  description: '',
  quantity: 1,
  unitCost: '',
});

export const toCostLine = ({ productId, description, quantity, unitCost }: CostLine) => ({
  ...(productId === null ? {} : { productId: Number(productId) }),
  ...(description === '' ? {} : { description }),
  quantity: Number(quantity),
  unitCost: Number(unitCost),
});

interface CostLinesProps {
  lines: readonly CostLine[];
  /** Connects a field of the form, such as `lines.0.quantity`. */
  getInputProps: (path: string) => object;
  add: () => void;
  remove: (index: number) => void;
  /** Whether a line may have a description instead of a product. */
  allowText?: boolean;
}

const NUMBER = { hideControls: true, allowNegative: false, decimalScale: 6, required: true, w: 120 } as const;

/** Products with quantities and costs. */
export function CostLines({ lines, getInputProps, add, remove, allowText = false }: CostLinesProps) {
  const { t } = useTranslation('purchasing');
  return (
    <Stack gap="sm">
      {lines.map((line, index) => (
        <Group key={line.key} align="end" gap="sm" role="group" aria-label={t('line', { position: index + 1 })}>
          <RecordSelect
            source={PRODUCTS}
            label={t('product')}
            required={!allowText}
            clearable={allowText}
            flex={2}
            miw={220}
            value={line.productId}
            onChange={() => undefined}
            {...getInputProps(`lines.${index}.productId`)}
          />
          {allowText && (
            <TextInput
              label={t('description')}
              required={line.productId === null}
              flex={2}
              miw={180}
              {...getInputProps(`lines.${index}.description`)}
            />
          )}
          <NumberInput label={t('quantity')} {...NUMBER} {...getInputProps(`lines.${index}.quantity`)} />
          <NumberInput label={t('unitCost')} {...NUMBER} {...getInputProps(`lines.${index}.unitCost`)} />
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
