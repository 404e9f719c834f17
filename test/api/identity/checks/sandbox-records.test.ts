import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import { SANDBOX_NUMBERS } from '../../../../domain/identity/checks/sandbox';
import { call } from '../../../support/client';
import { parseCheck, createSession, createFacelessImage, waitForStatus } from '../../../support/identity/identity';
import type { Check } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

let tenant: IdentityTenant;
let key: string;

beforeAll(async () => {
  tenant = await createIdentityTenant('Sandbox of records');
  key = await tenant.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
});
afterAll(closeTestPlatform);

type Form = Record<string, string>;

const validate = async (form: Form, headers: Record<string, string> = {}, as = key): Promise<Check> =>
  parseCheck(await call('POST', '/v1/documents/database-validation', { key: as, form, headers }));

async function postProofOfAddress(form: Form = {}, headers: Record<string, string> = {}): Promise<Check> {
  const document = { body: await createFacelessImage() };
  return parseCheck(await call('POST', '/v1/documents/poa', { key, form: { ...form, document }, headers }));
}

describe('a national number of the sandbox', () => {
  test.each([
    ['SANDBOX-FULL', 'full', 'approved', []],
    ['SANDBOX-PARTIAL', 'partial', 'review', ['database_partial_match']],
    ['SANDBOX-NONE', 'none', 'review', ['database_no_match']],
    ['sandbox-unavailable', null, 'review', ['database_not_available']],
  ])('%s comes to %s', async (idNumber, matchType, outcome, risks) => {
    const check = await validate({ country: 'NR', idNumber });
    expect(check).toMatchObject({ result: { matchType }, outcome });
    expect(check.risks.map(({ code }) => code)).toEqual(risks);
  });

  test('can simulate a failure of the service', async () => {
    expect(await validate({ country: 'NR', idNumber: 'SANDBOX-FAIL' })).toMatchObject({ status: 'failed' });
  });

  test('is overridden by the header, and overrides the session', async () => {
    const headers = { 'x-sandbox-result': 'database_no_match' };
    const overridden = await validate({ country: 'NR', idNumber: 'SANDBOX-FULL' }, headers);
    expect(overridden.result).toMatchObject({ matchType: 'none' });
    const { id: sessionId } = await createSession(key, {
      features: ['database'],
      metadata: { sandbox: 'database_no_match' },
    });
    const part = await validate({ country: 'NR', idNumber: 'SANDBOX-FULL', sessionId });
    expect(part).toMatchObject({ result: { matchType: 'full' }, outcome: 'approved' });
    expect((await waitForStatus(key, sessionId, 'approved')).results.database).toMatchObject({ matchType: 'full' });
  });

  test('has no special meaning for a live key', async () => {
    for (const idNumber of Object.keys(SANDBOX_NUMBERS)) {
      const check = await validate({ country: 'NR', idNumber }, {}, tenant.identityKey);
      expect(check.result).toMatchObject({ matchType: null, numberStatus: 'unsupported' });
    }
  });
});

describe('a proof of address with a sandbox value', () => {
  test.each([
    ['approve', 'approved', []],
    ['poa_too_old', 'declined', ['poa_too_old']],
    ['poa_issuer_not_found', 'review', ['poa_issuer_not_found']],
    ['poa_address_not_found', 'declined', ['poa_address_not_found']],
  ])('%s is %s', async (value, outcome, risks) => {
    const check = await postProofOfAddress({}, { 'x-sandbox-result': value });
    expect(check).toMatchObject({ kind: 'proof_of_address', outcome, result: { documentType: 'utility_bill' } });
    expect(check.risks.map(({ code }) => code)).toEqual(risks);
  });

  test('names the expected person and decides the session accordingly', async () => {
    const expected = { firstName: 'Ada', lastName: 'Byron', address: '12 Example Street, Zenith' };
    const { id: sessionId } = await createSession(key, {
      features: ['poa'],
      expected,
      metadata: { sandbox: 'approve' },
    });
    const check = await postProofOfAddress({ sessionId });
    expect(check.result).toMatchObject({ name: 'Ada Byron', address: { raw: '12 Example Street, Zenith' } });
    expect((await waitForStatus(key, sessionId, 'approved')).status).toBe('approved');
  });
});
