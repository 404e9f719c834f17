import { z } from 'zod';
import { kybCheckSchema } from '../../../../api/identity/kyb/kyb-responses';
import { AmlList } from '../../../../models/identity/aml/aml-list';
import { call } from '../../../support/client';
import { CompanyRegisters, REGISTERS_WAIT_TIMEOUT_MS } from '../../../support/identity/company-registers';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { importOwnList } from '../../../support/identity/watch-lists';
import type { OwnListEntry } from '../../../support/identity/watch-lists';
import { DAY_MS } from '../../../../domain/durations';

type Kyb = z.infer<typeof kybCheckSchema>;

let registers: CompanyRegisters;
beforeAll(async () => {
  registers = await CompanyRegisters.start();
  await getTestPlatform();
}, REGISTERS_WAIT_TIMEOUT_MS);
afterAll(async () => {
  await registers.stop();
  await closeTestPlatform();
});

const HARBOUR_QUERY = { companyName: 'Harbour Lights Ltd', country: 'GB' };

async function runCheck(tenant: Tenant, json: object): Promise<Kyb> {
  const { status, body } = await call('POST', '/v1/kyb?wait=40', { key: tenant.identityKey, json });
  expect(status).toBe(201);
  return z.object({ check: kybCheckSchema }).parse(body).check;
}

async function createTenantWithList(entries: readonly OwnListEntry[]): Promise<Tenant> {
  const tenant = await createTenant('Screened companies');
  await importOwnList(tenant.organisationId, entries);
  return tenant;
}

const listRiskCodes = ({ risks }: Kyb): string[] => risks.map(({ code }) => code);

test('the company, its officers, owners and parents are screened once each', async () => {
  const check = await runCheck(
    await createTenantWithList([{ id: 'A1', type: 'person', name: 'Somebody Unrelated' }]),
    HARBOUR_QUERY,
  );
  expect(check).toMatchObject({ status: 'found', risks: [], aml: { status: 'completed', match: false } });
  expect(check.aml?.parties).toMatchObject([
    { roles: ['company'], name: 'HARBOUR LIGHTS LIMITED', kind: 'company', match: false },
    { roles: ['officer', 'owner'], name: 'Edith Anne QUAYLE', kind: 'person', match: false },
    { roles: ['officer'], name: 'REGISTRARS LIMITED', kind: 'company', match: false },
    { roles: ['owner', 'parent'], name: 'Quay Holdings Plc', kind: 'company', match: false },
  ]);
  expect(check.aml?.listsSearched).toMatchObject([{ list: 'own', stale: false }]);
});

test('a listed officer requires a review, with the entry and its explanation', async () => {
  const tenant = await createTenantWithList([
    { id: 'A2', type: 'person', name: 'QUAYLE, Edith Anne', datesOfBirth: '1971-08-14', countries: 'GB' },
  ]);
  const check = await runCheck(tenant, HARBOUR_QUERY);
  expect(check).toMatchObject({ status: 'review', company: { legalName: 'HARBOUR LIGHTS LIMITED' } });
  expect(check.risks).toMatchObject([{ code: 'aml_match', feature: 'aml', action: 'review', details: { parties: 1 } }]);
  expect(check.aml).toMatchObject({ status: 'completed', match: true });
  const [hit] = check.aml?.parties.find(({ roles }) => roles.includes('officer'))?.hits ?? [];
  expect(hit).toMatchObject({ list: 'own', entryId: 'A2', reviewStatus: 'unreviewed' });
  expect(hit?.explanation.map(({ part }) => part)).toContain('date_of_birth');
});

test('a listed company is found by its legal, former and trading names', async () => {
  const tenant = await createTenantWithList([
    { id: 'A3', type: 'company', name: 'Northern Light Energy', countries: 'DE' },
  ]);
  const check = await runCheck(tenant, { companyName: 'Nordlicht Energie GmbH', country: 'DE' });
  expect(listRiskCodes(check)).toContain('aml_match');
  expect(check.aml?.parties[0]).toMatchObject({ roles: ['company'], match: true, hits: [{ entryId: 'A3' }] });
});

test('an entry with an equal name and a different year of birth does not count as a match', async () => {
  const tenant = await createTenantWithList([{ id: 'A4', type: 'person', name: 'Edith Quayle', datesOfBirth: '1931' }]);
  const check = await runCheck(tenant, HARBOUR_QUERY);
  expect(listRiskCodes(check)).not.toContain('aml_match');
});

test('a hit marked as a false positive for the same person is listed but does not count', async () => {
  const tenant = await createTenantWithList([{ id: 'A6', type: 'person', name: 'Edith Anne Quayle' }]);
  const key = tenant.identityKey;
  const json = { fullName: 'Edith Anne QUAYLE', entityType: 'person', dateOfBirth: '1971-08' };
  const { body } = await call('POST', '/v1/aml/screen', { key, json });
  const [{ id: hitId }] = z.tuple([z.looseObject({ id: z.string() })]).parse(body['hits']);
  const review = { status: 'false_positive', reason: 'Another Edith.' };
  expect((await call('POST', `/v1/aml/hits/${hitId}/review`, { key, json: review })).status).toBe(200);
  const check = await runCheck(tenant, HARBOUR_QUERY);
  expect(check).toMatchObject({ status: 'found', risks: [], aml: { match: false } });
  const officer = check.aml?.parties.find(({ roles }) => roles.includes('officer'));
  expect(officer).toMatchObject({ match: false, hits: [{ entryId: 'A6', reviewStatus: 'false_positive' }] });
});

test('without a list the screening is unavailable and requires a review: it is never reported as no match', async () => {
  const check = await runCheck(await createTenant('No lists'), HARBOUR_QUERY);
  expect(check).toMatchObject({
    status: 'review',
    company: { legalName: 'HARBOUR LIGHTS LIMITED' },
    aml: { status: 'unavailable', reason: 'lists_unavailable', match: null, parties: [] },
  });
  expect(check.risks).toMatchObject([
    { code: 'processing_failed', feature: 'aml', action: 'review', details: { reason: 'lists_unavailable' } },
  ]);
});

test('a stale list is a risk', async () => {
  const tenant = await createTenantWithList([{ id: 'A5', type: 'person', name: 'Somebody Unrelated' }]);
  const longAgo = new Date(Date.now() - 400 * DAY_MS);
  await AmlList.updateOne({ organisationId: tenant.organisationId }, { $set: { checkedAt: longAgo } });
  const check = await runCheck(tenant, HARBOUR_QUERY);
  expect(check).toMatchObject({ status: 'found', risks: [{ code: 'aml_list_stale', action: 'ignore' }] });
});

test('without a company no screening takes place', async () => {
  const check = await runCheck(await createTenant('Nobody'), { companyName: 'Zzyzx Unheard Of', country: 'GB' });
  expect(check).toMatchObject({ status: 'not_found', aml: null, risks: [] });
});
