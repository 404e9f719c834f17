import { Anchor, Box, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import './texts';

/** Pages that list what a figure counts. */
type ListPath = '/sessions' | '/review' | '/webhooks' | '/receivables' | '/stock';

interface ListLink {
  /** The page that lists what a figure counts. */
  to?: ListPath | undefined;
  /** Filters of that page. */
  search?: Record<string, string> | undefined;
}

interface FigureLinkProps extends ListLink {
  children: string;
}

/** The name of a figure, which leads to what it counts if the user may see it. */
function FigureLink({ to, search = {}, children }: FigureLinkProps) {
  const { routesByPath } = useRouter();
  if (to === undefined || !(to in routesByPath)) return children;
  return (
    <Anchor renderRoot={(props) => <Link {...props} to={to} search={search} />} inherit c="inherit" underline="always">
      {children}
    </Anchor>
  );
}

interface FigureCardProps extends ListLink {
  title: string;
  hint?: string | undefined;
  children: ReactNode;
}

/** A part of the home page. */
export function FigureCard({ title, to, search, hint, children }: FigureCardProps) {
  return (
    <Card withBorder padding="md">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            <FigureLink to={to} search={search}>
              {title}
            </FigureLink>
          </Title>
          {hint !== undefined && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Card>
  );
}

interface ChartCardProps extends Omit<FigureCardProps, 'children'> {
  /** What the chart shows, in one sentence for screen readers. */
  description: string;
  chart: ReactNode;
  table: ReactNode;
}

/** A chart that can be read as a table, too. */
export function ChartCard({ title, to, search, hint, description, chart, table }: ChartCardProps) {
  const { t } = useTranslation('home');
  const [view, setView] = useState('chart');
  return (
    <FigureCard title={title} to={to} search={search} hint={hint}>
      <Group justify="end">
        <SegmentedControl
          size="xs"
          aria-label={t('view', { title })}
          value={view}
          onChange={setView}
          data={[
            { value: 'chart', label: t('chart') },
            { value: 'table', label: t('table') },
          ]}
        />
      </Group>
      {view === 'chart' ? (
        <Box role="img" aria-label={description}>
          {chart}
        </Box>
      ) : (
        <Box mah={260} style={{ overflowY: 'auto' }}>
          {table}
        </Box>
      )}
    </FigureCard>
  );
}

interface FigureProps extends ListLink {
  label: string;
  value: string;
  hint: string;
}

/** One number with its name. */
export function Figure({ label, value, hint, to, search }: FigureProps) {
  return (
    <Card withBorder padding="md" component="section" aria-label={label}>
      <Text size="sm" c="dimmed">
        <FigureLink to={to} search={search}>
          {label}
        </FigureLink>
      </Text>
      <Text fz={28} fw={700} lh={1.2}>
        {value}
      </Text>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
    </Card>
  );
}
