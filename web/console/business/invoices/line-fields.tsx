import { ActionIcon, Grid, Group, Select, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useTaxRates } from '../records/lookups';
import { formatDecimal, Money } from '../records/money';
import type { Calculation } from './use-calculation';
import { DecimalInput } from '../../components/decimal-input';

/** Numbers of the API have at most six decimals. */
const DECIMALS = { decimalScale: 6, allowNegative: false } as const;

interface AmountFieldsProps {
  /** Connects a field of the line, such as `quantity`. */
  field: (name: string) => object;
  /** The line as it was computed; undefined until then. */
  computed: Calculation['lines'][number] | undefined;
  isPriceRequired: boolean;
}

/** Quantity, price, discount and tax of a line; an empty field takes the default of the product. */
export function AmountFields({ field, computed, isPriceRequired }: AmountFieldsProps) {
  const { t } = useTranslation('invoices');
  const taxRates = useTaxRates();
  return (
    <>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <DecimalInput label={t('quantity')} required {...DECIMALS} {...field('quantity')} />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <DecimalInput
          label={t('unitPrice')}
          required={isPriceRequired}
          placeholder={computed === undefined ? undefined : formatDecimal(computed.unitPrice)}
          {...DECIMALS}
          {...field('unitPrice')}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <DecimalInput label={t('discount')} unit="%" placeholder="0" {...DECIMALS} {...field('discountPercent')} />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <Select
          label={t('taxRate')}
          data={taxRates}
          clearable
          placeholder={taxRates.find(({ value }) => value === String(computed?.taxRateId))?.label}
          {...field('taxRateId')}
        />
      </Grid.Col>
    </>
  );
}

interface LineFooterProps {
  position: number;
  /** Undefined until the line has been computed. */
  net: number | undefined;
  currency: string | undefined;
  /** Absent for the only line. */
  remove?: () => void;
}

/** The amount of a line, and the button that removes it. */
export function LineFooter({ position, net, currency = 'EUR', remove }: LineFooterProps) {
  const { t } = useTranslation('invoices');
  return (
    <Group justify="space-between" wrap="nowrap" mih={36}>
      <Stack gap={0}>
        <Text size="xs" c="dimmed">
          {t('lineNet')}
        </Text>
        <Money amount={net} currency={currency} fw={600} />
      </Stack>
      <ActionIcon
        variant="subtle"
        color="red"
        aria-label={t('removeLine', { position })}
        disabled={remove === undefined}
        onClick={remove}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
