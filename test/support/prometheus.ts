import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/durations';
import { evaluate } from './evaluate';
import { readAlerts, RULES_TEST_FILE } from './promql';

let program: string | undefined;

/** The path of the program with the engine of Prometheus, which is compiled on first use. */
function resolveProgram(): string {
  program ??= z
    .string()
    .parse(
      evaluate(`import { resolvePrometheus } from './scripts/toolchain/prometheus.mjs';`, 'await resolvePrometheus()'),
    );
  return program;
}

const run = (args: readonly string[], input = ''): string =>
  execFileSync(resolveProgram(), [...args], { encoding: 'utf8', input, maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' });

/** Checks a file of rules. @throws Error with what is wrong */
export const checkRules = (file: string): void => void run(['check', file]);

export interface Query {
  expr: string;
  atMs: number;
}

/** What Prometheus knows: series in the notation of rule tests, or scrapes of processes. */
export interface QueriedData {
  intervalMs?: number;
  series?: readonly { series: string; values: string }[];
  scrapes?: readonly { atMs: number; labels: Record<string, string>; text: string }[];
  alerts?: readonly { alert: string; expr: string; forMs: number; labels: Record<string, string> }[];
}

const resultSchema = z.array(z.array(z.object({ labels: z.record(z.string(), z.string()), value: z.string() })));
export type QueryResult = z.infer<typeof resultSchema>[number];

/** The results of queries, in their order. @throws Error for an expression that cannot be evaluated */
export const evaluateQueries = (data: QueriedData, queries: readonly Query[]): QueryResult[] =>
  resultSchema.parse(JSON.parse(run(['evaluate'], JSON.stringify({ intervalMs: MINUTE_MS, ...data, queries }))));

const UNITS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: 24 * HOUR_MS };

/** A duration in the notation of Prometheus, such as `5m`. */
export const parseDuration = (text: string): number =>
  [...text.matchAll(/(\d+)([smhd])/g)].reduce(
    (total, [, count, unit = 's']) => total + Number(count) * (UNITS[unit] ?? 0),
    0,
  );

const ruleTestsSchema = z.object({
  tests: z.array(
    z.object({
      name: z.string(),
      interval: z.string(),
      input_series: z.array(z.object({ series: z.string(), values: z.string() })),
      promql_expr_test: z.array(
        z.object({
          expr: z.string(),
          eval_time: z.string(),
          exp_samples: z.array(z.object({ labels: z.string(), value: z.number() })),
        }),
      ),
    }),
  ),
});

/** The tests of the rules in the format of promtool. */
export const readRuleTests = () => ruleTestsSchema.parse(parse(readFileSync(RULES_TEST_FILE, 'utf8'))).tests;

type RuleTest = ReturnType<typeof readRuleTests>[number];

const formatLabels = (labels: Readonly<Record<string, string>>): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .sort()
    .join(', ')}}`;

/** Runs one test of the rules: what each of its expressions returned, and what was expected. */
export function runRuleTest({ interval, input_series: series, promql_expr_test: expressions }: RuleTest) {
  const alerts = readAlerts().map(({ alert, expr, for: period, labels }) => ({
    ...{ alert, expr, labels },
    forMs: parseDuration(period ?? '0s'),
  }));
  const queries = expressions.map(({ expr, eval_time: at }) => ({ expr, atMs: parseDuration(at) }));
  const results = evaluateQueries({ intervalMs: parseDuration(interval), series, alerts }, queries);
  return expressions.map(({ expr, exp_samples: samples }, index) => ({
    expr,
    expected: samples.map(({ labels, value }) => `${labels} ${value}`).sort(),
    found: (results[index] ?? []).map(({ labels, value }) => `${formatLabels(labels)} ${value}`).sort(),
  }));
}
