import { Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { PdfPreview } from '../records/pdf-preview';
import { toBody } from './company-values';
import type { CompanyBody, CompanyValues } from './company-values';

/** Time without a change after which the page is printed again. */
const PRINT_DELAY_MS = 800;

interface SampleDocumentProps {
  /** The settings as they are edited; null while they are as stored. */
  draft: CompanyValues | null;
  /** Version of the stored settings. */
  version: string | null;
}

/** A sample invoice, printed with the settings as they are edited. */
export function SampleDocument({ draft, version }: SampleDocumentProps) {
  const { t } = useTranslation('settings');
  const [text] = useDebouncedValue(draft === null ? '{}' : JSON.stringify(toBody(draft)), PRINT_DELAY_MS);
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('preview')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('previewHint')}
      </Text>
      <PdfPreview
        operation="previewCompany"
        parameters={[version, text]}
        read={(options) => business.previewCompany(JSON.parse(text) as CompanyBody, options)}
        label={t('preview')}
        keepsPrevious
      />
    </Stack>
  );
}
