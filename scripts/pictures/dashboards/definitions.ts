import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseDuration } from './engine';

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.object({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

/** The part of the format of Grafana that the dashboards use. */
const dashboardSchema = z.object({
  uid: z.string(),
  title: z.string(),
  description: z.string(),
  panels: z.array(
    z.object({
      title: z.string(),
      type: z.enum(['timeseries', 'stat']),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })),
    }),
  ),
});

export type Dashboard = z.infer<typeof dashboardSchema>;

/** Name of the file of the alerts in `deploy`. */
export const RULES = path.join('prometheus', 'rules.yml');

/** The alerts of deploy/prometheus. */
export const readAlerts = (deploy: string) =>
  rulesSchema
    .parse(parse(readFileSync(path.join(deploy, RULES), 'utf8')))
    .groups.flatMap(({ rules }) => rules)
    .map(({ for: period, ...rule }) => ({ ...rule, forMs: parseDuration(period ?? '0s') }));

/** The dashboards of deploy/grafana by the names of their files. */
export function readDashboards(deploy: string): Map<string, Dashboard> {
  const folder = path.join(deploy, 'grafana');
  return new Map(
    readdirSync(folder).map((file) => [
      file,
      dashboardSchema.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))),
    ]),
  );
}
