import { Badge, Button, Group, Modal, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { defineColumns } from '../records/columns';
import { formatDecimal } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { settingsSearch } from './settings-search';

type TaxRate = BusinessResponse<'listTaxRates'>['data'][number];

/** VAT categories of EN 16931 (UNTDID 5305). */
const CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'] as const;
const SORTS = ['name', 'createdAt'] as const;

interface TaxRateValues extends Record<string, unknown> {
  name: string;
  percent: number | string;
  category: (typeof CATEGORIES)[number];
  exemptionReason: string;
}

function CreateTaxRate() {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const { form, onSubmit, isPending, failure } = useApiForm<TaxRateValues, unknown>({
    initialValues: { name: '', percent: '', category: 'S', exemptionReason: '' },
    submit: ({ name, percent, category, exemptionReason }) =>
      business.createTaxRate({ name, percent: Number(percent), category, exemptionReason: exemptionReason || null }),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business', 'listTaxRates'] });
      form.reset();
      close();
    },
  });
  if (!permissions.has('config:update')) return null;
  return (
    <Group>
      <Button onClick={open}>{t('newTaxRate')}</Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('newTaxRate')}
        closeButtonProps={{ 'aria-label': common('close') }}
      >
        <form onSubmit={onSubmit}>
          <Stack>
            <TextInput label={t('name')} required {...form.getInputProps('name')} />
            <NumberInput
              label={t('percent')}
              required
              hideControls
              allowNegative={false}
              decimalScale={4}
              {...form.getInputProps('percent')}
            />
            <Select
              label={t('category')}
              allowDeselect={false}
              data={CATEGORIES.map((value) => ({ value, label: `${value} – ${t(`categories.${value}`)}` }))}
              {...form.getInputProps('category')}
            />
            <TextInput
              label={t('exemptionReason')}
              description={t('exemptionHint')}
              {...form.getInputProps('exemptionReason')}
            />
            <Failure error={failure} />
            <Group justify="end">
              <Button type="submit" loading={isPending}>
                {common('save')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Group>
  );
}

const column = defineColumns<TaxRate>();

/** The tax rates of the company. */
export function TaxRates() {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const [position, change] = usePageSearch(settingsSearch);
  const { page, search, sortDir } = position;
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, active: 'all' as const };
  return (
    <Stack>
      <CreateTaxRate />
      <RecordList
        label={t('tabs.taxes')}
        columns={[
          column('name', t('name'), ({ name }) => name),
          column('percent', t('percent'), ({ percent }) => `${formatDecimal(percent)} %`),
          column('category', t('category'), ({ category }) => `${category} – ${t(`categories.${category}`)}`),
          column('active', common('activity.label'), ({ active }) => (
            <Badge variant="light" color={active ? 'green' : 'gray'}>
              {common(active ? 'activity.true' : 'activity.false')}
            </Badge>
          )),
        ]}
        getRowId={({ id }) => String(id)}
        operation="listTaxRates"
        parameters={[query]}
        read={(options) => business.listTaxRates(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        empty={<Text maw={480}>{t('noTaxRates')}</Text>}
      />
    </Stack>
  );
}
