import { ScrollArea } from '@mantine/core';
import type { ReactNode } from 'react';

/** What does not fit is reached by scrolling, also with the keyboard; the bar covers nothing. */
export function WideContent({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollArea
      type="auto"
      offsetScrollbars="x"
      className="wide-content"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      {children}
    </ScrollArea>
  );
}
