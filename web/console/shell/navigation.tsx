import { NavLink, Stack, Text } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Section } from '../feature';
import { listNavigation } from '../features';
import { readLabel } from '../language';
import { useSession } from '../session';
import type { Label } from '../texts';

const SECTION_LABELS: Readonly<Record<Section, Label>> = {
  home: { en: '', de: '' },
  verification: { en: 'Verification', de: 'Verifizierung' },
  business: { en: 'Business', de: 'Geschäft' },
  developers: { en: 'Developers', de: 'Entwickler' },
  administration: { en: 'Administration', de: 'Verwaltung' },
};

/** The pages that the user's roles include. */
export function Navigation() {
  useTranslation('common');
  const groups = listNavigation(useSession());
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const longest = groups
    .flatMap(({ entries }) => entries.map(({ to }) => to))
    .filter((to) => path === to || path.startsWith(`${to}/`))
    .reduce((found, to) => (to.length > found.length ? to : found), '');
  return (
    <Stack gap="md">
      {groups.map(({ section, entries }) => (
        <Stack key={section} gap={2}>
          {SECTION_LABELS[section].en !== '' && (
            <Text size="xs" fw={700} c="dimmed" px="sm">
              {readLabel(SECTION_LABELS[section])}
            </Text>
          )}
          {entries.map(({ to, label, icon: Icon }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              active={to === longest}
              aria-current={to === longest ? 'page' : undefined}
              label={readLabel(label)}
              leftSection={<Icon size={18} aria-hidden />}
            />
          ))}
        </Stack>
      ))}
    </Stack>
  );
}
