import { makeDemoImages } from '../../../../scripts/demo/images';
import { call } from '../../../support/client';
import {
  parseCheck,
  createSession,
  postDecision,
  listEventTypes,
  createFacelessImage,
  getSession,
  postDocument,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import {
  createSessionWorkflow,
  SESSION_WORKFLOWS_PATH,
  parseSessionWorkflow,
} from '../../../support/identity/session-templates';
import type { SessionWorkflow } from '../../../support/identity/session-templates';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { DAY_MS } from '../../../../domain/durations';

let tenant: IdentityTenant;
let other: IdentityTenant;

beforeAll(async () => {
  tenant = await createIdentityTenant('Workflow decisions');
  other = await createIdentityTenant('Other');
});
afterAll(closeTestPlatform);

const create = (json: object, key = tenant.identityKey): Promise<SessionWorkflow> => createSessionWorkflow(key, json);

describe('simulating a draft', () => {
  const simulate = (key: string, id: string, json: object) =>
    call('POST', `${SESSION_WORKFLOWS_PATH}/${id}/simulate`, { key, json });

  test('reports past sessions whose decision would differ, and writes nothing', async () => {
    const owner = await createIdentityTenant('Simulation');
    const key = owner.identityKey;
    const definition = { name: 'Now', features: ['liveness'], maxAttempts: 1 };
    const workflow = await create({ ...definition, actions: { no_face: 'ignore' } }, key);
    const ids: string[] = [];
    for (const amount of [50, 5000]) {
      const { id } = await createSession(key, { workflowId: workflow.id, metadata: { amount } });
      parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } }));
      ids.push((await waitForStatus(key, id, 'approved')).id);
    }
    const before = await Promise.all(ids.map((id) => getSession(key, id)));

    const same = await simulate(key, workflow.id, {});
    expect(same).toMatchObject({
      status: 200,
      body: { simulation: { examined: 2, unchanged: 2, changed: 0, moves: [{ from: 'approved', to: 'approved' }] } },
    });
    const rules = [{ field: 'session.metadata.amount', operator: 'greater', value: 1000, status: 'in_review' }];
    const ruled = await simulate(key, workflow.id, { draft: { rules } });
    expect(ruled.body['simulation']).toMatchObject({
      examined: 2,
      unchanged: 1,
      changed: 1,
      moves: expect.arrayContaining([
        { from: 'approved', to: 'in_review', count: 1, reviewed: { approved: 0, declined: 0 }, sessionIds: [ids[1]] },
      ]) as unknown,
    });
    const strict = await simulate(key, workflow.id, { draft: { actions: {} } });
    expect(strict.body['simulation']).toMatchObject({ changed: 2, moves: [{ from: 'approved', to: 'in_review' }] });
    const unmatched = await simulate(key, workflow.id, { sessions: { workflowId: 'wfl_other' } });
    expect(unmatched.body['simulation']).toEqual({ examined: 0, unchanged: 0, changed: 0, moves: [] });

    expect(await Promise.all(ids.map((id) => getSession(key, id)))).toEqual(before);
    const response = await call('GET', `${SESSION_WORKFLOWS_PATH}/${workflow.id}`, { key });
    expect(parseSessionWorkflow(response.body)).toEqual(workflow);
  });

  test('compares with the decision of the rules, and reports the decisions of reviewers', async () => {
    const owner = await createIdentityTenant('Reviewed');
    const key = owner.identityKey;
    const workflow = await create({ name: 'Reviewed', features: ['liveness'], maxAttempts: 1 }, key);
    const { id } = await createSession(key, { workflowId: workflow.id });
    parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } }));
    await waitForStatus(key, id, 'in_review');
    await postDecision(key, id, { decision: 'decline', reason: 'Nobody there.' });
    const { body } = await simulate(key, workflow.id, { draft: { actions: { no_face: 'ignore' } } });
    expect(body['simulation']).toMatchObject({
      moves: [
        { from: 'in_review', to: 'approved', count: 1, reviewed: { approved: 0, declined: 1 }, sessionIds: [id] },
      ],
    });
  });

  test('requires the features of the draft, and applies its accepted documents', async () => {
    const owner = await createIdentityTenant('Other features');
    const key = owner.identityKey;
    const workflow = await create({ name: 'Document', features: ['id'] }, key);
    const { passport } = await makeDemoImages();
    const { id } = await createSession(key, { workflowId: workflow.id, externalId: 'holder' });
    parseCheck(await postDocument(key, { sessionId: id, frontImage: passport }));
    await waitForStatus(key, id, 'approved');
    const moved = async (draft: object): Promise<unknown> =>
      (await simulate(key, workflow.id, { draft })).body['simulation'];
    const to = (status: string) => ({ examined: 1, moves: [{ from: 'approved', to: status, count: 1 }] });
    expect(await moved({ acceptedDocuments: [{ type: 'identity_card' }] })).toMatchObject({ changed: 1 });
    expect(await moved({ acceptedDocuments: [{ type: 'passport', countries: ['FRA'] }] })).toMatchObject({
      changed: 1,
    });
    expect(await moved({ acceptedDocuments: [{ type: 'passport' }] })).toMatchObject(to('approved'));
    expect(await moved({ acceptedDocuments: null })).toMatchObject(to('approved'));
    expect(await moved({ features: ['id', 'liveness'] })).toMatchObject(to('in_progress'));
    expect(await moved({ features: ['id'] })).toMatchObject(to('approved'));
    const strict = { acceptedDocuments: [{ type: 'visa' }], actions: { document_not_accepted: 'review' } };
    expect(await moved(strict)).toMatchObject(to('in_review'));
    // A document that a narrow workflow rejected passes a draft that accepts it.
    const narrow = await create(
      { name: 'Narrow', features: ['id'], acceptedDocuments: [{ type: 'visa' }], maxAttempts: 1 },
      key,
    );
    const rejected = await createSession(key, { workflowId: narrow.id, externalId: 'holder' });
    parseCheck(await postDocument(key, { sessionId: rejected.id, frontImage: passport }));
    await waitForStatus(key, rejected.id, 'declined', 'in_review');
    const wide = { draft: { acceptedDocuments: null, actions: {} }, sessions: { workflowId: narrow.id } };
    expect((await simulate(key, narrow.id, wide)).body['simulation']).toMatchObject({
      examined: 1,
      moves: [{ from: 'in_review', to: 'approved' }],
    });
  });

  test('rejects an invalid draft, and a caller who may not read sessions', async () => {
    const { id } = await create({ name: 'Draft' });
    const rules = [{ field: 'document.colour', operator: 'exists', status: 'declined' }];
    expect(await simulate(tenant.identityKey, id, { draft: { rules } })).toMatchObject({
      status: 400,
      body: { error: { details: { fields: [{ field: 'draft.rules[0].field' }] } } },
    });
    const limited = await tenant.createIdentityKey(['workflows:read']);
    expect((await simulate(limited, id, {})).status).toBe(403);
    expect((await simulate(other.identityKey, id, {})).status).toBe(404);
  });
});

