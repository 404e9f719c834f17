import { AmlList } from '../../../../models/identity/aml/aml-list';
import { AmlListChange } from '../../../../models/identity/aml/aml-list-change';
import { AmlListVersion } from '../../../../models/identity/aml/aml-list-version';
import { Audit } from '../../../../models/platform/audit/audit';
import { buildListId } from '../../../../services/identity/aml/catalogue';
import { importList } from '../../../../services/identity/aml/import';
import { buildNewEntriesSnapshot, getListVersionContext } from '../../../../services/identity/aml/list-impact';
import { readSnapshot } from '../../../../services/identity/aml/snapshot';
import { findReferencedSnapshots, sweepListVersions } from '../../../../services/identity/aml/version-sweep';
import { confirmHeldVersion, rejectHeldVersion } from '../../../../services/identity/aml/versions';
import { sweepObjects } from '../../../../services/platform/evidence/object-sweep';
import type { Platform } from '../../../../services/platform/platform';
import { call } from '../../../support/client';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import {
  importOwnList,
  findListByCode,
  createMemorySource,
  buildOwnListCsv,
} from '../../../support/identity/watch-lists';
import type { OwnListEntry } from '../../../support/identity/watch-lists';
import { HOUR_MS } from '../../../../domain/durations';

afterAll(closeTestPlatform);

const buildEntries = (count: number, name = 'Versioned'): OwnListEntry[] =>
  Array.from({ length: count }, (_, at) => ({ id: `V${at}`, type: 'person', name: `${name} Person ${at}` }));

const UN_LIST = (generated: string): string => `<?xml version="1.0"?><CONSOLIDATED_LIST dateGenerated="${generated}">
<INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>OLD</FIRST_NAME><SECOND_NAME>LISTED</SECOND_NAME></INDIVIDUAL></INDIVIDUALS>
</CONSOLIDATED_LIST>`;

/** The platform as it is some hours later, or earlier. */
const shiftClock = (platform: Platform, hours: number): Platform => ({
  ...platform,
  clock: { now: () => new Date(platform.clock.now().getTime() + hours * HOUR_MS) },
});

const importVersion = (platform: Platform, own: Tenant, list: readonly OwnListEntry[]) =>
  importList(platform, {
    code: 'own',
    organisationId: own.organisationId,
    source: createMemorySource({ 'own.csv': buildOwnListCsv(list) }),
  });

test('the changes of an earlier version are found, those of a version that the list does not have are a 404', async () => {
  const own = await createTenant('Changes');
  const readChanges = (version: string | null) =>
    call('GET', `/v1/aml/lists/own/changes?version=${version ?? ''}`, { key: own.identityKey });
  await importOwnList(own.organisationId, buildEntries(1));
  const earlier = await importOwnList(own.organisationId, buildEntries(3));
  await importOwnList(own.organisationId, buildEntries(4));
  expect((await readChanges(earlier.version)).body).toMatchObject({ version: earlier.version, total: 2 });
  const elsewhere = await importOwnList((await createTenant('Elsewhere')).organisationId, buildEntries(1));
  for (const version of [elsewhere.version, 'nonsense']) expect((await readChanges(version)).status).toBe(404);
});

test('monitored subjects are compared with a version although later ones had it pruned', async () => {
  const own = await createTenant('Pruned version');
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
  const own = await createTenant('Reserved');
  await expect(importOwnList(own.organisationId, buildEntries(1), 'ofac_sdn')).rejects.toMatchObject({
    code: 'reserved_list',
  });
});

const getListId = (own: Tenant): string => buildListId('own', own.organisationId);

const listSnapshotIds = async (platform: Platform, listId: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of platform.objects.list(`lists/${listId}/`)) keys.push(key);
  return keys.map((key) => key.replace(/^.*\/|\..*$/g, ''));
};

/** What the database and the store hold of each version of a list. */
async function readVersions(platform: Platform, listId: string) {
  const versions = await AmlListVersion.find({ listId }).sort({ _id: 1 }).lean();
  const changed = await AmlListChange.distinct('versionId', { listId });
  return {
    statuses: versions.map(({ status }) => status),
    changes: changed.sort(),
    snapshots: (await listSnapshotIds(platform, listId)).sort(),
  };
}

