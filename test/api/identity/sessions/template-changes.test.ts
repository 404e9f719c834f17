import { Audit } from '../../../../models/platform/audit/audit';
import { call } from '../../../support/client';
import { createSession, getSession } from '../../../support/identity/identity';
import {
  createSessionWorkflow,
  SESSION_WORKFLOWS_PATH,
  parseSessionWorkflow,
} from '../../../support/identity/session-templates';
import type { SessionWorkflow } from '../../../support/identity/session-templates';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { HOUR_MS } from '../../../../domain/durations';

let tenant: IdentityTenant;

beforeAll(async () => {
  tenant = await createIdentityTenant('Workflow changes');
});
afterAll(closeTestPlatform);

const create = (json: object, key = tenant.identityKey): Promise<SessionWorkflow> => createSessionWorkflow(key, json);

const change = (id: string, json: object) =>
  call('PATCH', `${SESSION_WORKFLOWS_PATH}/${id}`, { key: tenant.identityKey, json });

describe('changing a workflow', () => {
  test('creates the next version and leaves the former one unchanged', async () => {
    const { id } = await create({ name: 'First', maxAttempts: 2 });
    const { status, body } = await change(id, { name: 'Second', thresholds: { minimumAge: 18 } });
    expect({ status, workflow: parseSessionWorkflow(body) }).toMatchObject({
      status: 200,
      workflow: { version: 2, currentVersion: 2, name: 'Second', maxAttempts: 2, thresholds: { minimumAge: 18 } },
    });
    const first = await call('GET', `${SESSION_WORKFLOWS_PATH}/${id}?version=1`, { key: tenant.identityKey });
    expect(parseSessionWorkflow(first.body)).toMatchObject({
      version: 1,
      currentVersion: 2,
      name: 'First',
      thresholds: {},
    });
    expect((await call('GET', `${SESSION_WORKFLOWS_PATH}/${id}?version=3`, { key: tenant.identityKey })).status).toBe(
      404,
    );
    const rows = await Audit.find({ subject: id }).sort({ _id: 1 }).lean();
    expect(rows).toMatchObject([
      { action: 'workflow.created', fields: ['name', 'maxAttempts'] },
      { action: 'workflow.changed', fields: ['name', 'thresholds'] },
    ]);
  });

  test('rejects a change based on a version that is no longer current', async () => {
    const { id } = await create({ name: 'Seen' });
    expect((await change(id, { name: 'Theirs', version: 1 })).status).toBe(200);
    const late = await change(id, { name: 'Mine', version: 1 });
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'workflow_changed' } } });
    expect((await change(id, { version: 2 })).status).toBe(400);
    expect((await change(id, {})).status).toBe(400);
  });

  test('rejects a change whose If-Match names an earlier version, with the ETag of the one that is current', async () => {
    const { id } = await create({ name: 'First' });
    const path = `${SESSION_WORKFLOWS_PATH}/${id}`;
    const key = tenant.identityKey;
    const tag = { 'if-match': (await call('GET', path, { key })).headers.get('etag') ?? 'none' };
    const rename = (name: string) => call('PATCH', path, { key, json: { name }, headers: tag });
    const changed = await rename('Theirs');
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    const late = await rename('Mine');
    expect([late.status, late.body['error']]).toMatchObject([412, { code: 'version_mismatch' }]);
    expect((await call('GET', path, { key })).body).toMatchObject({ workflow: { name: 'Theirs' } });
  });

  test('gives each of many concurrent changes its own version, or rejects it', async () => {
    const { id } = await create({ name: 'Busy' });
    const responses = await Promise.all(Array.from({ length: 6 }, (_, i) => change(id, { maxAttempts: i + 1 })));
    expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const versions = responses
      .filter(({ status }) => status === 200)
      .map(({ body }) => parseSessionWorkflow(body).version);
    expect(new Set(versions).size).toBe(versions.length);
  });

  test('affects only later sessions: existing ones keep their version, attempts and times', async () => {
    const { id } = await create({ name: 'Kept', features: ['liveness'], maxAttempts: 2, linkTtlHours: 48 });
    const before = await createSession(tenant.identityKey, { workflowId: id });
    await change(id, { maxAttempts: 5, linkTtlHours: 1 });
    const after = await createSession(tenant.identityKey, { workflowId: id, features: ['id'] });
    expect(before).toMatchObject({ workflowId: id, workflowVersion: 1, features: ['liveness'] });
    expect(after).toMatchObject({ workflowId: id, workflowVersion: 2, features: ['id'] });
    const hours = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }): number =>
      (Date.parse(expiresAt) - Date.parse(createdAt)) / HOUR_MS;
    expect([hours(before), hours(after)]).toEqual([48, 1]);
    expect((await getSession(tenant.identityKey, before.id)).steps).toMatchObject([{ attemptsLeft: 2 }]);
    expect(after.steps).toMatchObject([{ attemptsLeft: 5 }]);
  });
});

