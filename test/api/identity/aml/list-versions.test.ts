import { AmlList } from '../../../../models/identity/aml/aml-list';
import { Audit } from '../../../../models/platform/audit/audit';
import { importList } from '../../../../services/identity/aml/import';
import { buildNewEntriesSnapshot, getListVersionContext } from '../../../../services/identity/aml/list-impact';
import { readSnapshot } from '../../../../services/identity/aml/snapshot';
import { confirmHeldVersion, rejectHeldVersion } from '../../../../services/identity/aml/versions';
import type { Platform } from '../../../../services/platform/platform';
import { call } from '../../../support/client';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import {
  importOwnList,
  findListByCode,
  createMemorySource,
  buildOwnListCsv,
} from '../../../support/identity/watch-lists';
import { parseScreening, postScreening } from '../../../support/identity/screenings';
import { HOUR_MS } from '../../../../domain/durations';
import {
  buildEntries,
  getListId,
  importVersion,
  listSnapshotIds,
  readVersions,
  shiftClock,
} from '../../../support/identity/list-versions';

afterAll(closeTestPlatform);

const UN_LIST = (generated: string): string => `<?xml version="1.0"?><CONSOLIDATED_LIST dateGenerated="${generated}">
<INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>OLD</FIRST_NAME><SECOND_NAME>LISTED</SECOND_NAME></INDIVIDUAL></INDIVIDUALS>
</CONSOLIDATED_LIST>`;

test('the changes of an earlier version are found, those of a version that the list does not have are a 404', async () => {
  const own = await createIdentityTenant('Changes');
  const readChanges = (version: string | null) =>
    call('GET', `/v1/aml/lists/own/changes?version=${version ?? ''}`, { key: own.identityKey });
  await importOwnList(own.organisationId, buildEntries(1));
  const earlier = await importOwnList(own.organisationId, buildEntries(3));
  await importOwnList(own.organisationId, buildEntries(4));
  expect((await readChanges(earlier.version)).body).toMatchObject({ version: earlier.version, total: 2 });
  const elsewhere = await importOwnList((await createIdentityTenant('Elsewhere')).organisationId, buildEntries(1));
  for (const version of [elsewhere.version, 'nonsense']) expect((await readChanges(version)).status).toBe(404);
});

test('monitored subjects are compared with a version although later ones had it pruned', async () => {
  const own = await createIdentityTenant('Pruned version');
  const platform = await getTestPlatform();
  await importOwnList(own.organisationId, buildEntries(1));
  const missed = await importOwnList(own.organisationId, buildEntries(2));
  await importOwnList(own.organisationId, buildEntries(3));
  await importOwnList(own.organisationId, buildEntries(4));
  const context = await getListVersionContext(missed.version ?? '');
  expect(context.version).toMatchObject({ status: 'superseded', pruned: true });
  const entries = readSnapshot(await buildNewEntriesSnapshot(platform, context));
  const ids: string[] = [];
  for await (const { id } of entries) ids.push(id);
  expect(ids).toEqual(['V1']);
});

test('an own list does not take the code of a published one', async () => {
  const own = await createIdentityTenant('Reserved');
  await expect(importOwnList(own.organisationId, buildEntries(1), 'ofac_sdn')).rejects.toMatchObject({
    code: 'reserved_list',
  });
});

test('the age of a list counts from the date that it states, not from its import', async () => {
  const own = await createIdentityTenant('Old file');
  const platform = await getTestPlatform();
  const importFile = (generated: Date) =>
    importList(platform, {
      code: 'own',
      organisationId: own.organisationId,
      source: createMemorySource({ 'list.xml': UN_LIST(generated.toISOString()) }),
    });
  const old = new Date(platform.clock.now().getTime() - 1000 * HOUR_MS);
  await importFile(old);
  expect(await findListByCode(own.identityKey, 'own')).toMatchObject({
    ageHours: 1000,
    stale: true,
    version: { publishedAt: old.toISOString() },
  });
  const json = { fullName: 'Somebody Else', lists: ['own'] };
  const { body } = await call('POST', '/v1/aml/screen', { key: own.identityKey, json });
  expect(body).toMatchObject({ screening: { risks: ['aml_list_stale'], listsSearched: [{ ageHours: 1000 }] } });
  // The publisher confirms the same entries in a newer file.
  expect(await importFile(platform.clock.now())).toMatchObject({ status: 'unchanged' });
  expect(await findListByCode(own.identityKey, 'own')).toMatchObject({ ageHours: 0, stale: false });
});

