import { DAY_MS } from '../../../../domain/durations';
import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import { Session } from '../../../../models/identity/sessions/session';
import { DayCount } from '../../../../models/identity/statistics/day-count';
import { QUEUES } from '../../../../workflows/contracts';
import { call } from '../../../support/client';
import { createSession, parseCheck, postDecision, waitForStatus } from '../../../support/identity/identity';
import { startReceiver } from '../../../support/receiver';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { registerWebhook, requestTestDelivery, waitForDelivery } from '../../../support/webhooks';

let tenant: IdentityTenant;
let key: string;

const formatDay = (date: Date): string => date.toISOString().slice(0, 10);
const get = async (path: string, as = key): Promise<Record<string, unknown>> => {
  const { status, body } = await call('GET', path, { key: as });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
};

/** A session whose national number has the result that the sandbox assigns to it. */
async function verify(idNumber: string, status: 'approved' | 'in_review'): Promise<string> {
  const { id } = await createSession(key, { features: ['database'] });
  const form = { country: 'NR', idNumber, sessionId: id };
  parseCheck(await call('POST', '/v1/documents/database-validation', { key, form }));
  await waitForStatus(key, id, status);
  return id;
}

beforeAll(async () => {
  tenant = await createIdentityTenant('Statistics');
  key = await tenant.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
});
afterAll(closeTestPlatform);

describe('figures of sessions and checks', () => {
  const now = new Date();
  const [today, yesterday] = [formatDay(now), formatDay(new Date(now.getTime() - DAY_MS))];

  beforeAll(async () => {
    const approved = await verify('SANDBOX-FULL', 'approved');
    await Session.updateOne({ _id: approved }, { $set: { createdAt: new Date(now.getTime() - DAY_MS) } });
    await verify('SANDBOX-FAIL', 'in_review');
    const decided = await verify('SANDBOX-NONE', 'in_review');
    await postDecision(key, decided, { decision: 'approve', reason: 'Checked by telephone.' });
    const [, cancelled, deleted] = [await createSession(key), await createSession(key), await createSession(key)];
    await call('POST', `/v1/sessions/${cancelled.id}/cancel`, { key });
    await call('DELETE', `/v1/sessions/${deleted.id}`, { key });
  });

  test('getSessionStatistics counts by day of creation and present status, without erased sessions', async () => {
    const body = await get(`/v1/statistics/sessions?from=${yesterday}&to=${today}`);
    expect(body).toMatchObject({
      period: { from: yesterday, to: today, timeZone: 'UTC' },
      days: [
        { date: yesterday, created: 1, statuses: { approved: 1, in_review: 0 } },
        { date: today, created: 4, statuses: { approved: 1, in_review: 1, not_started: 1, cancelled: 1 } },
      ],
      created: 5,
      statuses: { approved: 2, declined: 0, in_review: 1, not_started: 1, cancelled: 1 },
      review: { sessions: 2, share: 0.6667 },
      timeToDecision: { sessions: 2, medianSeconds: expect.any(Number) as number },
    });
    const { medianSeconds, p95Seconds } = body['timeToDecision'] as Record<string, number>;
    expect(medianSeconds).toBeLessThanOrEqual(p95Seconds ?? 0);
  });

  test('days begin in the time zone of the request, and each day of the period is listed', async () => {
    const { days, period } = await get('/v1/statistics/sessions?timeZone=Pacific/Kiritimati');
    expect(days).toHaveLength(30);
    expect(period).toMatchObject({ timeZone: 'Pacific/Kiritimati' });
    expect((days as { created: number }[]).reduce((sum, { created }) => sum + created, 0)).toBe(5);
  });

  test('getCheckStatistics counts checks that could not be run by their error code', async () => {
    const body = await get(`/v1/statistics/checks?from=${today}&to=${today}`);
    expect(body['days']).toEqual([{ date: today, created: 3, failed: 1 }]);
    expect(body['kinds']).toEqual([
      {
        kind: 'database_validation',
        created: 3,
        failed: 1,
        failures: [{ code: expect.any(String) as string, count: 1 }],
      },
    ]);
  });

  describe('of earlier days, which are stored', () => {
    const daysAgo = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
    const createEarlier = async (days: number): Promise<string> => {
      const { id } = await createSession(key);
      await Session.updateOne({ _id: id }, { $set: { createdAt: daysAgo(days) } });
      // Written past the services, which record changes of counted days.
      await DayCount.deleteMany({ organisationId: tenant.organisationId });
      return id;
    };
    /** Another first day each time: figures that were slow to compute are kept for a moment. */
    let before = 40;
    const count = async (days: number, zone = 'UTC'): Promise<Record<string, unknown>> => {
      before += 1;
      const query = `from=${formatDay(daysAgo(before))}&to=${formatDay(daysAgo(days - 1))}&timeZone=${zone}`;
      const { created, statuses } = await get(`/v1/statistics/sessions?${query}`);
      return { created, statuses };
    };

    test('a change or erasure of a session is in the figures of every time zone at once', async () => {
      const id = await createEarlier(30);
      for (const zone of ['UTC', 'Pacific/Kiritimati'])
        expect(await count(30, zone)).toMatchObject({ created: 1, statuses: { not_started: 1 } });
      await call('POST', `/v1/sessions/${id}/cancel`, { key });
      for (const zone of ['UTC', 'Pacific/Kiritimati'])
        expect(await count(30, zone)).toMatchObject({ created: 1, statuses: { not_started: 0, cancelled: 1 } });
      await call('DELETE', `/v1/sessions/${id}`, { key });
      for (const zone of ['UTC', 'Pacific/Kiritimati']) expect(await count(30, zone)).toMatchObject({ created: 0 });
    });

    test('are not counted again while none of their sessions changes', async () => {
      await createEarlier(20);
      expect(await count(20)).toMatchObject({ created: 1 });
      const { organisationId } = tenant;
      const changed = await DayCount.updateOne(
        { organisationId, mode: 'test', records: 'sessions', day: new Date(formatDay(daysAgo(20))) },
        { $set: { 'totals.0.count': 7 } },
      );
      expect(changed.modifiedCount).toBe(1);
      expect(await count(20)).toMatchObject({ created: 7 });
      await DayCount.deleteMany({ organisationId });
      expect(await count(20)).toMatchObject({ created: 1 });
      await Session.deleteMany({ organisationId, createdAt: { $lt: daysAgo(10) } });
    });
  });

  test('have nothing of the other mode or of another organisation', async () => {
    const other = await createIdentityTenant('Other statistics');
    for (const as of [tenant.identityKey, other.identityKey]) {
      expect(await get('/v1/statistics/sessions', as)).toMatchObject({
        created: 0,
        review: { sessions: 0, share: null },
        timeToDecision: { sessions: 0, medianSeconds: null, p95Seconds: null },
      });
      expect(await get('/v1/statistics/checks', as)).toMatchObject({ kinds: [] });
    }
  });

  test.each([
    ['from=2026-02-01&to=2026-01-01', 'from'],
    ['from=2024-01-01&to=2026-01-01', 'from'],
    ['from=yesterday', 'from'],
    ['timeZone=Mars/Olympus', 'timeZone'],
    ['day=2026-01-01', 'day'],
  ])('reject %s, naming the field', async (query, field) => {
    for (const path of ['sessions', 'checks', 'deliveries']) {
      const { status, body } = await call('GET', `/v1/statistics/${path}?${query}`, { key });
      expect([status, body['error']]).toMatchObject([
        400,
        { code: 'invalid_request', details: { fields: [{ field: expect.stringContaining(field) as string }] } },
      ]);
    }
  });
});

