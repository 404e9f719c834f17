import { z } from 'zod';
import { kybCheckSchema } from '../../../../api/identity/kyb/kyb-responses';
import { call } from '../../../support/client';
import { CompanyRegisters } from '../../../support/identity/company-registers';
import { parseDocumented } from '../../../support/identity/identity';
import { buildLei } from '../../../support/identity/registers/gleif';
import { importOwnList } from '../../../support/identity/watch-lists';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import { listRiskCodes } from '../../../support/identity/risk-codes';

let registers: CompanyRegisters;
let key: string;
beforeAll(async () => {
  registers = await CompanyRegisters.start();
  const tenant = await createIdentityTenant('Unavailable registers');
  key = tenant.identityKey;
  await importOwnList(tenant.organisationId, [{ id: 'U1', type: 'person', name: 'Unrelated Person' }]);
});
afterAll(async () => {
  await registers.stop();
  await closeTestPlatform();
});

type Kyb = z.infer<typeof kybCheckSchema>;

const runCheck = async (json: object): Promise<Kyb> =>
  parseDocumented(z.object({ check: kybCheckSchema }), await call('POST', '/v1/kyb', { key, json }), 201).check;
const findSource = (check: Kyb, provider: string) => check.sources.find((source) => source.provider === provider);

test('a register that recovers in time is queried again without a risk', async () => {
  registers.failNext('gleif', { status: 502 }, { status: 200, body: '<html>maintenance</html>' });
  const check = await runCheck({ companyName: 'Quay Holdings', country: 'GB', lei: buildLei('QUAYHOLDINGS') });
  expect(check).toMatchObject({ company: { lei: buildLei('QUAYHOLDINGS') } });
  expect(findSource(check, 'gleif')?.status).toBe('answered');
});

test.each([['3'], [['1', '3']]])(
  'a requested Retry-After is respected, also one of several (%j)',
  async (requested) => {
    registers.failNext('gleif', { status: 429, headers: { 'retry-after': requested } });
    const before = Date.now();
    const check = await runCheck({ companyName: 'Nordlicht Energie GmbH', country: 'DE' });
    expect(check.company?.legalName).toBe('Nordlicht Energie GmbH');
    expect(Date.now() - before).toBeGreaterThanOrEqual(3000);
  },
);

test('a permanently unavailable register is reported by the check and does not count as a response', async () => {
  registers.markUnavailable('gleif');
  const alone = await runCheck({ companyName: 'Nordlicht Energie GmbH', country: 'DE' });
  expect(alone).toMatchObject({ status: 'failed', company: null, error: { code: 'registry_unavailable' } });
  expect(listRiskCodes(alone)).toEqual(['kyb_registry_unavailable']);

  const unmatched = await runCheck({ companyName: 'Zzyzx Unheard Of', country: 'GB' });
  expect(unmatched.status).toBe('review');

  // Another register knows the company: the outage is reported and needs no reviewer.
  const matched = await runCheck({ companyName: 'Harbour Lights Ltd', country: 'GB' });
  registers.markAvailable('gleif');
  expect(matched).toMatchObject({ status: 'found', provider: 'companies_house' });
  expect(matched.risks).toMatchObject([{ code: 'kyb_registry_unavailable', action: 'ignore' }]);
});

test.each([
  [401, 'register_refused_key'],
  [403, 'register_refused_key'],
  [400, 'register_refused_question'],
  [422, 'register_refused_question'],
])('a register that answers %i is not queried again, and leaves the company to a reviewer', async (status, reason) => {
  registers.takeRequestCount('companies-house');
  registers.failNext('companies-house', { status, body: '{"errors":[{"error":"secret"}]}' });
  const check = await runCheck({ companyName: 'Zzyzx Unheard Of', country: 'GB' });
  expect(findSource(check, 'companies_house')).toMatchObject({ status: 'unavailable', reason });
  expect(findSource(check, 'gleif')).toMatchObject({ status: 'answered', outcome: 'none' });
  expect(check).toMatchObject({ status: 'review', company: null, matches: [] });
  expect(check.risks).toContainEqual(
    expect.objectContaining({
      code: 'kyb_registry_unavailable',
      action: 'review',
      details: { provider: 'companies_house', reason },
    }),
  );
  expect(registers.takeRequestCount('companies-house')).toBe(1);
  expect(JSON.stringify(check)).not.toContain('secret');
});
