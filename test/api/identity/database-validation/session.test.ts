import { loadPortrait } from '../../../../scripts/demo/photos';
import { call } from '../../../support/client';
import { createSession, getSession, postDocument, waitForStatus } from '../../../support/identity/identity';
import type { Session } from '../../../support/identity/identity';
import { drawSpecimen } from '../../../support/identity/specimens';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { pollUntilFound } from '../../../support/poll';

/** A passport of Estonia; the number encodes a man born on 28 May 1968. */
const PASSPORT = {
  documentCode: 'P',
  issuingState: 'EST',
  name: 'TAMMSALU<<JAAN',
  documentNumber: 'KX4471902',
  nationality: 'EST',
  dateOfBirth: '680528',
  sex: 'M',
  expiryDate: '330314',
};
const NUMBER = '36805280109';

let withNumber: Buffer;
let withoutNumber: Buffer;
let withoutDay: Buffer;

beforeAll(async () => {
  const portrait = await loadPortrait('maria');
  const draw = async (optional: object): Promise<Buffer> =>
    (await drawSpecimen({ format: 'TD3', content: { ...PASSPORT, ...optional }, portrait })).image;
  withNumber = await draw({ optional1: NUMBER });
  withoutNumber = await draw({});
  withoutDay = await draw({ optional1: NUMBER, dateOfBirth: '68<<<<' });
});
afterAll(closeTestPlatform);

async function createTenantWithRegister(row?: string): Promise<IdentityTenant> {
  const tenant = await createIdentityTenant('Database after a document');
  if (row === undefined) return tenant;
  const body = Buffer.from(`country,idNumber,firstName,lastName,dateOfBirth\n${row}\n`);
  const form = { file: { body, name: 'people.csv' } };
  const response = await call('POST', '/v1/registers/persons/import', { key: tenant.identityKey, form });
  expect(response.status).toBe(201);
  return tenant;
}

/** Sends the document to a session of both features and waits until the validation that follows has ended. */
async function runSession(tenant: IdentityTenant, document: Buffer): Promise<Session> {
  const key = tenant.identityKey;
  const { id: sessionId } = await createSession(key, { features: ['id', 'database'] });
  await postDocument(key, { sessionId, frontImage: { body: document } });
  return pollUntilFound(async () => {
    const session = await getSession(key, sessionId);
    const step = session.steps.find(({ feature }) => feature === 'database');
    return step?.checkIds[0] !== undefined && step.status !== 'processing' ? session : undefined;
  });
}

const getFieldStatuses = (session: Session): Record<string, string> => {
  const { validations } = session.results.database as { validations: { field: string; status: string }[] };
  return Object.fromEntries(validations.map(({ field, status }) => [field, status]));
};

test('the number read from a document is looked up in the organisation’s register automatically', async () => {
  const session = await runSession(await createTenantWithRegister(`EE,${NUMBER},Jaan,Tammsalu,1968-05-28`), withNumber);
  expect(session.results.document).toMatchObject({ personalNumber: NUMBER, issuingState: 'EST', lastName: 'TAMMSALU' });
  expect(session.results.database).toMatchObject({ matchType: 'full', provider: 'register', numberStatus: 'valid' });
  expect(getFieldStatuses(session)).toEqual({
    idNumber: 'match',
    firstName: 'match',
    lastName: 'match',
    dateOfBirth: 'match',
    sex: 'match',
  });
  expect(session.steps.find(({ feature }) => feature === 'database')?.status).toBe('passed');
});

test('a number that belongs to another person in the register requires a review', async () => {
  const registered = await createTenantWithRegister(`EE,${NUMBER},Mart,Kallas,1968-05-28`);
  const session = await runSession(registered, withNumber);
  expect(session.results.database).toMatchObject({ matchType: 'none', provider: 'register' });
  expect(getFieldStatuses(session)).toMatchObject({ idNumber: 'match', firstName: 'mismatch', lastName: 'mismatch' });
  expect(session.risks.map(({ code }) => code)).toContain('database_no_match');
  expect((await waitForStatus(registered.identityKey, session.id, 'in_review')).results.database).not.toBeNull();
});

test('without a register number rules confirm date of birth and sex, but no name', async () => {
  const session = await runSession(await createTenantWithRegister(), withNumber);
  expect(session.results.database).toMatchObject({ matchType: 'partial', provider: 'national_number' });
  expect(getFieldStatuses(session)).toMatchObject({
    idNumber: 'match',
    dateOfBirth: 'match',
    firstName: 'not_checked',
  });
  expect(session.risks.map(({ code }) => code)).toContain('database_partial_match');
});

describe('a document that leaves the day of birth open', () => {
  test('agrees with a number that encodes the same year', async () => {
    const session = await runSession(await createTenantWithRegister(), withoutDay);
    expect(session.results.document).toMatchObject({ dateOfBirth: '1968-XX-XX' });
    expect(session.results.database).toMatchObject({ matchType: 'partial', provider: 'national_number' });
    expect(getFieldStatuses(session)).toMatchObject({ idNumber: 'match', dateOfBirth: 'match' });
  });

  test('matches the person of the register in part', async () => {
    const registered = await createTenantWithRegister(`EE,${NUMBER},Jaan,Tammsalu,1968-05-28`);
    const session = await runSession(registered, withoutDay);
    expect(session.results.database).toMatchObject({ matchType: 'partial', provider: 'register' });
    expect(getFieldStatuses(session)).toMatchObject({ lastName: 'match', dateOfBirth: 'partial' });
  });
});

test('a document without a national number leaves the step to a validation by the client', async () => {
  const tenant = await createTenantWithRegister();
  const key = tenant.identityKey;
  const { id: sessionId } = await createSession(key, { features: ['id', 'database'] });
  await postDocument(key, { sessionId, frontImage: { body: withoutNumber } });
  const before = await getSession(key, sessionId);
  expect(before.results.document?.personalNumber).toBeNull();
  expect(before.steps.find(({ feature }) => feature === 'database')).toMatchObject({ checkIds: [] });
  const form = { sessionId, country: 'EE', idNumber: NUMBER, dateOfBirth: '1968-05-28' };
  const own = await call('POST', '/v1/documents/database-validation', { key, form });
  expect(own.status).toBe(201);
  expect((await getSession(key, sessionId)).results.database).toMatchObject({ matchType: 'partial' });
});
