import { z } from 'zod';
import { kybCheckSchema } from '../../../../api/identity/kyb/kyb-responses';
import { call } from '../../../support/client';
import { CompanyRegisters } from '../../../support/identity/company-registers';
import { importOwnList } from '../../../support/identity/watch-lists';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let registers: CompanyRegisters;
let key: string;
beforeAll(async () => {
  registers = await CompanyRegisters.start();
  const tenant = await createIdentityTenant('Officers');
  key = tenant.identityKey;
  await importOwnList(tenant.organisationId, [{ id: 'U1', type: 'person', name: 'Unrelated Person' }]);
});
afterAll(async () => {
  await registers.stop();
  await closeTestPlatform();
});

const runCheck = async (companyName: string) => {
  const { body } = await call('POST', '/v1/kyb', { key, json: { companyName, country: 'GB' } });
  return z.object({ check: kybCheckSchema }).parse(body).check;
};

test('officers beyond the first page of the register are read and screened', async () => {
  const check = await runCheck('Crowded Boardroom');
  expect(check.officers).toHaveLength(205);
  expect(check.officers.at(-1)).toMatchObject({ name: 'Number 204 OFFICER', resignedOn: null });
  expect(check.officers.filter(({ resignedOn }) => resignedOn === null)).toHaveLength(1);
});

test('officers have no titles in their names, and companies among them the names that they are registered under', async () => {
  const check = await runCheck('Titled Directors');
  expect(check.officers).toMatchObject([
    { name: 'Rosalind Jane BLACKWOOD', kind: 'person' },
    { name: 'SUKARNO', kind: 'person' },
    { name: 'HOLT, MERCER & CO LIMITED', kind: 'company' },
  ]);
  const screened = check.aml?.parties.filter(({ roles }) => roles.includes('officer')) ?? [];
  expect(screened.map(({ name }) => name)).toEqual(check.officers.map(({ name }) => name));
});

test('a date of birth that cannot be read is unknown, not the year 0, with which no entry of a list agrees', async () => {
  const check = await runCheck('Undated Directors');
  const dates = check.officers.map(({ dateOfBirth }) => dateOfBirth);
  expect(dates).toEqual([...Array.from({ length: 6 }, () => null), { year: 1970, month: 5, day: null }]);
});
