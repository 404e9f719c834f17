import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { RegisterCompany } from '../../../../models/identity/registers/register-company';
import { RegisterPerson } from '../../../../models/identity/registers/register-person';
import { Evidence } from '../../../../models/platform/evidence/evidence';
import { workflowIds } from '../../../../workflows/contracts';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

interface Register {
  id: string;
  kind: string;
  status: string;
  rows: { total: number; imported: number; rejected: number };
  problems: { line: number; field: string; problem: string }[];
  error: { code: string } | null;
}

const PEOPLE = [
  'country,idNumber,firstName,lastName,dateOfBirth',
  'FI,131052-308T,Liisa,Virtanen,1952-10-13',
  'SWE,880320-0016,Björn,Åkesson,1988-03-20',
].join('\n');

const importFile = (key: string, kind: string, body: string | Buffer, query = ''): Promise<ApiResponse> =>
  call('POST', `/v1/registers/${kind}/import${query}`, {
    key,
    form: { file: { body: Buffer.from(body), name: 'register.csv', type: 'text/csv' } },
  });

function parseRegister(response: ApiResponse, status = 201): Register {
  if (response.status !== status) throw new Error(`Answered ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body['register'] as Register;
}

describe('an organisation’s own registers', () => {
  let tenant: IdentityTenant;
  beforeAll(async () => {
    tenant = await createIdentityTenant('Registers');
    await getTestPlatform();
  });
  afterAll(closeTestPlatform);

  const imported = async (kind: string, body: string): Promise<Register> =>
    parseRegister(await importFile(tenant.identityKey, kind, body));

  test('a file of people becomes the active version with sealed rows', async () => {
    const register = await imported('persons', `\uFEFF${PEOPLE}\n`);
    expect(register).toMatchObject({ kind: 'persons', status: 'active', rows: { total: 2, imported: 2, rejected: 0 } });

    const rows = await RegisterPerson.find({ organisationId: tenant.organisationId }).lean();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/Virtanen|131052-?308T|Liisa|1952-10-13/);
    // The file itself is removed once its rows are imported.
    expect(await Evidence.countDocuments({ organisationId: tenant.organisationId, recordId: register.id })).toBe(0);
  });

  test('the next version replaces it atomically, and the previous rows are removed', async () => {
    const before = await imported('persons', PEOPLE);
    const after = await imported('persons', `${PEOPLE}\nEE,37605030299,Mari,Tamm,1976-05-03`);
    const get = async (id: string) =>
      parseRegister(await call('GET', `/v1/registers/${id}`, { key: tenant.identityKey }), 200);
    expect((await get(before.id)).status).toBe('superseded');
    expect((await get(after.id)).status).toBe('active');
    // The old rows are removed after the new version is active: the end of the workflow is the end of both.
    await (await getTestPlatform()).temporal.workflow.getHandle(workflowIds.registerImport(after.id)).result();
    const rows = await RegisterPerson.find({ organisationId: tenant.organisationId }).lean();
    expect(new Set(rows.map(({ registerId }) => registerId))).toEqual(new Set([after.id]));
  });

  test('invalid rows are omitted and reported by line and column, without their values', async () => {
    const register = await imported(
      'persons',
      [
        PEOPLE,
        'XX,1,Nemo,Nobody,1990-01-01',
        'FI,010190-999F,,Missing,1990-01-01',
        'FI,020290-998C,Anna,Date,1990-02-30',
        'FI,131052 308T,Liisa,Again,1952-10-13',
        'FI,030390-997A,Good,Row,',
        'FI,040490-996B,Other,Row,',
        'FI,050590-995D,Future,Person,2999-01-01',
        'FI,060690-994E,Third,Row,',
        'FI,070790-993F,Fourth,Row,',
      ].join('\n'),
    );
    expect(register).toMatchObject({ status: 'active', rows: { total: 11, imported: 6, rejected: 5 } });
    expect(register.problems).toEqual([
      { line: 4, field: 'country', problem: 'is not an ISO 3166-1 code' },
      { line: 5, field: 'firstName', problem: 'is empty' },
      { line: 6, field: 'dateOfBirth', problem: 'is not a date YYYY-MM-DD' },
      { line: 7, field: 'row', problem: 'repeats an earlier row of the file' },
      { line: 10, field: 'dateOfBirth', problem: 'must not be in the future' },
    ]);
  });

  test('a file with mostly invalid rows changes nothing', async () => {
    const active = await imported('persons', PEOPLE);
    const wrong = await imported('persons', 'country,idNumber,firstName,lastName\n1,2,3,4\nFI,010101-1,A,B\n5,6,7,8');
    expect(wrong).toMatchObject({ status: 'failed', error: { code: 'too_many_rejected' } });
    const listed = await call('GET', '/v1/registers?kind=persons&status=active', { key: tenant.identityKey });
    expect((listed.body['registers'] as Register[]).map(({ id }) => id)).toEqual([active.id]);
  });

  test.each([
    ['a column that is missing', 'country,idNumber,firstName\nFI,1,A', 'invalid_header', 'lastName'],
    ['an unknown column', 'name,colour\nAcme,red', 'invalid_header', 'colour'],
    ['a row with too many values', 'name,country\nAcme,GB,red', 'invalid_csv', 'file'],
    ['a header without rows', 'name,country', 'no_rows', undefined],
  ])('%s fails the import by name', async (_title, file, code, field) => {
    const kind = file.startsWith('name') ? 'companies' : 'persons';
    const register = await imported(kind, file);
    expect(register).toMatchObject({ status: 'failed', error: { code } });
    expect(register.problems[0]?.field).toBe(field);
  });

  test.each([
    ['an empty file', Buffer.alloc(0), 400],
    ['a spreadsheet', Buffer.from('PK\u0003\u0004rest', 'latin1'), 415],
    ['text in another encoding', Buffer.from('name\nCaf\u00e9', 'latin1'), 400],
  ])('%s is refused at once', async (_title, body, status) => {
    expect((await importFile(tenant.identityKey, 'companies', body)).status).toBe(status);
  });

  test('an unknown kind of register is a 404', async () => {
    expect((await importFile(tenant.identityKey, 'vessels', 'name\nX')).status).toBe(404);
  });

  test('companies are found by unsealed keys; the people in them are sealed', async () => {
    const file = [
      'name,country,registrationNumber,status,officers,owners',
      'Harbour Lights Ltd,GB,01234567,active,Edith Quayle|director; Tom Reed|secretary,Edith Quayle|75',
    ].join('\n');
    expect(await imported('companies', file)).toMatchObject({ status: 'active' });
    const [row] = await RegisterCompany.find({ organisationId: tenant.organisationId }).lean();
    expect(row).toMatchObject({ nameKey: 'harbour lights', country: 'GB', registrationNumber: '01234567' });
    expect(JSON.stringify(row)).not.toContain('Quayle');
  });

  test('without waiting the response is 202 with a Location', async () => {
    const response = await importFile(tenant.identityKey, 'companies', 'name\nLater Ltd', '?wait=0');
    // The reader may be faster than the answer.
    const register = parseRegister(response, response.status === 201 ? 201 : 202);
    expect(response.headers.get('location')).toBe(`/v1/registers/${register.id}`);
    const done = await call('GET', `/v1/registers/${register.id}?wait=60`, { key: tenant.identityKey });
    expect(parseRegister(done, 200).status).toBe('active');
  });

  test('the same Idempotency-Key imports once', async () => {
    const options = {
      key: tenant.identityKey,
      headers: { 'idempotency-key': 'register-once' },
      form: { file: { body: Buffer.from('name\nOnce Ltd'), name: 'a.csv' } },
    };
    const first = parseRegister(await call('POST', '/v1/registers/companies/import', options));
    const second = parseRegister(await call('POST', '/v1/registers/companies/import', options));
    expect(second.id).toBe(first.id);
  });

  test('deleting a version removes its rows and leaves a receipt', async () => {
    const register = await imported('persons', PEOPLE);
    const response = await call('DELETE', `/v1/registers/${register.id}`, { key: tenant.identityKey });
    expect(response.status).toBe(200);
    expect(response.body['erasure']).toMatchObject({ kind: 'register', recordId: register.id, dataKeysDestroyed: 1 });
    expect(await RegisterPerson.countDocuments({ registerId: register.id })).toBe(0);
    expect((await call('GET', `/v1/registers/${register.id}`, { key: tenant.identityKey })).status).toBe(404);
  });

  test('a test key imports into a register of its own', async () => {
    const key = await tenant.createIdentityKey(['registers:write', 'registers:read'], { mode: 'test' });
    const register = parseRegister(await importFile(key, 'companies', 'name\nPractice Ltd'));
    expect((await call('GET', `/v1/registers/${register.id}`, { key: tenant.identityKey })).status).toBe(404);
  });
});