describe('what a workflow decides', () => {
  /** Runs a session of the workflow with one faceless selfie until it is decided. */
  async function createDecidedSession(definition: object, options: object = {}) {
    const workflow = await create({ name: 'Decides', features: ['liveness'], maxAttempts: 1, ...definition });
    const { id } = await createSession(tenant.identityKey, { workflowId: workflow.id, ...options });
    parseCheck(await postLiveness(tenant.identityKey, { sessionId: id, image: { body: await createFacelessImage() } }));
    return waitForStatus(tenant.identityKey, id, 'approved', 'declined', 'in_review');
  }

  test('its attempts: exactly one', async () => {
    expect(await createDecidedSession({})).toMatchObject({
      status: 'in_review',
      decision: { reasons: ['attempts_exhausted', 'no_face'], rule: null },
    });
  });

  test('its actions: an ignored risk is not a reason', async () => {
    const session = await createDecidedSession({ actions: { no_face: 'ignore' } });
    expect(session).toMatchObject({ status: 'approved', decision: { reasons: [], rule: null, decidedBy: 'rules' } });
    expect(session.risks).toMatchObject([{ code: 'no_face', action: 'ignore' }]);
  });

  test('its rules: the first that holds decides, and the decision names it', async () => {
    const rules = [
      { id: 'small', field: 'session.metadata.amount', operator: 'less', value: 100, status: 'in_review' },
      { id: 'nobody', field: 'risks', operator: 'contains', value: 'no_face', status: 'declined' },
      { id: 'never', field: 'risks', operator: 'exists', status: 'in_review' },
    ];
    const session = await createDecidedSession({ rules }, { metadata: { amount: 250 } });
    expect(session).toMatchObject({
      status: 'declined',
      decision: { outcome: 'declined', decidedBy: 'rules', rule: 'nobody', reasons: ['attempts_exhausted', 'no_face'] },
    });
    expect(await listEventTypes(session.id)).toContain('session.declined');
  });

  test('its rules with further conditions: all must hold', async () => {
    const condition = { field: 'risks', operator: 'contains', value: 'no_face' };
    const missing = { field: 'document.age', operator: 'less', value: 18 };
    const rules = [
      { id: 'half', ...condition, and: [missing], status: 'declined' },
      { id: 'whole', ...condition, and: [{ field: 'document.age', operator: 'not_exists' }], status: 'declined' },
    ];
    expect((await createDecidedSession({ rules })).decision).toMatchObject({ outcome: 'declined', rule: 'whole' });
  });

  test('no approval of a session with a step that did not pass, whatever a rule says', async () => {
    const rules = [{ id: 'generous', field: 'risks', operator: 'exists', status: 'approved' }];
    expect(await createDecidedSession({ rules })).toMatchObject({ status: 'in_review', decision: { rule: null } });
  });

  test('the validity of its approvals and the retention of its sessions', async () => {
    const session = await createDecidedSession({
      actions: { no_face: 'ignore' },
      approvalValidDays: 30,
      retentionDays: 60,
    });
    const days = (date: string | null): number =>
      (Date.parse(date ?? '') - Date.parse(session.finishedAt ?? '')) / DAY_MS;
    expect([days(session.approvalExpiresAt), days(session.retainUntil)]).toEqual([30, 60]);
  });
});
