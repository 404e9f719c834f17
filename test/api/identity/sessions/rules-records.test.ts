import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import { call } from '../../../support/client';
import { createSession, createFacelessImage, waitForStatus } from '../../../support/identity/identity';
import type { Session } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let key: string;

beforeAll(async () => {
  const tenant = await createIdentityTenant('Rules about records');
  key = await tenant.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
});
afterAll(closeTestPlatform);

async function createWorkflow(features: string[], rules: object[]): Promise<string> {
  const json = { name: 'Records', features, rules, maxAttempts: 1 };
  const { status, body } = await call('POST', '/v1/sessions/workflows', { key, json });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body['workflow'] as { id: string }).id;
}

const FINAL_STATUSES = ['approved', 'declined', 'in_review'] as const;

/** Runs a session whose database step has the outcome of a sandbox number. */
async function runDatabaseSession(workflowId: string, idNumber: string): Promise<Session> {
  const { id: sessionId } = await createSession(key, { workflowId });
  const form = { sessionId, country: 'NR', idNumber };
  await call('POST', '/v1/documents/database-validation', { key, form });
  return waitForStatus(key, sessionId, ...FINAL_STATUSES);
}

/** Runs a session whose proof of address has the outcome of a sandbox value. */
async function runProofSession(workflowId: string, sandbox: string): Promise<Session> {
  const { id: sessionId } = await createSession(key, { workflowId, metadata: { sandbox } });
  const form = { sessionId, document: { body: await createFacelessImage() } };
  await call('POST', '/v1/documents/poa', { key, form });
  return waitForStatus(key, sessionId, ...FINAL_STATUSES);
}

/** Runs a session that screens the expected person against the fictional list; its proof of address is approved. */
async function runScreenedSession(workflowId: string, firstName: string, lastName: string): Promise<Session> {
  const { id: sessionId } = await createSession(key, { workflowId, expected: { firstName, lastName } });
  const form = { sessionId, document: { body: await createFacelessImage() } };
  const headers = { 'x-sandbox-result': 'approve' };
  await call('POST', '/v1/documents/poa', { key, form, headers });
  return waitForStatus(key, sessionId, ...FINAL_STATUSES);
}

test('a rule decides by the match of a database validation, or by a missing register', async () => {
  const workflowId = await createWorkflow(
    ['database'],
    [
      { field: 'database.matchType', operator: 'equals', value: 'none', status: 'declined' },
      { field: 'database.matchType', operator: 'not_exists', status: 'declined' },
      { field: 'database.matchType', operator: 'equals', value: 'partial', status: 'approved' },
    ],
  );
  expect((await runDatabaseSession(workflowId, 'SANDBOX-FULL')).status).toBe('approved');
  expect((await runDatabaseSession(workflowId, 'SANDBOX-PARTIAL')).status).toBe('approved');
  expect((await runDatabaseSession(workflowId, 'SANDBOX-NONE')).status).toBe('declined');
  expect((await runDatabaseSession(workflowId, 'SANDBOX-UNAVAILABLE')).status).toBe('declined');
});

test('a rule decides by the issuer of a proof of address, or by its absence', async () => {
  const workflowId = await createWorkflow(
    ['poa'],
    [
      { field: 'poa.issuer', operator: 'not_exists', status: 'declined' },
      {
        field: 'poa.issuer',
        operator: 'equals',
        value: 'utopian waterworks',
        status: 'in_review',
        and: [{ field: 'poa.documentType', operator: 'in', value: ['utility_bill'] }],
      },
    ],
  );
  expect((await runProofSession(workflowId, 'approve')).status).toBe('in_review');
  expect((await runProofSession(workflowId, 'poa_issuer_not_found')).status).toBe('declined');
});

test('a rule decides by a match on a watch list, and by its score', async () => {
  const workflowId = await createWorkflow(
    ['poa', 'aml'],
    [
      { field: 'aml.match', operator: 'equals', value: true, status: 'declined' },
      { field: 'aml.score', operator: 'exists', status: 'in_review' },
    ],
  );
  const listed = await runScreenedSession(workflowId, 'Aurelio Montezuma', 'Quillfeather');
  expect(listed).toMatchObject({ status: 'declined', results: { aml: { match: true } } });
  const unlisted = await runScreenedSession(workflowId, 'Sandy', 'Boxer');
  expect(unlisted).toMatchObject({ status: 'in_review', results: { aml: { match: false } } });
});

test('a rule decides by the list of a match', async () => {
  const rules = [{ field: 'aml.lists', operator: 'contains', value: 'fictional', status: 'declined' }];
  const workflowId = await createWorkflow(['poa', 'aml'], rules);
  expect((await runScreenedSession(workflowId, 'Seraphina', 'Nightglass-Orlov')).status).toBe('declined');
  expect((await runScreenedSession(workflowId, 'Sandy', 'Boxer')).status).toBe('approved');
});

test.each([
  ['an operator that its type does not have', { field: 'aml.match', operator: 'greater', value: 1 }, 'operator'],
  ['a value of another type', { field: 'aml.score', operator: 'greater', value: 'high' }, 'value'],
  ['an unknown field of a feature', { field: 'poa.colour', operator: 'exists' }, 'field'],
])('%s is refused by its path', async (_title, rule, place) => {
  const json = { name: 'Wrong', features: ['poa'], rules: [{ ...rule, status: 'declined' }] };
  const response = await call('POST', '/v1/sessions/workflows', { key, json });
  expect(response.status).toBe(400);
  expect(JSON.stringify(response.body)).toContain(`rules[0].${place}`);
});
