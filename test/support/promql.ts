import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { readAlerts as readAlertsOf, readDashboards, RULES } from '../../scripts/pictures/dashboards/definitions';

const deploy = path.resolve(__dirname, '..', '..', 'deploy');

export const RULES_FILE = path.join(deploy, RULES);
export const RULES_TEST_FILE = path.join(deploy, 'prometheus', 'rules.test.yml');

/** The alerts of deploy/prometheus. */
export const readAlerts = () => readAlertsOf(deploy);

/** The expressions of all alerts and panels, with the place where they are. Variables of Grafana have a value. */
export function readExpressions(): { place: string; expr: string }[] {
  const panels = [...readDashboards(deploy)].flatMap(([file, dashboard]) =>
    dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ place: `${file}: ${title}`, expr }))),
  );
  const alerts = readAlerts().map(({ alert, expr }) => ({ place: alert, expr }));
  return [...alerts, ...panels].map(({ place, expr }) => ({ place, expr: expr.replaceAll('$__rate_interval', '5m') }));
}

/** Metrics that Prometheus itself makes. */
const OF_PROMETHEUS: ReadonlySet<string> = new Set(['up', 'ALERTS']);

/**
 * Parses a PromQL expression.
 * @returns the metrics that it reads, without those of Prometheus itself
 * @throws Error with the position of a syntax error
 */
export function listMetrics(expr: string): string[] {
  const names = new Set<string>();
  parser.parse(expr).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`not PromQL at character ${from + 1}: ${expr}`);
      if (type.name === 'VectorSelector') names.add(/^[\w:]+/.exec(expr.slice(from, to))?.[0] ?? '');
    },
  });
  return [...names].filter((name) => !OF_PROMETHEUS.has(name));
}
