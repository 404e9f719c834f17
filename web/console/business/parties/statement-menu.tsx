import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconFileText } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { useDownload } from '../records/save-file';
import { partySearch } from './party-search';
import { StatementDialog } from './statement-dialog';

/** Saves or sends the statement of a customer for the period that is shown, else for the current year, as PDF or CSV. */
export function StatementMenu({ id, code, email }: { id: number; code: string; email: string | null }) {
  const { t } = useTranslation('parties');
  const { t: messages } = useTranslation('messages');
  const { business: permissions } = useSession();
  const [opened, dialog] = useDisclosure();
  const [{ from, to }] = usePageSearch(partySearch);
  const { mutate, isPending } = useDownload<'pdf' | 'csv'>({
    read: (format, options) =>
      business.downloadCustomerStatement(String(id), { format, dateFrom: from, dateTo: to }, options),
    nameOf: (format) => `${code}.${format}`,
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            loading={isPending}
            leftSection={<IconFileText size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('statement')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => mutate('pdf')}>PDF</Menu.Item>
          <Menu.Item onClick={() => mutate('csv')}>CSV</Menu.Item>
          {permissions.has('messages:send') && <Menu.Item onClick={dialog.open}>{messages('sendByEmail')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <StatementDialog id={id} email={email} opened={opened} close={dialog.close} />
    </>
  );
}
