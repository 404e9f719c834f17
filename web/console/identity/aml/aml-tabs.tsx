import { Button, Group } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import './texts';

const TABS = [
  ['/aml', 'screenings'],
  ['/aml/monitors', 'monitors'],
  ['/aml/lists', 'lists'],
] as const;

/** The three lists of this feature. */
export function AmlTabs() {
  const { t } = useTranslation('aml');
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <Group component="nav" aria-label={t('title')} gap="xs">
      {TABS.map(([to, name]) => (
        <Button
          key={to}
          component={Link}
          to={to}
          variant={path === to ? 'light' : 'subtle'}
          c="var(--mantine-color-text)"
          aria-current={path === to ? 'page' : undefined}
        >
          {t(name)}
        </Button>
      ))}
    </Group>
  );
}
