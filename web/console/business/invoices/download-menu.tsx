import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { awaitFile, saveFile } from '../records/save-file';
import { notifyFailure } from '../../components/notify-failure';

const FORMATS = { pdf: 'pdf', facturx: 'pdf', ubl: 'xml' } as const;

type Format = keyof typeof FORMATS;

interface DownloadMenuProps {
  kind: 'invoice' | 'credit_note';
  id: number;
  number: string;
}

/** Saves an issued document as PDF or as electronic invoice. */
export function DownloadMenu({ kind, id, number }: DownloadMenuProps) {
  const { t } = useTranslation('invoices');
  const { mutate, isPending } = useMutation({
    mutationFn: async (format: Format) => {
      const file = await awaitFile(() =>
        kind === 'invoice'
          ? business.downloadInvoicePdf(String(id), { format })
          : business.downloadCreditNotePdf(String(id), { format }),
      );
      saveFile(file, `${number}.${FORMATS[format]}`);
    },
    onError: notifyFailure,
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={isPending}
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['pdf', 'facturx', 'ubl'] as const).map((format) => (
          <Menu.Item key={format} onClick={() => mutate(format)}>
            {t(`formats.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
