import { Paper, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../components/failure';
import { Totals } from './totals';
import type { Calculation } from './use-calculation';

/** The amounts of a document while it is edited, or why they cannot be computed. */
export function Summary({ calculation, error }: { calculation: Calculation | undefined; error: unknown }) {
  const { t } = useTranslation('invoices');
  return (
    <Paper withBorder p="md" pos="sticky" top={72}>
      <Stack gap="sm">
        <Text fw={600}>{t('summary')}</Text>
        {calculation === undefined ? (
          <Text size="sm" c="dimmed">
            {t('summaryHint')}
          </Text>
        ) : (
          <Totals amounts={calculation} />
        )}
        <Failure error={error} />
      </Stack>
    </Paper>
  );
}
