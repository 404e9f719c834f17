import { MINUTE_MS } from '../../../domain/durations';
import { QUEUES } from '../../../workflows/contracts';
import { loadSelfie } from '../../../scripts/demo/photos';
import { call } from '../../support/client';
import { hasGo } from '../../support/compose';
import type { Sample, Scrape } from '../../support/metrics';
import { scrape, scrapeProcesses, scrapeStack } from '../../support/metrics';
import { pollUntilFound } from '../../support/poll';
import { evaluateQueries, lintMetrics } from '../../support/prometheus';
import { listMetrics, readExpressions } from '../../support/promql';
import { startReceiver } from '../../support/receiver';
import { readStack } from '../../support/stack';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';
import { registerWebhook } from '../../support/webhooks';

/** Series that exist once sessions, files, exports or webhooks were counted, or a list was imported. */
const NEEDS_EVENTS = /vouch_(session_transitions|webhook_attempt|rendition|export|watch_list_age)/;

let tenant: Tenant;

beforeAll(async () => {
  tenant = await createTenant('Observed');
});
afterAll(closeTestPlatform);

const find = ({ samples }: Scrape, name: string, labels: Record<string, string> = {}): Sample[] =>
  samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );

const sum = (scraped: Scrape, name: string, labels: Record<string, string> = {}): number =>
  find(scraped, name, labels).reduce((total, { value }) => total + value, 0);

describe('/metrics of every process', () => {
  test('needs the token', async () => {
    for (const url of Object.values(readStack().processes))
      expect((await scrape(url, 'another-token')).status).toBe(401);
  });

  test('counts requests by route template, checks by kind and outcome, model time and deliveries', async () => {
    const receiver = await startReceiver();
    await registerWebhook(tenant.identityKey, receiver.url, ['check.completed']);
    const before = await scrapeStack();
    const form = { image: { body: await loadSelfie('anna') } };
    const posted = await call('POST', '/v1/biometrics/age', { key: tenant.identityKey, form });
    const { id } = posted.body['check'] as { id: string };
    await call('GET', `/v1/checks/${id}`, { key: tenant.identityKey });
    await receiver.waitFor(({ body }) => body.includes(id));
    const counted = [
      ['vouch_http_requests_total', { method: 'POST', route: '/v1/biometrics/age', status: '201' }],
      ['vouch_http_requests_total', { method: 'GET', route: '/v1/checks/:id', status: '200' }],
      ['vouch_http_request_duration_seconds_count', { method: 'GET', route: '/v1/checks/:id' }],
      ['vouch_checks_total', { kind: 'age', outcome: 'approved' }],
      ['vouch_check_duration_seconds_count', { kind: 'age' }],
      ['vouch_model_runs_total', { model: 'face_age' }],
      ['vouch_model_seconds_total', { model: 'face_age' }],
      ['vouch_outbox_dispatches_total', { outcome: 'dispatched' }],
      ['vouch_webhook_attempts_total', { outcome: 'succeeded' }],
      ['vouch_webhook_attempt_duration_seconds_count', {}],
      ['temporal_activity_execution_latency_seconds_count', { activity_type: 'attemptDeliveries' }],
    ] as const;
    // The delivery is counted after the receiver has answered.
    const after = await pollUntilFound(async () => {
      const now = await scrapeStack();
      return counted.every(([name, labels]) => sum(now, name, labels) > sum(before, name, labels)) ? now : undefined;
    });
    for (const secret of [tenant.organisationId, id, tenant.identityKey]) expect(after.text).not.toContain(secret);
    await receiver.close();
  });

  test('the API shows backlog and pollers of every pool, the outbox, processes, lists and invariants', async () => {
    // Tests may leave the relay behind for a moment.
    const api = await pollUntilFound(async () => {
      const scraped = await scrape(readStack().processes['api'] ?? '');
      return sum(scraped, 'vouch_outbox_lag_seconds') < 60 ? scraped : undefined;
    });
    for (const pool of Object.keys(QUEUES)) {
      expect(find(api, 'vouch_task_queue_pollers', { pool, task: 'activity' })[0]?.value).toBeGreaterThan(0);
      for (const name of ['vouch_task_queue_backlog', 'vouch_task_queue_backlog_age_seconds'])
        expect(find(api, name, { pool, task: 'activity' })).toHaveLength(1);
    }
    expect(sum(api, 'vouch_outbox_lag_seconds')).toBeLessThan(60);
    expect(sum(api, 'vouch_processes', { name: 'worker' })).toBeGreaterThan(0);
    expect(find(api, 'vouch_invariant_violations').length).toBeGreaterThan(5);
    expect(find(api, 'vouch_scrape_source_failed').map(({ value }) => value)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(api.names).toContain('vouch_watch_list_age_seconds');
    expect(find(api, 'vouch_watch_lists_published')).toHaveLength(1);
    expect(find(api, 'vouch_watch_lists_never_imported')).toHaveLength(1);
  });

  test('shows processor time, memory and the lag of the event loop', async () => {
    for (const url of Object.values(readStack().processes)) {
      const { names } = await scrape(url);
      for (const name of [
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'nodejs_eventloop_lag_p99_seconds',
      ])
        expect(names).toContain(name);
    }
  });

  (hasGo ? test : test.skip)(
    'Prometheus answers the queries of the dashboards from scrapes of the loaded stack',
    async () => {
      const before = await scrapeProcesses(0);
      const form = { image: { body: await loadSelfie('anna') } };
      for (let count = 0; count < 3; count += 1)
        await call('POST', '/v1/biometrics/age', { key: tenant.identityKey, form });
      // As if a minute lay between the scrapes.
      const after = await scrapeProcesses(MINUTE_MS);
      const expressions = readExpressions().filter(({ place }) => place.includes('.json:'));
      const results = evaluateQueries(
        { scrapes: [...before, ...after] },
        expressions.map(({ expr }) => ({ expr, atMs: MINUTE_MS })),
      );
      const empty = expressions.filter((_, index) => results[index]?.length === 0).map(({ expr }) => expr);
      expect(empty.filter((expr) => !NEEDS_EVENTS.test(expr))).toEqual([]);
      const requests = expressions.findIndex(({ place }) => place.endsWith(': Busiest routes'));
      // Other tests may keep other routes busier.
      const busiest = results[requests]?.map(({ labels }) => labels['route']) ?? [];
      expect([busiest.length > 0, busiest.includes(undefined)]).toEqual([true, false]);
    },
  );

  test('keeps connections for longer than Prometheus waits between scrapes', async () => {
    for (const url of Object.values(readStack().processes)) {
      const { headers } = await fetch(`${url}/healthz`);
      const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
      expect(Number(seconds)).toBeGreaterThan((2 * MINUTE_MS) / 1000);
    }
  });

  (hasGo ? test : test.skip)('keeps the conventions of Prometheus for names, types and descriptions', async () => {
    for (const url of Object.values(readStack().processes)) {
      const problems = lintMetrics((await scrape(url)).text);
      // Libraries name the others.
      expect(problems.filter((problem) => problem.startsWith('vouch_'))).toEqual([]);
    }
  });

  test('has every metric that an alert or a dashboard names', async () => {
    const { names } = await scrapeStack();
    const missing = readExpressions().flatMap(({ place, expr }) =>
      listMetrics(expr)
        .filter((name) => !names.has(name))
        .map((name) => `${place}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
