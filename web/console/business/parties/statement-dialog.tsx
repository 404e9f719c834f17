import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { usePageSearch } from '../../components/use-page-search';
import { CopyFields } from '../messages/copy-fields';
import { DialogForm } from '../records/dialog-form';
import { partySearch } from './party-search';

interface SendValues extends Record<string, unknown> {
  to: string;
  cc: string[];
  bcc: string[];
}

interface StatementDialogProps {
  id: number;
  /** Address of the customer. */
  email: string | null;
  opened: boolean;
  close: () => void;
}

/** Sends the statement of a customer for the period that is shown, else for the current year, as PDF and CSV. */
export function StatementDialog({ id, email, opened, close }: StatementDialogProps) {
  const { t } = useTranslation('messages');
  const [{ from, to: until }] = usePageSearch(partySearch);
  const period = {
    ...(from === undefined ? {} : { dateFrom: from }),
    ...(until === undefined ? {} : { dateTo: until }),
  };
  return (
    <DialogForm<SendValues, Awaited<ReturnType<typeof business.sendCustomerStatement>>>
      opened={opened}
      close={close}
      title={t('sendStatement')}
      action={t('send')}
      initialValues={{ to: email ?? '', cc: [], bcc: [] }}
      submit={(values) => business.sendCustomerStatement(String(id), { ...values, ...period })}
      describeResult={({ data }) => t('sendingStatement', { to: data.to })}
    >
      {(form) => (
        <>
          <TextInput type="email" label={t('to')} required {...form.getInputProps('to')} />
          <CopyFields getInputProps={(field) => form.getInputProps(field)} />
        </>
      )}
    </DialogForm>
  );
}
