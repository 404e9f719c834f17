import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
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

interface TransferValues extends Record<string, unknown> {
  fromWarehouseId: string | null;
  toWarehouseId: string | null;
  reason: string;
  lines: QuantityLine[];
}

const postTransfer = ({ fromWarehouseId, toWarehouseId, reason, lines }: TransferValues) =>
  business.createTransfer({
    fromWarehouseId: Number(fromWarehouseId),
    toWarehouseId: Number(toWarehouseId),
    reason: reason || undefined,
    lines: lines.map(({ productId, quantity }) => ({ productId: Number(productId), quantity: Number(quantity) })),
  });

/** Moves goods from one warehouse to another. */
export default function TransferEditorPage() {
  const { t } = useTranslation('stock');
  const { t: common } = useTranslation('business');
  const warehouses = useWarehouses();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = usePageForm<TransferValues, unknown>({
    initialValues: { fromWarehouseId: null, toWarehouseId: null, reason: '', lines: [createQuantityLine()] },
    submit: postTransfer,
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: t('posted') });
      await navigate({ to: '/stock' });
    },
  });
  return (
    <Page title={t('newTransfer')}>
      <form onSubmit={onSubmit}>
        <Stack maw={860}>
          <Group grow>
            <Select label={t('from')} required data={warehouses} {...form.getInputProps('fromWarehouseId')} />
            <Select label={t('to')} required data={warehouses} {...form.getInputProps('toWarehouseId')} />
          </Group>
          <TextInput label={t('reason')} {...form.getInputProps('reason')} />
          <QuantityLines
            getInputProps={(path) => form.getInputProps(path)}
            add={() => form.insertListItem('lines', createQuantityLine())}
            remove={(index) => form.removeListItem('lines', index)}
            lines={form.values.lines}
            quantityLabel={t('quantity')}
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
