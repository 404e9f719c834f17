import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconFileText } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { describeFailure } from '../../../shared/failures';
import { usePageSearch } from '../../components/use-page-search';
import { saveFile } from '../records/save-file';
import { partySearch } from './party-search';

/** Saves the statement of a customer for the period that is shown, else for the current year, as PDF or CSV. */
export function StatementMenu({ id, code }: { id: number; code: string }) {
  const { t } = useTranslation('parties');
  const { t: shared } = useTranslation('shared');
  const [{ from, to }] = usePageSearch(partySearch);
  const { mutate, isPending } = useMutation({
    mutationFn: async (format: 'pdf' | 'csv') => {
      const file = await business.downloadCustomerStatement(String(id), { format, dateFrom: from, dateTo: to });
      if (file instanceof Blob) saveFile(file, `${code}.${format}`);
    },
    onError: (error) => notifications.show({ color: 'red', message: describeFailure(error, shared) }),
  });
  return (
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
      </Menu.Dropdown>
    </Menu>
  );
}
