import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import { call } from '../../../support/client';
import { createSession, facelessPicture, untilStatus } from '../../../support/identity/identity';
import type { Session } from '../../../support/identity/identity';
import { closeTestPlatform, createTenant } from '../../../support/tenant';

let key: string;

beforeAll(async () => {
  const tenant = await createTenant('Rules about records');
  key = await tenant.identityKeyWith([...IDENTITY_PERMISSIONS], { mode: 'test' });
});
afterAll(closeTestPlatform);

async function workflowWith(features: string[], rules: object[]): Promise<string> {
  const json = { name: 'Records', features, rules, maxAttempts: 1 };
  const { status, body } = await call('POST', '/v1/sessions/workflows', { key, json });
  expect({ status, body }).toMatchObject({ status: 201 });
  return (body['workflow'] as { id: string }).id;
}

const ENDED = ['approved', 'declined', 'in_review'] as const;

/** A session whose database step comes to what the national number says. */
async function validated(workflowId: string, idNumber: string): Promise<Session> {
  const { id: sessionId } = await createSession(key, { workflowId });
  const form = { sessionId, country: 'NR', idNumber };
  await call('POST', '/v1/documents/database-validation?wait=30', { key, form });
  return untilStatus(key, sessionId, ...ENDED);
}

/** A session whose proof of address comes to what its magic value says. */
async function proven(workflowId: string, sandbox: string): Promise<Session> {
  const { id: sessionId } = await createSession(key, { workflowId, metadata: { sandbox } });
  const form = { sessionId, document: { body: await facelessPicture() } };
  await call('POST', '/v1/documents/poa?wait=30', { key, form });
  return untilStatus(key, sessionId, ...ENDED);
}

/** A session that screens whom it expects against the fictional list; its proof of address is told to pass. */
async function screened(workflowId: string, firstName: string, lastName: string): Promise<Session> {
  const { id: sessionId } = await createSession(key, { workflowId, expected: { firstName, lastName } });
  const form = { sessionId, document: { body: await facelessPicture() } };
  const headers = { 'x-sandbox-result': 'approve' };
  await call('POST', '/v1/documents/poa?wait=30', { key, form, headers });
  return untilStatus(key, sessionId, ...ENDED);
}

test('a rule decides by how a database validation matched, and by whether it was covered at all', async () => {
  const workflowId = await workflowWith(
    ['database'],
    [
      { field: 'database.matchType', operator: 'equals', value: 'none', status: 'declined' },
      { field: 'database.matchType', operator: 'not_exists', status: 'declined' },
      { field: 'database.matchType', operator: 'equals', value: 'partial', status: 'approved' },
    ],
  );
  expect((await validated(workflowId, 'SANDBOX-FULL')).status).toBe('approved');
  expect((await validated(workflowId, 'SANDBOX-PARTIAL')).status).toBe('approved');
  expect((await validated(workflowId, 'SANDBOX-NONE')).status).toBe('declined');
  expect((await validated(workflowId, 'SANDBOX-UNAVAILABLE')).status).toBe('declined');
});

test('a rule decides by who issued a proof of address, and by what it does not say', async () => {
  const workflowId = await workflowWith(
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
  expect((await proven(workflowId, 'approve')).status).toBe('in_review');
  expect((await proven(workflowId, 'poa_issuer_not_found')).status).toBe('declined');
});

test('a rule decides by a match on a watch list, and by how high it scores', async () => {
  const workflowId = await workflowWith(
    ['poa', 'aml'],
    [
      { field: 'aml.match', operator: 'equals', value: true, status: 'declined' },
      { field: 'aml.score', operator: 'exists', status: 'in_review' },
    ],
  );
  const listed = await screened(workflowId, 'Aurelio Montezuma', 'Quillfeather');
  expect(listed).toMatchObject({ status: 'declined', results: { aml: { match: true } } });
  const nobody = await screened(workflowId, 'Sandy', 'Boxer');
  expect(nobody).toMatchObject({ status: 'in_review', results: { aml: { match: false } } });
});

test('a rule decides by the list a match stands on', async () => {
  const rules = [{ field: 'aml.lists', operator: 'contains', value: 'fictional', status: 'declined' }];
  const workflowId = await workflowWith(['poa', 'aml'], rules);
  expect((await screened(workflowId, 'Seraphina', 'Nightglass-Orlov')).status).toBe('declined');
  expect((await screened(workflowId, 'Sandy', 'Boxer')).status).toBe('approved');
});

test.each([
  ['a comparison its type does not take', { field: 'aml.match', operator: 'greater', value: 1 }, 'operator'],
  ['a value of another type', { field: 'aml.score', operator: 'greater', value: 'high' }, 'value'],
  ['a field of a feature that has none', { field: 'poa.colour', operator: 'exists' }, 'field'],
])('%s is refused by its path', async (_title, rule, place) => {
  const json = { name: 'Wrong', features: ['poa'], rules: [{ ...rule, status: 'declined' }] };
  const answer = await call('POST', '/v1/sessions/workflows', { key, json });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(`rules[0].${place}`);
});
