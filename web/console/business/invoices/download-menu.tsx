import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { useDownload } from '../records/save-file';

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
  const { mutate, isPending } = useDownload<Format>({
    read: (format, options) =>
      kind === 'invoice'
        ? business.downloadInvoicePdf(String(id), { format }, options)
        : business.downloadCreditNotePdf(String(id), { format }, options),
    nameOf: (format) => `${number}.${FORMATS[format]}`,
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
