import { Text } from '@mantine/core';
import type { TextProps } from '@mantine/core';

const MAX_WIDTH = 160;

/** An id in a table, which is wrapped where it is long, so that it leaves room for the other columns. */
export const LongId = ({ id, ...text }: TextProps & { id: string }) => (
  <Text size="xs" ff="monospace" maw={MAX_WIDTH} style={{ overflowWrap: 'anywhere' }} {...text}>
    {id}
  </Text>
);
