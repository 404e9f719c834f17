import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Organisation } from '../../../../models/platform/access/organisation';
import { call } from '../../../support/client';
import { runRegistersCommand } from '../../../support/commands';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

const folder = mkdtempSync(path.join(tmpdir(), 'vouch-registers-'));
const file = path.join(folder, 'people.csv');

let tenant: IdentityTenant;
let slug: string;
beforeAll(async () => {
  tenant = await createIdentityTenant('Registers by command');
  slug = (await Organisation.findById(tenant.organisationId).lean())?.slug ?? '';
  writeFileSync(file, 'country,idNumber,firstName,lastName\nFI,131052-308T,Liisa,Virtanen\n,,,\n');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await closeTestPlatform();
});

test('an own register can be imported by command like over HTTP, for its organisation and mode only', async () => {
  const done = await runRegistersCommand(['import', 'persons', file, '--organisation', slug]);
  expect(done).toMatchObject({ code: 0, report: { status: 'active', rows: { total: 2, imported: 1, rejected: 1 } } });
  const { body } = await call('GET', `/v1/registers/${String(done.report['register'])}`, { key: tenant.identityKey });
  expect(body['register']).toMatchObject({ kind: 'persons', status: 'active' });
  const validation = await call('POST', '/v1/documents/database-validation', {
    key: tenant.identityKey,
    form: { country: 'FI', idNumber: '131052-308T', firstName: 'Liisa', lastName: 'Virtanen' },
  });
  expect(validation.body).toMatchObject({ check: { result: { matchType: 'full', provider: 'register' } } });
  const testKey = await tenant.createIdentityKey(['registers:read'], { mode: 'test' });
  expect((await call('GET', '/v1/registers', { key: testKey })).body).toMatchObject({ total: 0 });
});

test.each([
  ['no organisation', ['import', 'persons', file], '--organisation'],
  ['an organisation there is not', ['import', 'persons', file, '--organisation', 'nobody-here'], '--organisation'],
  ['another mode', ['import', 'persons', file, '--organisation', 'x', '--mode', 'dry'], '--mode'],
  ['a register there is not', ['import', 'vehicles', file], 'register'],
  ['no file', ['import', 'gleif'], 'file'],
  ['a file there is not', ['import', 'gleif', path.join(folder, 'absent.csv')], 'absent.csv'],
])('%s is refused by name', async (_title, args, named) => {
  const rejected = await runRegistersCommand(args);
  expect(rejected.code).toBe(1);
  expect(rejected.error).toContain(named);
});
