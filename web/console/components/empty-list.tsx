import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface EmptyListProps {
  /** Whether a filter is set: then records may exist that it hides. */
  isFiltered: boolean;
  reset: () => void;
  /** Leads to the first page, if there are records but none on this page, as after the last of it was deleted. */
  goToFirst?: (() => void) | undefined;
  /** How to begin, for a list that has no record at all. */
  children: ReactNode;
}

/** What a list without rows says. */
export function EmptyList({ isFiltered, reset, goToFirst, children }: EmptyListProps) {
  const { t } = useTranslation('common');
  if (goToFirst !== undefined)
    return (
      <Stack align="center">
        <Text>{t('pageIsEmpty')}</Text>
        <Button variant="default" size="xs" onClick={goToFirst}>
          {t('firstPage')}
        </Button>
      </Stack>
    );
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
