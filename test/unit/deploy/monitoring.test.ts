import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { INSTALLATION_METRICS, PROCESS_METRICS } from '../../../lib/metrics/definitions';
import type { MetricDefinition } from '../../../lib/metrics/definitions';
import { hasGo } from '../../support/compose';
import { checkRules, evaluateQueries, lintMetrics, readRuleTests, runRuleTest } from '../../support/prometheus';
import { listMetrics, readAlerts, readExpressions, RULES_FILE, RULES_TEST_FILE } from '../../support/promql';

const root = path.resolve(__dirname, '..', '..', '..');
const promtool = spawnSync('promtool', ['--version']).status === 0;

const definitions: readonly MetricDefinition[] = [
  ...Object.values(PROCESS_METRICS),
  ...Object.values(INSTALLATION_METRICS),
];

describe('rules and dashboards', () => {
  test('every expression is PromQL', () => {
    const expressions = readExpressions();
    expect(expressions.length).toBeGreaterThan(50);
    for (const { place, expr } of expressions)
      expect([place, listMetrics(expr).length > 0 || /\bup\b|ALERTS/.test(expr)]).toEqual([place, true]);
    expect(() => listMetrics('sum by (rate(x[5m])')).toThrow('not PromQL');
  });

  test('every metric of the service is shown or alerted on', () => {
    const used = new Set(readExpressions().flatMap(({ expr }) => listMetrics(expr)));
    const unused = definitions.filter(
      ({ name, type }) => !used.has(name) && !(type === 'histogram' && used.has(`${name}_bucket`)),
    );
    expect(unused.map(({ name }) => name)).toEqual(['vouch_invariant_broken_companies', 'vouch_invariant_comparisons']);
  });

  test('every alert has a runbook that names its expression', () => {
    for (const { alert, expr, annotations } of readAlerts()) {
      const file = path.join(root, annotations.runbook);
      expect([alert, existsSync(file)]).toEqual([alert, true]);
      expect(readFileSync(file, 'utf8')).toContain(`# ${alert}\n`);
      expect(readFileSync(file, 'utf8')).toContain(expr);
      expect(readFileSync(RULES_TEST_FILE, 'utf8')).toContain(`alertname="${alert}"`);
    }
  });

  const withGo = hasGo ? test : test.skip;

  withGo('Prometheus accepts the rules; each alert fires when it should and only then, with its summary', () => {
    expect(() => checkRules(RULES_FILE)).not.toThrow();
    for (const ruleTest of readRuleTests())
      for (const { asked, expected, found } of runRuleTest(ruleTest))
        expect({ test: ruleTest.name, asked, found }).toEqual({ test: ruleTest.name, asked, found: expected });
  });

  test('the tests of the rules state the summary and the runbook of every alert, and no alert is defined twice', () => {
    const tested = readRuleTests().flatMap(({ alert_rule_test: tests }) => tests.map(({ alertname }) => alertname));
    expect([...new Set(tested)].sort()).toEqual(
      readAlerts()
        .map(({ alert }) => alert)
        .sort(),
    );
  });

  withGo('metrics whose names, types or descriptions break the conventions of Prometheus are found', () => {
    const text = '# TYPE vouch_waits counter\nvouch_waits 1\n';
    expect(lintMetrics(text)).toEqual([
      'vouch_waits counter metrics should have "_total" suffix',
      'vouch_waits no help text',
    ]);
  });

  withGo('Prometheus accepts every expression of the dashboards', () => {
    const queries = readExpressions().map(({ expr }) => ({ expr, atMs: 0 }));
    expect(() => evaluateQueries({}, queries)).not.toThrow();
    expect(() => evaluateQueries({}, [{ expr: 'sum by (rate(x[5m])', atMs: 0 }])).toThrow('sum by');
  });

  // Debian has promtool in the package prometheus.
  (promtool ? test : test.skip)('promtool agrees, where it is installed', () => {
    for (const args of [
      ['check', 'rules', RULES_FILE],
      ['test', 'rules', RULES_TEST_FILE],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
    }
  });
});
