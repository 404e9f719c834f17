import { Box, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import './texts';

interface FigureCardProps {
  title: string;
  hint?: string | undefined;
  children: ReactNode;
}

/** A part of the home page. */
export function FigureCard({ title, hint, children }: FigureCardProps) {
  return (
    <Card withBorder padding="md">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
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
export function ChartCard({ title, hint, description, chart, table }: ChartCardProps) {
  const { t } = useTranslation('home');
  const [view, setView] = useState('chart');
  return (
    <FigureCard title={title} hint={hint}>
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

interface FigureProps {
  label: string;
  value: string;
  hint: string;
}

/** One number with its name. */
export function Figure({ label, value, hint }: FigureProps) {
  return (
    <Card withBorder padding="md" component="section" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
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
