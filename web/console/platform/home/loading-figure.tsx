import { Skeleton } from '@mantine/core';

interface LoadingFigureProps {
  /** What is being read, for screen readers. */
  label: string;
  height: number;
}

/** In the place of figures until they have been read, which takes long the first time in a time zone. */
export const LoadingFigure = ({ label, height }: LoadingFigureProps) => (
  <Skeleton height={height} role="status" aria-label={label} />
);
