import { evaluateDashboard } from '../../../scripts/pictures/dashboards/evaluate';
import { hasGo } from '../../support/compose';
import { resolveProgram } from '../../support/prometheus';

const INTERVAL_MS = 15_000;

/** Requests of two routes, at rates of two and four a second. */
const scrapes = [0, 1, 2, 3, 4, 5, 6].map((round) => ({
  atMs: round * INTERVAL_MS,
  labels: { job: 'vouch', instance: 'api' },
  text: [
    '# TYPE vouch_http_requests_total counter',
    `vouch_http_requests_total{route="/v1/sessions"} ${1000 + round * 30}`,
    `vouch_http_requests_total{route="/api/invoices"} ${1000 + round * 60}`,
    '',
  ].join('\n'),
}));

const panel = (title: string, expr: string, legendFormat: string) => ({
  title,
  type: 'timeseries' as const,
  gridPos: { x: 0, y: 0, w: 8, h: 8 },
  fieldConfig: { defaults: { unit: 'reqps' } },
  targets: [{ expr, legendFormat }],
});

(hasGo ? test : test.skip)('a picture of a dashboard shows the results of its queries, under their legends', () => {
  const dashboard = {
    uid: 'test',
    title: 'Test',
    description: 'Requests.',
    panels: [
      panel('By route', 'sum by (route) (rate(vouch_http_requests_total[$__rate_interval]))', 'GET {{route}}'),
      panel('Firing', 'count(ALERTS{alertstate="firing"})', 'firing'),
      panel('Of nothing', 'vouch_outbox_pending', 'rows'),
    ],
  };
  const alerts = [
    {
      alert: 'Busy',
      expr: 'sum(vouch_http_requests_total) > 2400',
      forMs: 0,
      labels: { severity: 'warning' as const },
      annotations: { summary: 'busy', runbook: 'none' },
    },
  ];
  const picture = evaluateDashboard(dashboard, { program: resolveProgram(), scrapes, alerts, intervalMs: INTERVAL_MS });
  const [byRoute, firing, nothing] = picture.panels;
  expect(
    byRoute?.series.map(({ name, points }) => [name, points.map(([at, value]) => [at, value.toFixed(3)])]),
  ).toEqual([
    ['GET /api/invoices', [60, 75, 90].map((seconds) => [seconds, '4.000'])],
    ['GET /v1/sessions', [60, 75, 90].map((seconds) => [seconds, '2.000'])],
  ]);
  expect(firing?.series).toEqual([
    {
      name: 'firing',
      points: [
        [75, 1],
        [90, 1],
      ],
    },
  ]);
  expect(nothing?.series).toEqual([]);
  expect(picture.note).toContain('not by Grafana');
});
