import { Router } from 'express';
import { Gauge, Registry } from 'prom-client';
import { constantTimeEqual } from '../../lib/crypto/secrets';
import { computeInvariantTotals } from '../../services/business/invariants/figures';
import type { Platform } from '../../services/platform/platform';

/** Sums over all companies, read when they are asked for: they are the same from every replica. */
function createRegistry(): { registry: Registry; refresh: () => Promise<void> } {
  const registry = new Registry();
  const registers = [registry];
  const createInvariantGauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['invariant'] as const, registers });
  const violations = createInvariantGauge(
    'vouch_invariant_violations',
    'Violations found by the latest look; 0 is how it should be.',
  );
  const companies = createInvariantGauge(
    'vouch_invariant_broken_companies',
    'Companies in which the invariant does not hold.',
  );
  const checked = createInvariantGauge('vouch_invariant_comparisons', 'Comparisons made by the latest look.');
  const oldest = new Gauge({
    name: 'vouch_invariant_oldest_check_timestamp_seconds',
    help: 'When the company was looked at whose look lies furthest back; 0 when none was.',
    registers,
  });
  const unchecked = new Gauge({
    name: 'vouch_invariant_unchecked_companies',
    help: 'Companies that were never looked at.',
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

/** `/metrics` in the text format of Prometheus, for the bearer of METRICS_TOKEN; without one there is no such page. */
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
      platform.logger.error({ err: error }, 'The figures could not be read');
      response.status(503).type('text').send('The database does not answer.\n');
    }
  });
  return router;
}
