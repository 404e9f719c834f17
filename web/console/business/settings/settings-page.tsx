import { Box, Grid, NavLink, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { listSections } from './sections';
import type { Section } from './sections';
import { settingsSearch } from './settings-search';

interface ChooserProps {
  sections: readonly Section[];
  chosen: Section;
}

const toPath = (name: string): string => (name === 'company' ? '/company' : `/company/${name}`);

/** The sections as links, next to the content. */
function Links({ sections, chosen }: ChooserProps) {
  const { t } = useTranslation('settings');
  const groups = [...new Set(sections.map(({ group }) => group))];
  return (
    <Stack component="nav" gap="md" aria-label={t('tabsLabel')}>
      {groups.map((group) => (
        <Box key={group}>
          <Text size="xs" c="dimmed" fw={600} px="sm" pb={4}>
            {t(`groups.${group}`)}
          </Text>
          {sections
            .filter((section) => section.group === group)
            .map(({ name }) => (
              <NavLink
                key={name}
                component={Link}
                to={toPath(name)}
                activeOptions={{ exact: true }}
                label={t(`tabs.${name}`)}
                active={name === chosen.name}
                style={{ borderRadius: 'var(--mantine-radius-sm)' }}
              />
            ))}
        </Box>
      ))}
    </Stack>
  );
}

/** The sections as one field, which takes less height on phones. */
function Chooser({ sections, chosen }: ChooserProps) {
  const { t } = useTranslation('settings');
  const navigate = useNavigate();
  return (
    <Select
      label={t('tabsLabel')}
      allowDeselect={false}
      data={sections.map(({ name }) => ({ value: name, label: t(`tabs.${name}`) }))}
      value={chosen.name}
      onChange={(name) => void navigate({ to: toPath(name ?? 'company') })}
    />
  );
}

/** The settings of the company, one section at a time. */
export default function SettingsPage() {
  const { t } = useTranslation('settings');
  const { business: permissions } = useSession();
  const [search] = usePageSearch(settingsSearch);
  const { section } = useParams({ strict: false }) as { section?: string };
  const sections = listSections(permissions);
  const chosen = sections.find(({ name }) => name === (section ?? search.tab)) ?? sections[0];
  if (chosen === undefined) return null;
  const { name, Content } = chosen;
  return (
    <Page title={t('title')}>
      <Grid gap="xl">
        <Grid.Col span={3} visibleFrom="lg">
          <Links sections={sections} chosen={chosen} />
        </Grid.Col>
        <Grid.Col span={12} hiddenFrom="lg">
          <Chooser sections={sections} chosen={chosen} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 9 }}>
          <Stack>
            <Title order={2} size="h4">
              {t(`tabs.${name}`)}
            </Title>
            <Suspense key={name} fallback={<Skeleton h={320} />}>
              <Content />
            </Suspense>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
