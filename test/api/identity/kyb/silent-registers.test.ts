import { call } from '../../../support/client';
import { CompanyRegisters } from '../../../support/identity/company-registers';
import { importOwnList } from '../../../support/identity/watch-lists';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let registers: CompanyRegisters;
beforeAll(async () => {
  registers = await CompanyRegisters.start();
});
afterAll(async () => {
  registers.release();
  await registers.stop();
  await closeTestPlatform();
});

test('registers that do not answer delay no screening, whoever asked them', async () => {
  const [asking, screening] = await Promise.all([createIdentityTenant('Asking'), createIdentityTenant('Screening')]);
  await importOwnList(screening.organisationId, [{ id: 'S1', type: 'person', name: 'Listed Person' }]);
  registers.hold();
  const begun = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      call('POST', '/v1/kyb?wait=0', { key: asking.identityKey, json: { companyName: `Silent ${at}`, country: 'GB' } }),
    ),
  );
  expect(begun.map(({ status }) => status)).toEqual(begun.map(() => 202));

  const json = { fullName: 'Listed Person', entityType: 'person' };
  const screened = await call('POST', '/v1/aml/screen', { key: screening.identityKey, json });
  expect([screened.status, screened.body['match']]).toEqual([200, true]);
  expect(registers.abandoned).toBe(0);

  registers.release();
  for (const { headers } of begun) {
    const { body } = await call('GET', `${headers.get('location') ?? ''}?wait=60`, { key: asking.identityKey });
    expect(body['check']).toMatchObject({ sources: [{ status: 'answered' }, { status: 'answered' }] });
  }
});
