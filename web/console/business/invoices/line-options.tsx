import { Button, Collapse, Grid, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useWarehouses } from '../records/lookups';
import { AdjustmentEditor } from './adjustment-editor';
import type { InvoiceValues, LineValues } from './invoice-values';
import type { Calculation } from './use-calculation';

interface LineOptionsProps {
  form: UseFormReturnType<InvoiceValues>;
  line: LineValues;
  index: number;
  /** Undefined until the invoice has been computed. */
  calculation: Calculation | undefined;
}

/** Whether a line has more than the fields that are always shown. */
const hasOptions = ({ details, deliveryFrom, adjustments }: LineValues): boolean =>
  details !== '' || deliveryFrom !== '' || adjustments.length > 0;

function OptionFields({ form, line, index, calculation }: LineOptionsProps) {
  const { t } = useTranslation('invoices');
  const warehouses = useWarehouses();
  const computed = calculation?.lines[index];
  const field = (name: string) => form.getInputProps(`lines.${index}.${name}`);
  return (
    <Grid gap="xs" align="end">
      <Grid.Col span={12}>
        <Textarea
          label={t('lineDetails')}
          placeholder={computed?.details ?? undefined}
          autosize
          minRows={1}
          {...field('details')}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 3 }}>
        <TextInput label={t('unit')} placeholder={computed?.unit} {...field('unit')} />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 3 }}>
        <Select
          label={t('priceIncludesTax')}
          clearable
          placeholder={
            computed === undefined ? undefined : t(`taxIncluded.${computed.priceIncludesTax ? 'true' : 'false'}`)
          }
          data={(['false', 'true'] as const).map((value) => ({ value, label: t(`taxIncluded.${value}`) }))}
          {...field('priceIncludesTax')}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 3 }}>
        <TextInput type="date" label={t('deliveredFrom')} {...field('deliveryFrom')} />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 3 }}>
        <TextInput type="date" label={t('deliveredTo')} {...field('deliveryTo')} />
      </Grid.Col>
      {line.productId !== null && (
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Select
            label={t('warehouse')}
            clearable
            placeholder={warehouses.find(({ value }) => value === String(computed?.warehouseId))?.label}
            data={warehouses}
            {...field('warehouseId')}
          />
        </Grid.Col>
      )}
      <Grid.Col span={12}>
        <AdjustmentEditor
          form={form}
          path={`lines.${index}.adjustments`}
          adjustments={line.adjustments}
          currency={calculation?.currencyCode}
        />
      </Grid.Col>
    </Grid>
  );
}

/** The fields of a line that few invoices need. */
export function LineOptions({ form, line, index, calculation }: LineOptionsProps) {
  const { t } = useTranslation('invoices');
  const [opened, { toggle }] = useDisclosure(hasOptions(line));
  const Chevron = opened ? IconChevronUp : IconChevronDown;
  return (
    <Stack gap="xs">
      <Button
        variant="subtle"
        size="compact-xs"
        onClick={toggle}
        aria-expanded={opened}
        rightSection={<Chevron size={14} aria-hidden />}
        style={{ alignSelf: 'start' }}
      >
        {t('moreFields')}
      </Button>
      {/* Fields that are not shown are not in the document, so that the keyboard does not reach them. */}
      <Collapse expanded={opened} keepMounted={false}>
        <OptionFields form={form} line={line} index={index} calculation={calculation} />
      </Collapse>
    </Stack>
  );
}
