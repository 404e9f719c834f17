import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { evaluateData, parseDuration, runProgram } from '../../scripts/pictures/dashboards/engine';
import type { QueriedData, Query, QueryResult } from '../../scripts/pictures/dashboards/engine';
import { evaluate } from './evaluate';
import { readAlerts, RULES_TEST_FILE } from './promql';

let program: string | undefined;

/** The path of the program with the engine of Prometheus, which is compiled on first use. */
export function resolveProgram(): string {
  program ??= z
    .string()
    .parse(
      evaluate(`import { resolvePrometheus } from './scripts/toolchain/prometheus.mjs';`, 'await resolvePrometheus()'),
    );
  return program;
}

const run = (args: readonly string[], input = ''): string => runProgram(resolveProgram(), args, input);

/** Checks a file of rules. @throws Error with what is wrong */
export const checkRules = (file: string): void => void run(['check', file]);

/** What is wrong with the names, types and descriptions of metrics in the text format; one line each. */
export const lintMetrics = (text: string): string[] =>
  run(['lint'], text)
    .split('\n')
    .filter((line) => line !== '');

/** The results of queries, in their order. @throws Error for an expression that cannot be evaluated */
export const evaluateQueries = (data: QueriedData, queries: readonly Query[]): QueryResult[] =>
  evaluateData(resolveProgram(), data, queries).results;

const textsSchema = z.record(z.string(), z.string());

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
      alert_rule_test: z
        .array(
          z.object({
            alertname: z.string(),
            eval_time: z.string(),
            exp_alerts: z.array(z.object({ exp_labels: textsSchema, exp_annotations: textsSchema })),
          }),
        )
        .default([]),
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

/** Runs one test of the rules: what each expression and alert returned, and what was expected. */
export function runRuleTest({ interval, input_series: series, promql_expr_test: expressions, ...test }: RuleTest) {
  const queries = expressions.map(({ expr, eval_time: at }) => ({ expr, atMs: parseDuration(at) }));
  const firing = test.alert_rule_test.map(({ alertname: alert, eval_time: at }) => ({
    alert,
    atMs: parseDuration(at),
  }));
  const data = { intervalMs: parseDuration(interval), series, alerts: readAlerts(), firing };
  const evaluated = evaluateData(resolveProgram(), data, queries);
  const describeAlert = (labels: Record<string, string>, annotations: Record<string, string>): string =>
    `${formatLabels(labels)} ${formatLabels(annotations)}`;
  return [
    ...expressions.map(({ expr, exp_samples: samples }, index) => ({
      asked: expr,
      expected: samples.map(({ labels, value }) => `${labels} ${value}`).sort(),
      found: (evaluated.results[index] ?? []).map(({ labels, value }) => `${formatLabels(labels)} ${value}`).sort(),
    })),
    ...test.alert_rule_test.map(({ alertname, exp_alerts: expected }, index) => ({
      asked: alertname,
      expected: expected.map((each) => describeAlert(each.exp_labels, each.exp_annotations)).sort(),
      found: (evaluated.firing[index] ?? []).map((each) => describeAlert(each.labels, each.annotations)).sort(),
    })),
  ];
}
