import { RULE_FIELD_NAMES } from '../../../../domain/identity/sessions/rules/fields';
import { call } from '../../../support/client';
import {
  createSessionWorkflow,
  SESSION_WORKFLOWS_PATH,
  parseSessionWorkflow,
} from '../../../support/identity/session-templates';
import type { SessionWorkflow } from '../../../support/identity/session-templates';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

let tenant: IdentityTenant;
let other: IdentityTenant;

beforeAll(async () => {
  tenant = await createIdentityTenant('Workflows');
  other = await createIdentityTenant('Other');
});
afterAll(closeTestPlatform);

const create = (json: object, key = tenant.identityKey): Promise<SessionWorkflow> => createSessionWorkflow(key, json);

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
    const lister = await createIdentityTenant('Lists');
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
