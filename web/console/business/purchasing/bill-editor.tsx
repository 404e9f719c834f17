import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
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

interface BillValues extends Record<string, unknown> {
  vendorId: string | null;
  number: string;
  date: string;
  dueDate: string;
  lines: CostLine[];
}

const recordBill = ({ vendorId, number, date, dueDate, lines }: BillValues) =>
  business.recordVendorBill({
    vendorId: Number(vendorId),
    number,
    date,
    dueDate: dueDate || undefined,
    lines: lines.map(toCostLine),
  });

/** A bill of a vendor for something without a goods receipt, such as rent or a service. */
export default function BillEditorPage() {
  const { t } = useTranslation('purchasing');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = useApiForm<BillValues, { data: { id: number } }>({
    initialValues: { vendorId: null, number: '', date: '', dueDate: '', lines: [createCostLine()] },
    submit: recordBill,
    onDone: async ({ data: { id } }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await navigate({ to: `/bills/${id}` });
    },
  });
  return (
    <Page title={t('newBill')}>
      <form onSubmit={onSubmit}>
        <Stack maw={960}>
          <RecordSelect
            source={VENDORS}
            label={t('vendor')}
            required
            {...form.getInputProps('vendorId')}
            value={form.values.vendorId}
          />
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <TextInput label={t('billNumber')} required {...form.getInputProps('number')} />
            <TextInput type="date" label={t('billDate')} required {...form.getInputProps('date')} />
            <TextInput type="date" label={t('dueDate')} {...form.getInputProps('dueDate')} />
          </SimpleGrid>
          <CostLines
            lines={form.values.lines}
            getInputProps={(path) => form.getInputProps(path)}
            add={() => form.insertListItem('lines', createCostLine())}
            remove={(index) => form.removeListItem('lines', index)}
            allowText
          />
          <Failure error={failure} />
          <Group>
            <Button type="submit" loading={isPending}>
              {t('recordBill')}
            </Button>
            <Button variant="default" component={Link} to="/payables">
              {common('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