test('the age of a list counts from the date that it states, not from its import', async () => {
  const own = await createTenant('Old file');
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
  test('lets the version in use become stale', async () => {
    const own = await createTenant('Held and stale');
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
    const own = await createTenant('Confirmed late');
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
    const own = await createTenant('Held once');
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
    const own = await createTenant('Whole again');
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
    const own = await createTenant('Decided once');
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
    const own = await createTenant('Rejected');
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

describe('two simultaneous imports', () => {
  test.each([
    ['current', 7],
    ['held', 2],
  ])('the slower one, which would be %s, changes nothing and leaves nothing', async (_status, count) => {
    const own = await createTenant('Two at once');
    const platform = await getTestPlatform();
    await importOwnList(own.organisationId, buildEntries(6));
    const overtaken: Platform = {
      ...platform,
      objects: {
        ...platform.objects,
        put: async (...args) => {
          await platform.objects.put(...args);
          await importOwnList(own.organisationId, buildEntries(6, 'Overtaking'));
        },
      },
    };
    await expect(importVersion(overtaken, own, buildEntries(count))).rejects.toMatchObject({ code: 'list_changed' });
    const { statuses, snapshots } = await readVersions(platform, getListId(own));
    expect(statuses).toEqual(['superseded', 'current']);
    expect(snapshots).toHaveLength(2);
    const { body } = await call('GET', '/v1/aml/lists/own/changes', { key: own.identityKey });
    expect(body).toMatchObject({ total: 6 });
  });
});

describe('an interrupted import', () => {
  const never = new Promise<never>(() => undefined);

  /** A process that dies at one step of its work with the store: what it has done stays, what follows is not done. */
  const dyingAt = (platform: Platform, step: 'before put' | 'after put' | 'remove') => {
    let reached = (): void => undefined;
    const died = new Promise<void>((resolve) => (reached = resolve));
    const die = (): Promise<never> => {
      reached();
      return never;
    };
    const { objects } = platform;
    const put: typeof objects.put = async (...of) => {
      if (step === 'before put') return die();
      await objects.put(...of);
      if (step === 'after put') return die();
    };
    const remove: typeof objects.remove = (key) => (step === 'remove' ? die() : objects.remove(key));
    return { platform: { ...platform, objects: { ...objects, put, remove } }, died };
  };

  /** What the Schedule of upkeep does, some hours later, to this list alone. */
  const sweep = async (platform: Platform, listId: string, hours: number): Promise<void> => {
    const later = shiftClock(platform, hours);
    await sweepListVersions(later, { listId });
    await sweepObjects(later, `lists/${listId}/`, findReferencedSnapshots);
  };

  test.each(['before put', 'after put'] as const)(
    'killed %s is never visible, and removed after a day',
    async (step) => {
      const own = await createTenant('Killed');
      const platform = await getTestPlatform();
      const { version } = await importOwnList(own.organisationId, buildEntries(6));
      const killed = dyingAt(platform, step);
      void importVersion(killed.platform, own, buildEntries(7));
      await killed.died;
      const { body } = await call('GET', '/v1/aml/lists/own/changes', { key: own.identityKey });
      expect(body).toMatchObject({ version, total: 0, versions: [{ id: version }] });
      await sweep(platform, getListId(own), 23);
      expect((await readVersions(platform, getListId(own))).statuses).toEqual(['current', 'importing']);
      await sweep(platform, getListId(own), 25);
      expect(await readVersions(platform, getListId(own))).toEqual({
        statuses: ['current'],
        changes: [],
        snapshots: [version],
      });
      expect(await importOwnList(own.organisationId, buildEntries(7))).toMatchObject({ status: 'current', added: 1 });
    },
  );

  test('killed after publishing is published, and the next sweep removes the replaced version', async () => {
    const own = await createTenant('Killed late');
    const platform = await getTestPlatform();
    await importOwnList(own.organisationId, buildEntries(6));
    await importOwnList(own.organisationId, buildEntries(3));
    const killed = dyingAt(platform, 'remove');
    void importVersion(killed.platform, own, buildEntries(7));
    await killed.died;
    const list = await findListByCode(own.identityKey, 'own');
    expect(list).toMatchObject({ heldVersion: null, version: { counts: { entries: 7 } } });
    await sweep(platform, getListId(own), 0);
    const { statuses, snapshots, changes } = await readVersions(platform, getListId(own));
    expect({ statuses, snapshots: snapshots.length }).toEqual({ statuses: ['superseded', 'current'], snapshots: 2 });
    expect(changes).toEqual([list.version?.id]);
  });

  test('leaves nothing if the object store fails', async () => {
    const own = await createTenant('Store fails');
    const platform = await getTestPlatform();
    const { version } = await importOwnList(own.organisationId, buildEntries(6));
    const broken: Platform = {
      ...platform,
      objects: { ...platform.objects, put: () => Promise.reject(new Error('The store is full.')) },
    };
    await expect(importVersion(broken, own, buildEntries(7))).rejects.toThrow('The store is full.');
    expect(await readVersions(platform, getListId(own))).toEqual({
      statuses: ['current'],
      changes: [],
      snapshots: [version],
    });
  });
});

test('entries of the previous version are kept, those of older versions are not', async () => {
  const own = await createTenant('Old versions');
  const platform = await getTestPlatform();
  const versionIds: (string | null)[] = [];
  for (const count of [5, 6, 7, 8])
    versionIds.push((await importOwnList(own.organisationId, buildEntries(count))).version);
  expect(await listSnapshotIds(platform, getListId(own))).toEqual(versionIds.slice(2));
});

test('imports and decisions are in the audit log of the organisation that owns the list', async () => {
  const own = await createTenant('Audited');
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
