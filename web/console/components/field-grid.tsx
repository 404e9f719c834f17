import { SimpleGrid } from '@mantine/core';
import type { SimpleGridProps } from '@mantine/core';

/** Fields side by side, whose inputs are at one height whether or not a field has a hint, a long label or a problem. */
export const FieldGrid = (props: Omit<SimpleGridProps, 'className' | 'type'>) => (
  <SimpleGrid spacing="sm" {...props} className="field-grid" />
);
