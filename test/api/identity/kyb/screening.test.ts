import { MockActivityEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import { createKybScreeningActivities } from '../../../../activities/screening/kyb/screening';
import type { IndexedEntry } from '../../../../domain/identity/aml/list-index';
import { kybCheckSchema } from '../../../../api/identity/kyb/kyb-responses';
import { screeningResultSchema } from '../../../../api/identity/aml/screening-responses';
import { AmlHit } from '../../../../models/identity/aml/aml-hit';
import { AmlList } from '../../../../models/identity/aml/aml-list';
import { AmlListVersion } from '../../../../models/identity/aml/aml-list-version';
import { AmlMonitor } from '../../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../../models/identity/aml/aml-screening';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { KybCheck } from '../../../../models/identity/kyb/kyb-check';
import type { KybCheckRecord } from '../../../../models/identity/kyb/kyb-check';
import type { CompanyDetail } from '../../../../domain/identity/kyb/company';
import { eraseOverdueRecords } from '../../../../services/identity/erasure/retention';
import { completeKyb } from '../../../../services/identity/kyb/results';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { CompanyRegisters } from '../../../support/identity/company-registers';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { importOwnList } from '../../../support/identity/watch-lists';
import type { OwnListEntry } from '../../../support/identity/watch-lists';
import { pollUntilFound } from '../../../support/poll';
import { DAY_MS } from '../../../../domain/durations';
import { listRiskCodes } from '../../../support/identity/risk-codes';

type Kyb = z.infer<typeof kybCheckSchema>;

let registers: CompanyRegisters;
beforeAll(async () => {
  registers = await CompanyRegisters.start();
  await getTestPlatform();
});
afterAll(async () => {
  await registers.stop();
  await closeTestPlatform();
});

const HARBOUR_QUERY = { companyName: 'Harbour Lights Ltd', country: 'GB' };

/** An entry with so many addresses that fifty of them for each of a hundred parties need more than a document. */
const LARGE_ENTRY: IndexedEntry = {
  id: 'L',
  type: 'person',
  caption: 'Large Entry',
  aliases: [],
  datesOfBirth: [],
  countries: [],
  genders: [],
  programs: [],
  identifiers: [],
  positions: [],
  addresses: Array.from({ length: 40 }, () => 'An address of some length in a town of some size'),
  remarks: null,
  sourceUrl: null,
  listedOn: null,
  hash: 'hash',
  firstSeen: '2026-01-01T00:00:00.000Z',
  lastChanged: '2026-01-01T00:00:00.000Z',
};

async function runCheck(tenant: IdentityTenant, json: object): Promise<Kyb> {
  const { status, body } = await call('POST', '/v1/kyb', { key: tenant.identityKey, json });
  expect(status).toBe(201);
  return z.object({ check: kybCheckSchema }).parse(body).check;
}

async function createTenantWithList(entries: readonly OwnListEntry[]): Promise<IdentityTenant> {
  const tenant = await createIdentityTenant('Screened companies');
  await importOwnList(tenant.organisationId, entries);
  return tenant;
}

const findHits = ({ aml }: Kyb, role: 'company' | 'officer') =>
  aml?.parties.find(({ roles }) => roles.includes(role))?.hits ?? [];

const review = (key: string, hitId: string | null | undefined, status: string): Promise<ApiResponse> =>
  call('POST', `/v1/aml/hits/${String(hitId)}/review`, { key, json: { status, reason: 'Looked at.' } });

async function readCheck({ identityKey: key }: IdentityTenant, id: string): Promise<Kyb> {
  return z.object({ check: kybCheckSchema }).parse((await call('GET', `/v1/kyb/${id}`, { key })).body).check;
}

test('the company, its officers, owners and parents are screened once each', async () => {
  const check = await runCheck(
    await createTenantWithList([{ id: 'A1', type: 'person', name: 'Unrelated Person' }]),
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

test('the parties of a large company are screened in lists that are read once, and their hits fit into its check', async () => {
  const tenant = await createTenantWithList([{ id: 'A7', type: 'person', name: 'Unrelated Person' }]);
  const { id } = await runCheck(tenant, HARBOUR_QUERY);
  const { sources } = await KybCheck.findById(id).orFail().lean<KybCheckRecord>();
  const addOfficers = (detail: CompanyDetail): CompanyDetail => ({
    ...detail,
    officers: detail.officers.flatMap((officer) =>
      Array.from({ length: 50 }, (_, number) => ({ ...officer, name: `${officer.name} ${number}` })),
    ),
  });
  const large = sources.map((source) =>
    source.status === 'answered' && source.detail !== null ? { ...source, detail: addOfficers(source.detail) } : source,
  );
  await KybCheck.updateOne(
    { _id: id, organisationId: tenant.organisationId, mode: 'live' },
    { $set: { status: 'processing', screening: null, sources: large } },
  );
  const entry = (at: number): IndexedEntry => ({ ...LARGE_ENTRY, id: `L${at}` });
  const hits = Array.from({ length: 50 }, (_, at) => ({
    entry: entry(at),
    score: 100 - at / 10,
    matchedName: LARGE_ENTRY.caption,
    explanation: [],
  }));
  const engine = {
    search: (lists: readonly unknown[]) => Promise.resolve(lists.map(() => hits)),
    hold: () => () => undefined,
    retain: () => undefined,
    close: () => Promise.resolve(),
  };
  const reads = jest.spyOn(AmlList, 'find');
  const { screenParties } = createKybScreeningActivities(await getTestPlatform(), engine);
  expect(await new MockActivityEnvironment().run(screenParties, { kybId: id })).toBe('match');
  // Once for the search, and once to release versions that were replaced.
  expect(reads).toHaveBeenCalledTimes(2);
  const { screening } = await KybCheck.findById(id).orFail().lean<KybCheckRecord>();
  const parties = screening?.status === 'completed' ? screening.parties : [];
  expect(parties.length).toBeGreaterThan(50);
  expect(parties.every(({ match, hits: [first] }) => match && first?.score === 100)).toBe(true);
});

test('without a list the screening is unavailable and requires a review: it is never reported as no match', async () => {
  const check = await runCheck(await createIdentityTenant('No lists'), HARBOUR_QUERY);
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
  const tenant = await createTenantWithList([{ id: 'A5', type: 'person', name: 'Unrelated Person' }]);
  const longAgo = new Date(Date.now() - 400 * DAY_MS);
  await AmlList.updateOne({ organisationId: tenant.organisationId }, { $set: { checkedAt: longAgo } });
  const check = await runCheck(tenant, HARBOUR_QUERY);
  expect(check).toMatchObject({ status: 'found', risks: [{ code: 'aml_list_stale', action: 'ignore' }] });
});

test('without a company no screening takes place', async () => {
  const check = await runCheck(await createIdentityTenant('Unmatched'), {
    companyName: 'Zzyzx Unheard Of',
    country: 'GB',
  });
  expect(check).toMatchObject({ status: 'not_found', aml: null, risks: [] });
});

describe('review of the hits of a business check', () => {
  const ENTRIES = [
    { id: 'R1', type: 'person', name: 'QUAYLE, Edith Anne', datesOfBirth: '1971-08-14', countries: 'GB' },
    { id: 'R2', type: 'company', name: 'Harbour Lights Limited', countries: 'GB' },
  ];

  test('each hit is reviewed by itself: risks and status are evaluated again, and reviews are remembered', async () => {
    const tenant = await createTenantWithList(ENTRIES);
    const check = await runCheck(tenant, HARBOUR_QUERY);
    expect(check).toMatchObject({ status: 'review', risks: [{ code: 'aml_match', details: { parties: 2 } }] });
    const [officer] = findHits(check, 'officer');
    const [company] = findHits(check, 'company');
    expect([officer, company]).toMatchObject([
      { entryId: 'R1', reviewStatus: 'unreviewed', review: null },
      { entryId: 'R2', reviewStatus: 'unreviewed', review: null },
    ]);

    expect((await review(tenant.identityKey, officer?.id, 'confirmed')).body).toMatchObject({ match: true });
    expect(await readCheck(tenant, check.id)).toMatchObject({ status: 'review', risks: check.risks });

    const first = await review(tenant.identityKey, officer?.id, 'false_positive');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ match: true, hit: { id: officer?.id, reviewStatus: 'false_positive' } });
    const halfway = await readCheck(tenant, check.id);
    expect(halfway).toMatchObject({ status: 'review', risks: [{ code: 'aml_match', details: { parties: 1 } }] });
    expect(halfway.aml?.parties.find(({ roles }) => roles.includes('officer'))).toMatchObject({
      match: false,
      score: 0,
      hits: [
        { reviewStatus: 'false_positive', review: { status: 'false_positive', reason: 'Looked at.', byName: 'Test' } },
      ],
    });

    const second = await review(tenant.identityKey, company?.id, 'false_positive');
    expect(second.body).toMatchObject({ match: false, score: 0 });
    expect(await readCheck(tenant, check.id)).toMatchObject({ status: 'found', risks: [], aml: { match: false } });

    const again = await runCheck(tenant, HARBOUR_QUERY);
    expect(again).toMatchObject({ status: 'found', risks: [], aml: { match: false } });
    expect(findHits(again, 'company')).toMatchObject([{ entryId: 'R2', reviewStatus: 'false_positive' }]);
    expect(findHits(again, 'company')[0]?.id).not.toBe(company?.id);
  });

  test('a false positive applies to the company whichever of its names was found', async () => {
    const tenant = await createTenantWithList([
      { id: 'R3', type: 'company', name: 'Northern Light Energy', countries: 'DE' },
    ]);
    const nordlicht = { companyName: 'Nordlicht Energie GmbH', country: 'DE' };
    const check = await runCheck(tenant, nordlicht);
    const hits = findHits(check, 'company');
    expect(hits).toMatchObject([{ entryId: 'R3' }]);
    expect((await review(tenant.identityKey, hits[0]?.id, 'false_positive')).status).toBe(200);
    expect(listRiskCodes(await runCheck(tenant, nordlicht))).not.toContain('aml_match');
  });

  test("another organisation's hit and a hit of an erased check are 404", async () => {
    const tenant = await createTenantWithList(ENTRIES);
    const check = await runCheck(tenant, HARBOUR_QUERY);
    const [hit] = findHits(check, 'officer');
    const stranger = await createIdentityTenant('Stranger');
    expect((await review(stranger.identityKey, hit?.id, 'confirmed')).status).toBe(404);
    const key = tenant.identityKey;
    expect((await call('DELETE', `/v1/kyb/${check.id}`, { key })).body).toMatchObject({
      erasure: { status: 'completed' },
    });
    expect((await review(key, hit?.id, 'confirmed')).status).toBe(404);
    expect(await AmlHit.countDocuments({ recordId: check.id })).toBe(0);
  });
});

describe('monitoring of a company', () => {
  const UNRELATED = { id: 'M1', type: 'person', name: 'Unrelated Person' };
  const LISTED = { id: 'M2', type: 'company', name: 'Northern Light Energy', countries: 'DE' };
  const NORDLICHT = { companyName: 'Nordlicht Energie GmbH', country: 'DE' };

  const alertSchema = z.object({ data: z.looseObject({ monitorId: z.string(), screeningId: z.string() }) });

  /** Waits until the monitors of all versions of an organisation's list were determined. */
  const waitForImpact = async (organisationId: string): Promise<void> => {
    const list = await AmlList.findOne({ organisationId }).orFail().lean();
    await pollUntilFound(async () => {
      const version = await AmlListVersion.findById(list.currentVersion).lean();
      return version?.impact ?? undefined;
    });
  };

  const waitForAlert = (kybId: string): Promise<z.infer<typeof alertSchema>['data']> =>
    pollUntilFound(async () => {
      const event = await WebhookEvent.findOne({ subjectId: kybId, type: 'aml.alert' }).lean();
      return event === null ? undefined : alertSchema.parse(JSON.parse(String(event.body))).data;
    });

  test('an entry that names the company by another of its names raises an alert with a hit to review', async () => {
    const tenant = await createTenantWithList([UNRELATED]);
    const { identityKey: key, organisationId } = tenant;
    const check = await runCheck(tenant, { ...NORDLICHT, monitoring: true });
    const [party] = check.aml?.parties ?? [];
    expect(party).toMatchObject({
      roles: ['company'],
      match: false,
      monitorId: expect.stringMatching(/^mon_/) as string,
    });
    const monitorUrl = `/v1/aml/monitors/${String(party?.monitorId)}`;
    expect((await call('GET', monitorUrl, { key })).body).toMatchObject({
      monitor: { screeningId: null, kybId: check.id, lastScreeningId: null, alerts: 0 },
    });

    await importOwnList(organisationId, [UNRELATED, LISTED]);
    const alert = await waitForAlert(check.id);
    expect(alert).toMatchObject({ monitorId: party?.monitorId, kybId: check.id, newHits: 1, match: true });
    const { body } = await call('GET', `/v1/aml/screenings/${alert.screeningId}`, { key });
    const { hits } = screeningResultSchema.parse(body);
    expect(hits).toMatchObject([{ entryId: 'M2', reviewStatus: 'unreviewed' }]);
    expect((await call('GET', monitorUrl, { key })).body).toMatchObject({
      monitor: { lastScreeningId: alert.screeningId, alerts: 1 },
    });

    expect((await review(key, hits[0]?.id, 'false_positive')).body).toMatchObject({ match: false });
    expect(listRiskCodes(await runCheck(tenant, NORDLICHT))).not.toContain('aml_match');

    expect((await call('DELETE', `/v1/kyb/${check.id}`, { key })).status).toBe(200);
    expect((await call('GET', monitorUrl, { key })).status).toBe(404);
    expect((await call('GET', `/v1/aml/screenings/${alert.screeningId}`, { key })).status).toBe(404);
    const recordId = check.id;
    expect([
      await AmlHit.countDocuments({ recordId }),
      await AmlMonitor.countDocuments({ recordId }),
      await AmlScreening.countDocuments({ recordId }),
    ]).toEqual([0, 0, 0]);
  });

  test('a list that comes into use before the monitors of a check start raises an alert, once', async () => {
    const tenant = await createTenantWithList([UNRELATED]);
    const check = await runCheck(tenant, NORDLICHT);
    // As after its screening: the list changes before the check is concluded.
    await KybCheck.updateOne({ _id: check.id }, { $set: { status: 'processing', monitored: true, completedAt: null } });
    await WebhookEvent.deleteMany({ subjectId: check.id });
    await importOwnList(tenant.organisationId, [UNRELATED, LISTED]);
    await waitForImpact(tenant.organisationId);

    const platform = await getTestPlatform();
    expect(await completeKyb(platform, check.id)).toMatchObject({ status: check.status });
    const alert = await waitForAlert(check.id);
    expect(alert).toMatchObject({ kybId: check.id, newHits: 1, match: true });
    await completeKyb(platform, check.id);
    expect(await AmlScreening.countDocuments({ recordId: check.id, monitorId: alert.monitorId })).toBe(1);
  });

  test('a monitored check is retained until the last of its monitors ends', async () => {
    const tenant = await createTenantWithList([UNRELATED]);
    const key = tenant.identityKey;
    const check = await runCheck(tenant, { ...HARBOUR_QUERY, monitoring: true });
    await KybCheck.updateOne({ _id: check.id }, { $set: { createdAt: new Date(Date.now() - 31 * DAY_MS) } });
    const platform = await getTestPlatform();
    const monitorIds = (check.aml?.parties ?? []).map(({ monitorId }) => String(monitorId));
    expect(monitorIds).toHaveLength(4);
    const endMonitor = async (monitorId: string): Promise<void> =>
      expect((await call('DELETE', `/v1/aml/monitors/${monitorId}`, { key })).status).toBe(200);
    const [last = '', ...others] = monitorIds;
    for (const monitorId of others) await endMonitor(monitorId);
    await eraseOverdueRecords(platform);
    const { aml } = await readCheck(tenant, check.id);
    expect(aml?.parties.map(({ monitorId }) => monitorId)).toEqual([last, null, null, null]);
    await endMonitor(last);
    await eraseOverdueRecords(platform);
    expect((await call('GET', `/v1/kyb/${check.id}`, { key })).status).toBe(404);
  });

  test('a company that is not found has no party to monitor', async () => {
    const tenant = await createIdentityTenant('Nothing to monitor');
    const check = await runCheck(tenant, { companyName: 'Zzyzx Unheard Of', country: 'GB', monitoring: true });
    expect(check).toMatchObject({ status: 'not_found', aml: null });
    expect((await call('GET', '/v1/aml/monitors', { key: tenant.identityKey })).body).toMatchObject({ total: 0 });
    expect(await KybCheck.findById(check.id).lean()).toMatchObject({ monitored: false });
  });
});
