import { Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface PageProps {
  title: string;
  /** Buttons at the end of the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the console: its heading, also as title of the window, and its content. */
export function Page({ title, actions, children }: PageProps) {
  useDocumentTitle(`${title} – Vouch`);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {actions !== undefined && (
          <Group gap="xs" className="page-actions">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}
