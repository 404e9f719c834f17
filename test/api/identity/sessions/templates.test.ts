import { RULE_FIELD_NAMES } from '../../../../domain/identity/sessions/rules/fields';
import { Audit } from '../../../../models/platform/audit/audit';
import { call } from '../../../support/client';
import { createSession, getSession } from '../../../support/identity/identity';
import {
  createSessionWorkflow,
  SESSION_WORKFLOWS_PATH,
  parseSessionWorkflow,
} from '../../../support/identity/session-templates';
import type { SessionWorkflow } from '../../../support/identity/session-templates';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { HOUR_MS } from '../../../../domain/durations';

let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  tenant = await createTenant('Workflows');
  other = await createTenant('Other');
});
afterAll(closeTestPlatform);

const create = (json: object, key = tenant.identityKey): Promise<SessionWorkflow> => createSessionWorkflow(key, json);

const change = (id: string, json: object) =>
  call('PATCH', `${SESSION_WORKFLOWS_PATH}/${id}`, { key: tenant.identityKey, json });

describe('a session workflow', () => {
  test('needs only a name; other fields have defaults', async () => {
    const workflow = await create({ name: 'Plain' });
    expect(workflow).toMatchObject({
      name: 'Plain',
      version: 1,
      currentVersion: 1,
      isDefault: false,
      features: ['id', 'liveness', 'face_match'],
      thresholds: {},
      actions: {},
      rules: [],
      maxAttempts: 3,
      attemptWindowDays: 7,
      linkTtlHours: 168,
      abandonAfterHours: 24,
      approvalValidDays: null,
      retentionDays: null,
      indexApprovedFaces: true,
      callbackUrl: null,
      branding: null,
      acceptedDocuments: null,
      acceptPdfDocuments: true,
      archivedAt: null,
    });
    const { body } = await call('GET', `${SESSION_WORKFLOWS_PATH}/${workflow.id}`, { key: tenant.identityKey });
    expect(parseSessionWorkflow(body)).toEqual(workflow);
  });

  test('stores every field, countries as alpha-3 codes, and assigns ids to rules without one', async () => {
    const definition = {
      name: 'Everything',
      features: ['id', 'liveness'],
      thresholds: { liveness: { decline: 20, review: 80 }, faceMatch: { decline: 30, review: 60 }, minimumAge: 21 },
      actions: { image_blurred: 'ignore', document_expired: 'review' },
      rules: [
        { field: 'document.issuingState', operator: 'not_in', value: ['FRA', 'DEU'], status: 'in_review' },
        {
          id: 'names',
          field: 'document.lastName',
          operator: 'matches',
          value: '(?i)^x+$',
          and: [{ field: 'liveness.score', operator: 'exists' }],
          status: 'declined',
        },
      ],
      maxAttempts: 5,
      attemptWindowDays: 30,
      linkTtlHours: 1,
      abandonAfterHours: 2,
      approvalValidDays: 365,
      retentionDays: 90,
      indexApprovedFaces: false,
      callbackUrl: 'https://shop.example/done',
      branding: { name: 'Shop', logoUrl: 'https://shop.example/logo.png', primaryColor: '#1a73e8' },
      acceptedDocuments: [{ type: 'passport' }, { type: 'identity_card', countries: ['fr'] }],
      acceptPdfDocuments: false,
    };
    const workflow = await create(definition);
    expect(workflow).toMatchObject({
      ...definition,
      rules: [{ ...definition.rules[0], id: 'rule-1' }, definition.rules[1]],
      acceptedDocuments: [{ type: 'passport' }, { type: 'identity_card', countries: ['FRA'] }],
    });
  });

  const ruleWith = (rule: object): object => ({ name: 'x', rules: [{ status: 'declined', ...rule }] });

  test.each<[string, object, string]>([
    ['a workflow without a name', {}, 'name'],
    ['an unknown field', { name: 'x', colour: 'red' }, 'colour'],
    ['a feature twice', { name: 'x', features: ['id', 'id'] }, 'features'],
    ['no attempts', { name: 'x', maxAttempts: 0 }, 'maxAttempts'],
    [
      'thresholds the wrong way round',
      { name: 'x', thresholds: { liveness: { decline: 80, review: 70 } } },
      'thresholds.liveness.decline',
    ],
    ['a score above 100', { name: 'x', thresholds: { aml: { review: 70, decline: 101 } } }, 'thresholds.aml.decline'],
    ['an action for an unknown risk', { name: 'x', actions: { bad_hair: 'decline' } }, 'actions.bad_hair'],
    [
      'a recapture that cures nothing',
      { name: 'x', actions: { document_expired: 'recapture' } },
      'actions.document_expired',
    ],
    ['an unknown action', { name: 'x', actions: { image_blurred: 'shrug' } }, 'actions.image_blurred'],
    ['a logo in clear text', { name: 'x', branding: { logoUrl: 'http://shop.example/a.png' } }, 'branding.logoUrl'],
    ['an unknown document', { name: 'x', acceptedDocuments: [{ type: 'library_card' }] }, 'acceptedDocuments[0].type'],
    [
      'the number of a country',
      { name: 'x', acceptedDocuments: [{ type: 'passport', countries: ['250'] }] },
      'acceptedDocuments[0].countries[0]',
    ],
    ['a rule on an unknown field', ruleWith({ field: 'document.colour', operator: 'exists' }), 'rules[0].field'],
    [
      'an operator the field does not take',
      ruleWith({ field: 'liveness.score', operator: 'contains', value: '1' }),
      'rules[0].operator',
    ],
    ['an unknown operator', ruleWith({ field: 'liveness.score', operator: 'like', value: 1 }), 'rules[0].operator'],
    [
      'a text where a number is compared',
      ruleWith({ field: 'liveness.score', operator: 'less', value: '50' }),
      'rules[0].value',
    ],
    [
      'a day that is no date',
      ruleWith({ field: 'document.dateOfBirth', operator: 'less', value: '1.1.1990' }),
      'rules[0].value',
    ],
    [
      'a value where none is taken',
      ruleWith({ field: 'liveness.score', operator: 'exists', value: 1 }),
      'rules[0].value',
    ],
    ['no value where one is required', ruleWith({ field: 'liveness.score', operator: 'less' }), 'rules[0].value'],
    [
      'one value where a list is taken',
      ruleWith({ field: 'document.sex', operator: 'in', value: 'F' }),
      'rules[0].value',
    ],
    [
      'a pattern with look-around',
      ruleWith({ field: 'document.lastName', operator: 'matches', value: '(?=a)b' }),
      'rules[0].value',
    ],
    [
      'a pattern that grows without bound',
      ruleWith({ field: 'document.lastName', operator: 'matches', value: '((a{1,99}){99}){99}' }),
      'rules[0].value',
    ],
    [
      'a long pattern',
      ruleWith({ field: 'document.lastName', operator: 'matches', value: 'a'.repeat(201) }),
      'rules[0].value',
    ],
    [
      'a further condition that is none',
      ruleWith({ field: 'document.sex', operator: 'exists', and: [{ field: 'x', operator: 'exists' }] }),
      'rules[0].and[0].field',
    ],
    [
      'two rules of one id',
      { name: 'x', rules: [1, 2].map(() => ({ id: 'a', field: 'risks', operator: 'exists', status: 'declined' })) },
      'rules',
    ],
    [
      'too many rules',
      {
        name: 'x',
        rules: Array.from({ length: 101 }, () => ({ field: 'risks', operator: 'exists', status: 'declined' })),
      },
      'rules',
    ],
  ])('refuses %s by its name', async (_what, json, field) => {
    const { status, body } = await call('POST', SESSION_WORKFLOWS_PATH, { key: tenant.identityKey, json });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { ok: false, error: { code: 'invalid_request', details: { fields: [{ field }] } } },
    });
  });

  test('lists the fields of rules in the error of an unknown one', async () => {
    const json = ruleWith({ field: 'document.colour', operator: 'exists' });
    const { body } = await call('POST', SESSION_WORKFLOWS_PATH, { key: tenant.identityKey, json });
    for (const name of RULE_FIELD_NAMES) expect(JSON.stringify(body)).toContain(name);
  });

  test('is created once per idempotency key', async () => {
    const request = { key: other.identityKey, json: { name: 'Once' }, headers: { 'idempotency-key': 'workflow-once' } };
    const responses = await Promise.all([
      call('POST', SESSION_WORKFLOWS_PATH, request),
      call('POST', SESSION_WORKFLOWS_PATH, request),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
  });

  test('is unknown to another organisation and another mode', async () => {
    const { id } = await create({ name: 'Mine' });
    const testKey = await tenant.createIdentityKey(['workflows:read', 'workflows:write', 'sessions:write'], {
      mode: 'test',
    });
    for (const key of [other.identityKey, testKey]) {
      expect((await call('GET', `${SESSION_WORKFLOWS_PATH}/${id}`, { key })).status).toBe(404);
      expect((await call('PATCH', `${SESSION_WORKFLOWS_PATH}/${id}`, { key, json: { name: 'Theirs' } })).status).toBe(
        404,
      );
      expect((await call('DELETE', `${SESSION_WORKFLOWS_PATH}/${id}`, { key })).status).toBe(404);
      expect((await call('POST', '/v1/sessions', { key, json: { workflowId: id } })).status).toBe(404);
    }
  });

  test('is listed page by page, newest first, with the exact total', async () => {
    const lister = await createTenant('Lists');
    const created: string[] = [];
    for (const name of ['a', 'b', 'c']) created.unshift((await create({ name }, lister.identityKey)).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`;
      const { body } = await call('GET', `${SESSION_WORKFLOWS_PATH}${query}`, { key: lister.identityKey });
      const page = body as { workflows: SessionWorkflow[]; total: number; nextCursor: string | null };
      expect(page.total).toBe(3);
      seen.push(...page.workflows.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(created);
  });
});

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
    const owner = await createTenant('Default');
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
    const owner = await createTenant('Race');
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
    expect((await call('DELETE', `${SESSION_WORKFLOWS_PATH}/${id}`, { key: tenant.identityKey })).status).toBe(404);
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
