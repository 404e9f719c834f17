import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { PdfPreview } from '../records/pdf-preview';

/** The latest issued invoice, which shows how the settings of its day are printed. */
export function LatestInvoice() {
  const { t } = useTranslation('settings');
  const query = { status: ['issued' as const, 'partially_paid' as const, 'paid' as const], pageSize: 1 };
  const { data } = useQuery(businessQuery('listInvoices', [query], (options) => business.listInvoices(query, options)));
  const [latest] = data?.data ?? [];
  if (data === undefined) return <Skeleton h={320} />;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('preview')}
      </Title>
      <Text size="sm" c="dimmed">
        {t(latest === undefined ? 'noPreview' : 'previewHint')}
      </Text>
      {latest !== undefined && (
        <PdfPreview
          operation="downloadInvoicePdf"
          parameters={[String(latest.id), false]}
          read={(options) => business.downloadInvoicePdf(String(latest.id), {}, options)}
          label={latest.number ?? ''}
        />
      )}
    </Stack>
  );
}
