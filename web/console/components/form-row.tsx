import { Group } from '@mantine/core';
import type { GroupProps } from '@mantine/core';

/** Inputs of a short form or of a list's filters next to each other; on a phone one below the other, each as wide as the page. */
export const FormRow = (props: Omit<GroupProps, 'className' | 'align'>) => (
  <Group align="end" {...props} className="form-row" />
);
