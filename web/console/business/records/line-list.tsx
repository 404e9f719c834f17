import { Button, Grid, Group, Paper, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface LineListProps<T extends { key: string }> {
  lines: readonly T[];
  /** Name of a line for screen readers; positions begin with 1. */
  nameOf: (position: number) => string;
  add: () => void;
  /** Name of the button that adds a line. */
  addLabel: string;
  /** The fields of a line, as columns of a grid. */
  children: (line: T, index: number) => ReactNode;
}

/** The lines of a document that is edited, one below the other. */
export function LineList<T extends { key: string }>({ lines, nameOf, add, addLabel, children }: LineListProps<T>) {
  return (
    <Stack gap="sm">
      {lines.map((line, index) => (
        <Paper key={line.key} withBorder p="sm" role="group" aria-label={nameOf(index + 1)}>
          <Grid gap="xs" align="end">
            {children(line, index)}
          </Grid>
        </Paper>
      ))}
      <Group>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {addLabel}
        </Button>
      </Group>
    </Stack>
  );
}
