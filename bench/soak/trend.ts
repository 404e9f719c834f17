import { percentile, roundTo } from '../report';
import type { Sample } from './samples';

/** A figure over time. */
export interface Series {
  panel: 'memory, MB' | 'open files and sockets' | 'workflows';
  name: string;
  /** Minute and value. */
  points: readonly (readonly [minute: number, value: number])[];
}

/** The figures of the samples, one series for each process and figure. */
export function buildSeries(samples: readonly Sample[]): Series[] {
  const roles = [...new Set(samples.flatMap(({ processes }) => Object.keys(processes)))];
  const usage = (panel: Series['panel'], key: 'megabytes' | 'handles'): Series[] =>
    roles.map((role) => ({
      panel,
      name: role,
      points: samples.flatMap(({ minute, processes }) => {
        const value = processes[role]?.[key];
        return value === undefined ? [] : [[minute, value] as const];
      }),
    }));
  const count = (name: string, key: 'openWorkflows' | 'longestHistory'): Series => ({
    panel: 'workflows',
    name,
    points: samples.map((sample) => [sample.minute, sample[key]] as const),
  });
  return [
    ...usage('memory, MB', 'megabytes'),
    ...usage('open files and sockets', 'handles'),
    count('running', 'openWorkflows'),
    count('events in the longest history', 'longestHistory'),
  ];
}

/** Growth that counts as noise of garbage collection and connection pools: a share of the value, or an amount. */
const TOLERANCE = {
  'memory, MB': { share: 0.08, amount: 16 },
  'open files and sockets': { share: 0.05, amount: 6 },
  workflows: { share: 0.1, amount: 3 },
} as const;

export interface Trend {
  panel: Series['panel'];
  name: string;
  /** Medians of the third and of the last quarter: caches are filled in the first half. */
  third: number;
  last: number;
  flat: boolean;
}

/** Compares the last quarter of a series with the third. */
export function computeTrend({ panel, name, points }: Series): Trend {
  const median = (from: number, to: number): number =>
    percentile(
      points.slice(Math.floor(points.length * from), Math.ceil(points.length * to)).map(([, value]) => value),
      0.5,
    );
  const third = median(0.5, 0.75);
  const last = median(0.75, 1);
  const { share, amount } = TOLERANCE[panel];
  return {
    panel,
    name,
    third: roundTo(third, 1),
    last: roundTo(last, 1),
    flat: last - third <= Math.max(third * share, amount),
  };
}
