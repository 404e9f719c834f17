import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FieldsProps {
  /** Pairs of a label and a value; a value that is null or empty is shown as a dash. */
  rows: readonly (readonly [label: string, value: ReactNode])[];
}

/** Facts about a record as a description list. */
export function Fields({ rows }: FieldsProps) {
  return (
    <Stack component="dl" gap={6} m={0}>
      {rows.map(([label, value]) => (
        <Group key={label} gap="sm" wrap="nowrap" align="baseline">
          <Text component="dt" size="sm" c="dimmed" w={160} style={{ flexShrink: 0 }}>
            {label}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value === null || value === undefined || value === '' ? '–' : value}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
