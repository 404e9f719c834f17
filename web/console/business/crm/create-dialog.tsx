import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { DecimalInput } from '../../components/decimal-input';
import { Failure } from '../../components/failure';
import { usePageForm } from '../../components/use-page-form';
import { CUSTOMERS, RecordSelect } from '../records/record-select';

interface OpportunityValues extends Record<string, unknown> {
  name: string;
  customerId: string | null;
  amount: number | string;
  expectedCloseDate: string;
}

/** A new opportunity, at the first stage. */
export function CreateDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const { t } = useTranslation('crm');
  const { t: common } = useTranslation('business');
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = usePageForm<OpportunityValues, unknown>({
    isShown: opened,
    initialValues: { name: '', customerId: null, amount: '', expectedCloseDate: '' },
    submit: ({ name, customerId, amount, expectedCloseDate }) =>
      business.createOpportunity({
        name,
        customerId: customerId === null ? null : Number(customerId),
        amount: amount === '' ? null : Number(amount),
        expectedCloseDate: expectedCloseDate || null,
      }),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business', 'listOpportunities'] });
      form.reset();
      close();
    },
  });
  return (
    <Modal opened={opened} onClose={close} title={t('new')}>
      <form onSubmit={onSubmit}>
        <Stack>
          <TextInput label={t('name')} required {...form.getInputProps('name')} />
          <RecordSelect
            source={CUSTOMERS}
            label={t('customer')}
            clearable
            {...form.getInputProps('customerId')}
            value={form.values.customerId}
          />
          <DecimalInput label={t('amount')} allowNegative={false} decimalScale={2} {...form.getInputProps('amount')} />
          <TextInput type="date" label={t('expectedCloseDate')} {...form.getInputProps('expectedCloseDate')} />
          <Failure error={failure} />
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {common('back')}
            </Button>
            <Button type="submit" loading={isPending}>
              {common('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
