import { Button, Checkbox, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useApiForm } from '../../components/use-api-form';
import { RecordSelect, VENDORS } from '../records/record-select';
import { CostLines, createCostLine, toCostLine } from './cost-lines';
import type { CostLine } from './cost-lines';

interface OrderValues extends Record<string, unknown> {
  vendorId: string | null;
  expectedDate: string;
  reference: string;
  draft: boolean;
  lines: CostLine[];
}

const createOrder = ({ vendorId, expectedDate, reference, draft, lines }: OrderValues) =>
  business.createPurchaseOrder({
    vendorId: Number(vendorId),
    expectedDate: expectedDate || undefined,
    reference: reference || undefined,
    draft,
    lines: lines.map((line) => ({ ...toCostLine(line), productId: Number(line.productId) })),
  });

/** A new order to a vendor. */
export default function OrderEditorPage() {
  const { t } = useTranslation('purchasing');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = useApiForm<OrderValues, { data: { id: number | null } }>({
    initialValues: { vendorId: null, expectedDate: '', reference: '', draft: false, lines: [createCostLine()] },
    submit: createOrder,
    onDone: async ({ data: { id } }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await navigate({ to: `/purchase-orders/${id}` });
    },
  });
  return (
    <Page title={t('new')}>
      <form onSubmit={onSubmit}>
        <Stack maw={860}>
          <RecordSelect
            source={VENDORS}
            label={t('vendor')}
            required
            {...form.getInputProps('vendorId')}
            value={form.values.vendorId}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput type="date" label={t('expectedDate')} {...form.getInputProps('expectedDate')} />
            <TextInput label={t('reference')} {...form.getInputProps('reference')} />
          </SimpleGrid>
          <CostLines
            lines={form.values.lines}
            getInputProps={(path) => form.getInputProps(path)}
            add={() => form.insertListItem('lines', createCostLine())}
            remove={(index) => form.removeListItem('lines', index)}
          />
          <Checkbox label={t('draft')} {...form.getInputProps('draft', { type: 'checkbox' })} />
          <Failure error={failure} />
          <Group>
            <Button type="submit" loading={isPending}>
              {common('save')}
            </Button>
            <Button variant="default" component={Link} to="/purchase-orders">
              {common('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