describe('a held version', () => {
  test('is used once it is confirmed, until then the complete list is searched', async () => {
    const own = await createIdentityTenant('Shrinking');
    const options = { key: own.identityKey };
    const screen = async () => parseScreening(await postScreening({ fullName: 'Shrinking Four' }, options));
    const entries = ['One', 'Two', 'Three', 'Four'].map((name) => ({
      id: name,
      type: 'person',
      name: `Shrinking ${name}`,
    }));
    await importOwnList(own.organisationId, entries);
    expect(await importOwnList(own.organisationId, entries)).toMatchObject({ status: 'unchanged' });
    const held = await importOwnList(own.organisationId, entries.slice(0, 2));
    expect(held).toMatchObject({ status: 'held', removed: 2 });
    expect((await screen()).match).toBe(true);
    const { body } = await call('GET', '/v1/aml/lists', options);
    const lists = body['lists'] as { code: string; heldVersion: object | null }[];
    expect(lists.find(({ code }) => code === 'own')?.heldVersion).toMatchObject({ status: 'held' });
    await confirmHeldVersion(await getTestPlatform(), getListId(own));
    expect((await screen()).match).toBe(false);
  });

  test('lets the version in use become stale', async () => {
    const own = await createIdentityTenant('Held and stale');
    const platform = await getTestPlatform();
    await importVersion(shiftClock(platform, -100), own, buildEntries(4));
    expect(await importOwnList(own.organisationId, buildEntries(2))).toMatchObject({ status: 'held' });
    const list = await findListByCode(own.identityKey, 'own');
    expect(list).toMatchObject({ stale: true, ageHours: 100, heldVersion: { status: 'held' } });
    const { body } = await call('POST', '/v1/aml/screen', {
      key: own.identityKey,
      json: { fullName: 'Somebody Else', lists: ['own'] },
    });
    expect(body).toMatchObject({ screening: { risks: ['aml_list_stale'], listsSearched: [{ stale: true }] } });
  });

  test('has the age of its import once it is confirmed', async () => {
    const own = await createIdentityTenant('Confirmed late');
    const platform = await getTestPlatform();
    await importVersion(shiftClock(platform, -100), own, buildEntries(4));
    await importVersion(shiftClock(platform, -50), own, buildEntries(2));
    await confirmHeldVersion(platform, getListId(own));
    expect(await findListByCode(own.identityKey, 'own')).toMatchObject({
      stale: false,
      ageHours: 50,
      heldVersion: null,
    });
  });

  test('is the only one of its list: equal content creates none, other content replaces it completely', async () => {
    const own = await createIdentityTenant('Held once');
    const platform = await getTestPlatform();
    const { version: current } = await importOwnList(own.organisationId, buildEntries(6));
    const first = await importOwnList(own.organisationId, buildEntries(3));
    expect(await importOwnList(own.organisationId, buildEntries(3))).toMatchObject({
      status: 'held',
      version: first.version,
    });
    const second = await importOwnList(own.organisationId, buildEntries(2));
    expect(second).toMatchObject({ status: 'held' });
    expect(await readVersions(platform, getListId(own))).toEqual({
      statuses: ['current', 'held'],
      changes: [second.version],
      snapshots: [current, second.version].sort(),
    });
  });

  test('is discarded when the list is complete again', async () => {
    const own = await createIdentityTenant('Whole again');
    const platform = await getTestPlatform();
    const { version } = await importOwnList(own.organisationId, buildEntries(6));
    await importOwnList(own.organisationId, buildEntries(3));
    expect(await importOwnList(own.organisationId, buildEntries(6))).toMatchObject({ status: 'unchanged' });
    expect(await findListByCode(own.identityKey, 'own')).toMatchObject({ heldVersion: null, version: { id: version } });
    expect(await readVersions(platform, getListId(own))).toEqual({
      statuses: ['current'],
      changes: [],
      snapshots: [version],
    });
  });

  test('is confirmed or rejected, never both', async () => {
    const own = await createIdentityTenant('Decided once');
    const platform = await getTestPlatform();
    const { version } = await importOwnList(own.organisationId, buildEntries(6));
    await importOwnList(own.organisationId, buildEntries(3));
    const decided = await Promise.allSettled([
      confirmHeldVersion(platform, getListId(own)),
      rejectHeldVersion(platform, getListId(own)),
    ]);
    expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const confirmed = decided[0].status === 'fulfilled';
    const list = await AmlList.findById(getListId(own)).lean();
    expect(list?.heldVersion).toBeNull();
    expect(list?.currentVersion === version).toBe(!confirmed);
    const { statuses } = await readVersions(platform, getListId(own));
    expect(statuses).toEqual(confirmed ? ['superseded', 'current'] : ['current', 'rejected']);
  });

  test('keeps only its counts when it is rejected', async () => {
    const own = await createIdentityTenant('Rejected');
    const platform = await getTestPlatform();
    const { version } = await importOwnList(own.organisationId, buildEntries(6));
    await importOwnList(own.organisationId, buildEntries(3));
    await rejectHeldVersion(platform, getListId(own));
    expect(await readVersions(platform, getListId(own))).toEqual({
      statuses: ['current', 'rejected'],
      changes: [],
      snapshots: [version],
    });
  });
});

