import { Fieldset } from '@mantine/core';
import type { ReactNode } from 'react';
import { FieldGrid } from '../../components/field-grid';

/** A part of the form, two fields in a row where there is room. */
export function Part({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <Fieldset legend={legend}>
      <FieldGrid cols={{ base: 1, sm: 2 }}>{children}</FieldGrid>
    </Fieldset>
  );
}
