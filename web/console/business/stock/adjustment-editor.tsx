import { Button, Group, Radio, Select, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageForm } from '../../components/use-page-form';
import { useWarehouses } from '../records/lookups';
import { createQuantityLine, QuantityLines } from './quantity-lines';
import type { QuantityLine } from './quantity-lines';

interface AdjustmentValues extends Record<string, unknown> {
  warehouseId: string | null;
  reason: string;
  /** Whether quantities are what was counted, or differences. */
  method: 'counted' | 'difference';
  lines: QuantityLine[];
}

const postAdjustment = ({ warehouseId, reason, method, lines }: AdjustmentValues) =>
  business.createAdjustment({
    warehouseId: Number(warehouseId),
    reason,
    lines: lines.map(({ productId, quantity, unitCost }) => ({
      productId: Number(productId),
      ...(method === 'counted' ? { countedQuantity: Number(quantity) } : { quantityDelta: Number(quantity) }),
      ...(unitCost === '' ? {} : { unitCost: Number(unitCost) }),
    })),
  });

/** Corrects the quantities of a warehouse after counting, or by differences. */
export default function AdjustmentEditorPage() {
  const { t } = useTranslation('stock');
  const { t: common } = useTranslation('business');
  const warehouses = useWarehouses();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = usePageForm<AdjustmentValues, unknown>({
    initialValues: { warehouseId: null, reason: '', method: 'counted', lines: [createQuantityLine()] },
    submit: postAdjustment,
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: t('posted') });
      await navigate({ to: '/stock' });
    },
  });
  const isCounted = form.values.method === 'counted';
  return (
    <Page title={t('newAdjustment')}>
      <form onSubmit={onSubmit}>
        <Stack maw={860}>
          <Select label={t('warehouse')} required data={warehouses} {...form.getInputProps('warehouseId')} />
          <TextInput label={t('reason')} required {...form.getInputProps('reason')} />
          <Radio.Group label={t('method')} {...form.getInputProps('method')}>
            <Group mt={4}>
              {(['counted', 'difference'] as const).map((value) => (
                <Radio key={value} value={value} label={t(`methods.${value}`)} />
              ))}
            </Group>
          </Radio.Group>
          <QuantityLines
            getInputProps={(path) => form.getInputProps(path)}
            add={() => form.insertListItem('lines', createQuantityLine())}
            remove={(index) => form.removeListItem('lines', index)}
            lines={form.values.lines}
            quantityLabel={t(isCounted ? 'methods.counted' : 'methods.difference')}
            allowNegative={!isCounted}
            hasCost
          />
          <Failure error={failure} />
          <Group>
            <Button type="submit" loading={isPending}>
              {t('post')}
            </Button>
            <Button variant="default" component={Link} to="/stock">
              {common('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
