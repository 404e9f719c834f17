import { Router } from 'express';
import { Gauge, Registry } from 'prom-client';
import { constantTimeEqual } from '../../lib/crypto/secrets';
import { computeInvariantTotals } from '../../services/business/invariants/figures';
import { VERSION } from '../../lib/version';
import type { Platform } from '../../services/platform/platform';

/** Totals over all companies, read from the database at each request, so that every replica returns the same values. */
function createRegistry(): { registry: Registry; refresh: () => Promise<void> } {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'vouch_build_info',
    help: 'Version of the service.',
    labelNames: ['version'] as const,
    registers,
  }).set({ version: VERSION }, 1);
  const createInvariantGauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['invariant'] as const, registers });
  const violations = createInvariantGauge(
    'vouch_invariant_violations',
    'Violations found by the latest check; 0 is expected.',
  );
  const companies = createInvariantGauge('vouch_invariant_broken_companies', 'Companies that violate the invariant.');
  const checked = createInvariantGauge('vouch_invariant_comparisons', 'Comparisons made by the latest check.');
  const oldest = new Gauge({
    name: 'vouch_invariant_oldest_check_timestamp_seconds',
    help: 'Time of the oldest latest check of any company; 0 if there is none.',
    registers,
  });
  const unchecked = new Gauge({
    name: 'vouch_invariant_unchecked_companies',
    help: 'Companies that were never checked.',
    registers,
  });
  const refresh = async (): Promise<void> => {
    const figures = await computeInvariantTotals();
    for (const { invariant, ...counts } of figures.invariants) {
      violations.set({ invariant }, counts.violations);
      companies.set({ invariant }, counts.companies);
      checked.set({ invariant }, counts.checked);
    }
    oldest.set((figures.oldestCheckAt?.getTime() ?? 0) / 1000);
    unchecked.set(figures.unchecked);
  };
  return { registry, refresh };
}

/** `/metrics` in the Prometheus text format, protected by METRICS_TOKEN. Without a token the route does not exist. */
export function createMetricsRouter(platform: Platform): Router {
  const router = Router();
  const token = platform.config.metricsToken;
  if (token === undefined) return router;
  const { registry, refresh } = createRegistry();
  router.get('/metrics', async (request, response) => {
    const presented = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
    if (presented === undefined || !constantTimeEqual(presented, token)) {
      response
        .status(401)
        .set('WWW-Authenticate', 'Bearer')
        .type('text')
        .send('Send METRICS_TOKEN as a bearer token.\n');
      return;
    }
    try {
      await refresh();
      response
        .set('Cache-Control', 'no-store')
        .type(registry.contentType)
        .send(await registry.metrics());
    } catch (error) {
      platform.logger.error({ err: error }, 'Metrics could not be read');
      response.status(503).type('text').send('The database does not respond.\n');
    }
  });
  return router;
}
