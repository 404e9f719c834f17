import { MINUTE_MS, SECOND_MS } from '../../../domain/durations';
import type { Dashboard, readAlerts } from './definitions';
import { evaluateData } from './engine';
import type { ProcessScrape, Query, QueryResult } from './engine';
import type { DashboardPicture, PanelPicture } from './panel';

/** What Grafana chooses for `$__rate_interval` if Prometheus scrapes every 15 seconds. */
const RATE_INTERVAL = '1m';
/** Before, rates are computed from less than their whole interval. */
const FIRST_MS = MINUTE_MS;
const NOTE = 'Drawn by npm run pictures from the results of its queries in the engine of Prometheus, not by Grafana.';

interface Measured {
  program: string;
  scrapes: readonly ProcessScrape[];
  alerts: ReturnType<typeof readAlerts>;
  /** Time between two scrapes, which is also that between two points. */
  intervalMs: number;
}

/** Fills in the labels of a series as Grafana does: `{{pool}} {{task}}`. */
const formatLegend = (format: string, labels: Readonly<Record<string, string>>): string =>
  format.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_match, label: string) => labels[label] ?? '');

interface Point {
  atMs: number;
  legend: string;
  result: QueryResult;
}

function collectSeries(points: readonly Point[]): PanelPicture['series'] {
  const series = new Map<string, [number, number][]>();
  for (const { atMs, legend, result } of points) {
    for (const { labels, value } of result) {
      const name = formatLegend(legend, labels);
      const known = series.get(name) ?? [];
      if (!series.has(name)) series.set(name, known);
      if (Number.isFinite(Number(value))) known.push([atMs / SECOND_MS, Number(value)]);
    }
  }
  return [...series].map(([name, found]) => ({ name, points: found }));
}

/** Evaluates every query of a dashboard at the time of every scrape after the first minute. */
export function evaluateDashboard({ panels, title, description }: Dashboard, measured: Measured): DashboardPicture {
  const { program, scrapes, alerts, intervalMs } = measured;
  const times = [...new Set(scrapes.map(({ atMs }) => atMs))].filter((atMs) => atMs >= FIRST_MS);
  const asked = panels.flatMap((panel) =>
    panel.targets.flatMap(({ expr, legendFormat }) =>
      times.map((atMs) => ({
        panel,
        legend: legendFormat,
        atMs,
        expr: expr.replaceAll('$__rate_interval', RATE_INTERVAL),
      })),
    ),
  );
  const queries: Query[] = asked.map(({ expr, atMs }) => ({ expr, atMs }));
  const { results } = evaluateData(program, { intervalMs, scrapes, alerts }, queries);
  const points = asked.map((each, index) => ({ ...each, result: results[index] ?? [] }));
  return {
    title,
    description,
    note: NOTE,
    panels: panels.map((panel) => ({
      title: panel.title,
      type: panel.type,
      unit: panel.fieldConfig.defaults.unit,
      place: panel.gridPos,
      series: collectSeries(points.filter((point) => point.panel === panel)),
    })),
  };
}