describe('the default workflow', () => {
  test('applies to sessions that name none; there is at most one, and it cannot be deleted', async () => {
    const owner = await createIdentityTenant('Default');
    const key = owner.identityKey;
    expect(await createSession(key)).toMatchObject({ workflowId: null, workflowVersion: null });
    const first = await create({ name: 'A', isDefault: true, features: ['liveness'] }, key);
    const second = await create({ name: 'B', features: ['id'] }, key);
    expect(await createSession(key)).toMatchObject({ workflowId: first.id, features: ['liveness'] });

    const created = await call('PATCH', `${SESSION_WORKFLOWS_PATH}/${second.id}`, { key, json: { isDefault: true } });
    expect(parseSessionWorkflow(created.body)).toMatchObject({ version: 1, isDefault: true });
    const former = await call('GET', `${SESSION_WORKFLOWS_PATH}/${first.id}`, { key });
    expect(parseSessionWorkflow(former.body)).toMatchObject({ isDefault: false });
    expect(await createSession(key)).toMatchObject({ workflowId: second.id, features: ['id'] });

    const rejected = await call('DELETE', `${SESSION_WORKFLOWS_PATH}/${second.id}`, { key });
    expect(rejected).toMatchObject({ status: 409, body: { error: { code: 'workflow_is_default' } } });
    expect((await call('DELETE', `${SESSION_WORKFLOWS_PATH}/${first.id}`, { key })).status).toBe(200);
  });

  test('is unique under concurrency', async () => {
    const owner = await createIdentityTenant('Race');
    const key = owner.identityKey;
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        call('POST', SESSION_WORKFLOWS_PATH, { key, json: { name: `W${i}`, isDefault: true } }),
      ),
    );
    expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const { body } = await call('GET', SESSION_WORKFLOWS_PATH, { key });
    expect((body['workflows'] as SessionWorkflow[]).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });
});

describe('deleting a workflow', () => {
  test('archives it: existing sessions continue, new ones and changes are rejected', async () => {
    const { id } = await create({ name: 'Gone', features: ['liveness'] });
    const session = await createSession(tenant.identityKey, { workflowId: id });
    const deleted = await call('DELETE', `${SESSION_WORKFLOWS_PATH}/${id}`, { key: tenant.identityKey });
    expect(deleted).toMatchObject({ status: 200, body: { ok: true, id, deleted: true } });
    const again = await call('DELETE', `${SESSION_WORKFLOWS_PATH}/${id}`, { key: tenant.identityKey });
    expect([again.status, again.body]).toEqual([200, deleted.body]);
    expect(await Audit.countDocuments({ subject: id, action: 'workflow.archived' })).toBe(1);
    const start = await call('POST', '/v1/sessions', { key: tenant.identityKey, json: { workflowId: id } });
    expect(start).toMatchObject({ status: 409, body: { error: { code: 'workflow_archived' } } });
    expect(await change(id, { name: 'Back' })).toMatchObject({ status: 409 });
    const { body } = await call('GET', SESSION_WORKFLOWS_PATH, { key: tenant.identityKey });
    expect((body['workflows'] as SessionWorkflow[]).map((one) => one.id)).not.toContain(id);
    expect((await getSession(tenant.identityKey, session.id)).status).toBe('not_started');
    const response = await call('GET', `${SESSION_WORKFLOWS_PATH}/${id}`, { key: tenant.identityKey });
    expect(parseSessionWorkflow(response.body)['archivedAt']).toEqual(expect.any(String));
  });
});
