import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface EmptyListProps {
  /** Whether a filter is set: then records may exist that it hides. */
  isFiltered: boolean;
  reset: () => void;
  /** How to begin, for a list that has no record at all. */
  children: ReactNode;
}

/** What a list without rows says. */
export function EmptyList({ isFiltered, reset, children }: EmptyListProps) {
  const { t } = useTranslation('common');
  if (!isFiltered) return <Stack align="center">{children}</Stack>;
  return (
    <Stack align="center">
      <Text>{t('noMatch')}</Text>
      <Button variant="default" size="xs" onClick={reset}>
        {t('resetFilters')}
      </Button>
    </Stack>
  );
}