describe('figures of deliveries', () => {
  test('getDeliveryStatistics counts by status, and getWebhookDelivery shows request and response', async () => {
    const receiver = await startReceiver();
    const { webhook } = await registerWebhook(key, receiver.url, ['webhook.test']);
    const { id } = await requestTestDelivery(key, webhook.id);
    expect(await waitForDelivery(id)).toBe('succeeded');
    const today = formatDay(new Date());
    expect(await get(`/v1/statistics/deliveries?from=${today}`)).toMatchObject({
      statuses: { pending: 0, succeeded: 1, failed: 0, cancelled: 0 },
      webhooks: { enabled: 1, failing: 0, disabled: 0 },
    });
    const { delivery } = await get(`/v1/webhooks/${webhook.id}/deliveries/${id}`);
    const [received] = receiver.requests;
    expect(delivery).toMatchObject({
      id,
      attempts: [{ number: 1, status: 204 }],
      request: { method: 'POST', url: receiver.url, headers: { 'webhook-id': received?.headers['webhook-id'] } },
    });
    expect((delivery as { request: { body: string } }).request.body).toBe(received?.body);
    const another = await registerWebhook(key, receiver.url, ['webhook.test']);
    for (const path of [`/v1/webhooks/${another.webhook.id}/deliveries/${id}`])
      expect((await call('GET', path, { key })).status).toBe(404);
    const foreign = await call('GET', `/v1/webhooks/${webhook.id}/deliveries/${id}`, { key: tenant.identityKey });
    expect(foreign.status).toBe(404);
    await receiver.close();
  });
});

describe('state of the installation', () => {
  test('getPoolStatistics lists every worker pool with its workers and waiting tasks', async () => {
    const { pools } = (await get('/v1/statistics/pools')) as { pools: { pool: string; workers: number }[] };
    expect(pools.map(({ pool }) => pool).sort()).toEqual(Object.keys(QUEUES).sort());
    expect(pools.every(({ workers }) => workers > 0)).toBe(true);
  });

  test('needs operations:read, whatever else the key may do', async () => {
    const others = IDENTITY_PERMISSIONS.filter((permission) => permission !== 'operations:read');
    const narrow = await tenant.createIdentityKey(others);
    expect((await call('GET', '/v1/statistics/pools', { key: narrow })).status).toBe(403);
  });
});

describe('first-run checklist', () => {
  const readSteps = async (as: string): Promise<Record<string, boolean>> => {
    const { steps } = (await get('/v1/setup', as)) as { steps: { step: string; done: boolean }[] };
    return Object.fromEntries(steps.map(({ step, done }) => [step, done]));
  };

  test('getIdentitySetup is proven by the records of the organisation and mode', async () => {
    expect(await readSteps(tenant.identityKey)).toEqual({
      session_workflow_created: false,
      session_created: false,
      person_approved: false,
      key_created: true,
      webhook_registered: false,
    });
    expect(await readSteps(key)).toMatchObject({ session_created: true, person_approved: true });
  });

  test('has only steps whose records the credential can read', async () => {
    const narrow = await tenant.createIdentityKey(['webhooks:read']);
    expect(await readSteps(narrow)).toEqual({ webhook_registered: false });
  });
});
