import { loadSelfie } from '../../../../scripts/demo/photos';
import { call } from '../../../support/client';
import type { RequestOptions } from '../../../support/client';
import { readHistoryTexts } from '../../../support/histories';
import { parseCheck, createSession, getSession } from '../../../support/identity/identity';
import type { Check } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getStartedWorkflow, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

const LIISA = {
  country: 'FI',
  idNumber: '131052-308T',
  firstName: 'Liisa',
  lastName: 'Virtanen',
  dateOfBirth: '1952-10-13',
};

const REGISTER = [
  'country,idNumber,firstName,lastName,dateOfBirth',
  'FI,131052-308T,Liisa Maria,Virtanen,1952-10-13',
].join('\n');

describe('database validation', () => {
  let tenant: IdentityTenant;
  let registered: IdentityTenant;
  beforeAll(async () => {
    await getTestPlatform();
    tenant = await createIdentityTenant('No register');
    registered = await createIdentityTenant('Register of people');
    const form = { file: { body: Buffer.from(REGISTER), name: 'people.csv' } };
    await call('POST', '/v1/registers/persons/import', { key: registered.identityKey, form });
  });
  afterAll(closeTestPlatform);

  const validate = async (
    key: string,
    form: NonNullable<RequestOptions['form']>,
    headers: Record<string, string> = {},
  ): Promise<Check> => parseCheck(await call('POST', '/v1/documents/database-validation', { key, form, headers }));
  const toVerdict = ({ result, risks, outcome }: Check) => {
    const { matchType, provider, validations, numberStatus } = result as unknown as {
      matchType: string;
      provider: string;
      numberStatus: string;
      validations: { field: string; status: string }[];
    };
    const fields = Object.fromEntries(validations.map(({ field, status }) => [field, status]));
    return { matchType, provider, numberStatus, fields, risks: risks.map(({ code }) => code), outcome };
  };

  describe('by the organisation’s register', () => {
    test('a person with matching details is a full match', async () => {
      const check = await validate(registered.identityKey, { ...LIISA, firstName: 'LIISA MARIA', country: 'FIN' });
      expect(toVerdict(check)).toMatchObject({
        matchType: 'full',
        provider: 'register',
        fields: { idNumber: 'match', firstName: 'match', lastName: 'match', dateOfBirth: 'match' },
        risks: [],
        outcome: 'approved',
      });
    });

    test('one of several given names is a partial match', async () => {
      expect(toVerdict(await validate(registered.identityKey, LIISA))).toMatchObject({
        matchType: 'partial',
        fields: { firstName: 'partial', lastName: 'match' },
        risks: ['database_partial_match'],
        outcome: 'review',
      });
    });

    test('a number that belongs to another person, or is not in the register, is no match', async () => {
      const stranger = { ...LIISA, firstName: 'Pekka', lastName: 'Mäkinen' };
      expect(toVerdict(await validate(registered.identityKey, stranger))).toMatchObject({
        matchType: 'none',
        fields: { idNumber: 'match', firstName: 'mismatch', lastName: 'mismatch' },
        risks: ['database_no_match'],
      });
      const unknown = { ...LIISA, idNumber: '131052-3096' };
      expect(toVerdict(await validate(registered.identityKey, unknown))).toMatchObject({
        matchType: 'none',
        fields: { idNumber: 'mismatch', lastName: 'not_checked' },
      });
    });

    test('people of a country that it does not cover are validated by number rules', async () => {
      const check = await validate(registered.identityKey, { country: 'EE', idNumber: '36805280109' });
      expect(toVerdict(check)).toMatchObject({ matchType: 'partial', provider: 'national_number' });
    });
  });

  describe('by the rules of national numbers', () => {
    test('a valid number with the right date is a partial match: number rules know no names', async () => {
      expect(toVerdict(await validate(tenant.identityKey, { ...LIISA, sex: 'F' }))).toMatchObject({
        matchType: 'partial',
        provider: 'national_number',
        numberStatus: 'valid',
        fields: { idNumber: 'match', dateOfBirth: 'match', sex: 'match', firstName: 'not_checked' },
        risks: ['database_partial_match'],
        outcome: 'review',
      });
    });

    test.each([
      ['a wrong check digit', { idNumber: '131052-308X' }, { idNumber: 'mismatch' }],
      [
        'a date that is not the number’s',
        { dateOfBirth: '1953-10-13' },
        { idNumber: 'match', dateOfBirth: 'mismatch' },
      ],
    ])('%s is not a LEI', async (_title, change, fields) => {
      expect(toVerdict(await validate(tenant.identityKey, { ...LIISA, ...change }))).toMatchObject({
        matchType: 'none',
        fields,
        risks: ['database_no_match'],
      });
    });
  });

  test('a country without a provider is not available, and never a pass', async () => {
    expect(toVerdict(await validate(tenant.identityKey, { country: 'NR', idNumber: '12345' }))).toEqual({
      matchType: null,
      provider: null,
      numberStatus: 'unsupported',
      fields: { idNumber: 'not_checked' },
      risks: ['database_not_available'],
      outcome: 'review',
    });
  });

  test('an image is stored as evidence and reported as not checked, so that the match is not full', async () => {
    const image = { body: await loadSelfie('anna'), name: 'face.jpg' };
    const check = await validate(registered.identityKey, { ...LIISA, firstName: 'Liisa Maria', image });
    expect(check.evidence).toMatchObject([{ field: 'image' }]);
    expect(toVerdict(check)).toMatchObject({ matchType: 'partial', fields: { image: 'not_checked' } });
  });

  test.each([
    ['no country', { idNumber: '1' }, 'country'],
    ['a country that is none', { country: 'XX', idNumber: '1' }, 'country'],
    ['no number', { country: 'FI' }, 'idNumber'],
    ['a day that does not exist', { ...LIISA, dateOfBirth: '1952-02-30' }, 'dateOfBirth'],
    ['a birthday in the future', { ...LIISA, dateOfBirth: '2999-01-01' }, 'dateOfBirth'],
    ['an unknown field', { ...LIISA, colour: 'red' }, 'colour'],
  ])('%s is refused by name', async (_title, form, field) => {
    const response = await call('POST', '/v1/documents/database-validation', { key: tenant.identityKey, form });
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(`"field":"${field}"`);
  });

  test('it is a step of a session with the feature database', async () => {
    const session = await createSession(registered.identityKey, { features: ['database'] });
    const form = { ...LIISA, firstName: 'Liisa Maria', sessionId: session.id };
    await validate(registered.identityKey, form);
    await (await getStartedWorkflow(session.id)).result();
    const decided = await getSession(registered.identityKey, session.id);
    expect(decided).toMatchObject({ status: 'approved', results: { database: { matchType: 'full' } } });
  });

  test('a test key selects the result by a magic value', async () => {
    const key = await tenant.createIdentityKey(['documents:write', 'checks:read'], { mode: 'test' });
    const approved = await validate(key, { country: 'NR', idNumber: '1' }, { 'x-sandbox-result': 'approve' });
    expect(toVerdict(approved)).toMatchObject({ matchType: 'full', outcome: 'approved' });
    const noMatch = await validate(key, LIISA, { 'x-sandbox-result': 'database_no_match' });
    expect(toVerdict(noMatch)).toMatchObject({ matchType: 'none', outcome: 'review' });
  });

  test('claims are erased with the check and never reach Temporal', async () => {
    const check = await validate(registered.identityKey, LIISA);
    const platform = await getTestPlatform();
    const history = await readHistoryTexts(platform.temporal.workflow.getHandle(check.id));
    expect(history).toContain(check.id);
    const { country: _country, ...claims } = LIISA;
    for (const claim of Object.values(claims)) expect(history).not.toContain(claim);
    const deleted = await call('DELETE', `/v1/checks/${check.id}`, { key: registered.identityKey });
    expect(deleted.status).toBe(200);
  });
});
