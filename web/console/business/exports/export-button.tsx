import { Button, Menu } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { useSession } from '../../session';
import { notifyFailure } from '../../components/notify-failure';

type Export = BusinessResponse<'createExport'>['data'];

const FORMATS = ['csv', 'xlsx', 'json', 'ndjson', 'zip-pdf'] as const;
const PRINTED: readonly Export['resource'][] = ['invoices', 'credit-notes'];

interface ExportButtonProps {
  resource: Export['resource'];
  /** The filters of the list as it is shown; those that are undefined are not set. */
  filters: Record<string, string | number | undefined>;
}

/** Exports a list with its filters and shows the progress. */
export function ExportButton({ resource, filters }: ExportButtonProps) {
  const { t } = useTranslation('exports');
  const { business: permissions } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (format: Export['format']) => {
      const set = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
      return business.createExport({ resource, format, filters: Object.fromEntries(set) });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['business', 'listExports'] });
      await navigate({ to: '/exports' });
    },
    onError: notifyFailure,
  });
  if (!permissions.has('exports:create')) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={isPending} leftSection={<IconFileExport size={16} aria-hidden />}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.filter((format) => format !== 'zip-pdf' || PRINTED.includes(resource)).map((format) => (
          <Menu.Item key={format} onClick={() => mutate(format)}>
            {t(`formats.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