test('entries of the previous version are kept, those of older versions are not', async () => {
  const own = await createIdentityTenant('Old versions');
  const platform = await getTestPlatform();
  const versionIds: (string | null)[] = [];
  for (const count of [5, 6, 7, 8])
    versionIds.push((await importOwnList(own.organisationId, buildEntries(count))).version);
  expect(await listSnapshotIds(platform, getListId(own))).toEqual(versionIds.slice(2));
});

test('imports and decisions are in the audit log of the organisation that owns the list', async () => {
  const own = await createIdentityTenant('Audited');
  const platform = await getTestPlatform();
  const first = await importOwnList(own.organisationId, buildEntries(6));
  const held = await importOwnList(own.organisationId, buildEntries(3));
  await rejectHeldVersion(platform, getListId(own));
  const { body } = await call('GET', '/v1/audit-log?limit=100', { key: own.identityKey });
  const auditedActions = (body['entries'] as { action: string; subject: string }[])
    .filter(({ action }) => action.startsWith('aml_list.'))
    .map(({ action, subject }) => [action, subject]);
  expect(auditedActions).toEqual([
    ['aml_list.rejected', held.version],
    ['aml_list.held', held.version],
    ['aml_list.imported', first.version],
  ]);
});

test('a list of the whole installation is audited for the installation', async () => {
  const platform = await getTestPlatform();
  const code = `installation-${Date.now()}`;
  const source = createMemorySource({ 'list.csv': buildOwnListCsv(buildEntries(3)) });
  // Screenings of all organisations would use the list: it belongs to none of them before it is published.
  const hidden: Platform = {
    ...platform,
    objects: {
      ...platform.objects,
      put: async (...args) => {
        await AmlList.updateOne({ _id: code }, { $set: { organisationId: code } });
        await platform.objects.put(...args);
      },
    },
  };
  const { version } = await importList(hidden, { code, organisationId: null, source });
  try {
    expect(await Audit.findOne({ subject: version }).lean()).toMatchObject({
      organisationId: 'installation',
      mode: 'live',
      actor: 'system',
      action: 'aml_list.imported',
    });
  } finally {
    await AmlList.deleteOne({ _id: code });
  }
});
