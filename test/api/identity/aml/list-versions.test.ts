import { AmlList } from '../../../../models/identity/aml/aml-list';
import { AmlListChange } from '../../../../models/identity/aml/aml-list-change';
import { AmlListVersion } from '../../../../models/identity/aml/aml-list-version';
import { Audit } from '../../../../models/platform/audit/audit';
import { listIdOf } from '../../../../services/identity/aml/catalogue';
import { importList } from '../../../../services/identity/aml/import';
import { namedSnapshots, sweepListVersions } from '../../../../services/identity/aml/version-sweep';
import { confirmHeld, rejectHeld } from '../../../../services/identity/aml/versions';
import { sweepObjects } from '../../../../services/platform/evidence/object-sweep';
import type { Platform } from '../../../../services/platform/platform';
import { call } from '../../../support/client';
import { closeTestPlatform, createTenant, testPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';
import { importOwnList, listedAs, memorySource, ownCsv } from '../../../support/identity/watch-lists';
import type { OwnEntry } from '../../../support/identity/watch-lists';

afterAll(closeTestPlatform);

const HOUR = 3_600_000;

const entries = (count: number, name = 'Versioned'): OwnEntry[] =>
  Array.from({ length: count }, (_, at) => ({ id: `V${at}`, type: 'person', name: `${name} Person ${at}` }));

/** The platform as it is some hours later, or earlier. */
const hoursOn = (platform: Platform, hours: number): Platform => ({
  ...platform,
  clock: { now: () => new Date(platform.clock.now().getTime() + hours * HOUR) },
});

const importAs = (platform: Platform, own: Tenant, list: readonly OwnEntry[]) =>
  importList(platform, {
    code: 'own',
    organisationId: own.organisationId,
    source: memorySource({ 'own.csv': ownCsv(list) }),
  });

const idOf = (own: Tenant): string => listIdOf('own', own.organisationId);

const stored = async (platform: Platform, listId: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of platform.objects.list(`lists/${listId}/`)) keys.push(key);
  return keys.map((key) => key.replace(/^.*\/|\..*$/g, ''));
};

/** What the database and the store hold of each version of a list. */
async function kept(platform: Platform, listId: string) {
  const versions = await AmlListVersion.find({ listId }).sort({ _id: 1 }).lean();
  const changed = await AmlListChange.distinct('versionId', { listId });
  return {
    statuses: versions.map(({ status }) => status),
    changes: changed.sort(),
    snapshots: (await stored(platform, listId)).sort(),
  };
}

describe('a held version', () => {
  test('leaves the one in use to grow stale', async () => {
    const own = await createTenant('Held and stale');
    const platform = await testPlatform();
    await importAs(hoursOn(platform, -100), own, entries(4));
    expect(await importOwnList(own.organisationId, entries(2))).toMatchObject({ status: 'held' });
    const list = await listedAs(own.identityKey, 'own');
    expect(list).toMatchObject({ stale: true, ageHours: 100, heldVersion: { status: 'held' } });
    const { body } = await call('POST', '/v1/aml/screen', {
      key: own.identityKey,
      json: { fullName: 'Somebody Else', lists: ['own'] },
    });
    expect(body).toMatchObject({ screening: { risks: ['aml_list_stale'], listsSearched: [{ stale: true }] } });
  });

  test('is as old as its import once it is confirmed', async () => {
    const own = await createTenant('Confirmed late');
    const platform = await testPlatform();
    await importAs(hoursOn(platform, -100), own, entries(4));
    await importAs(hoursOn(platform, -50), own, entries(2));
    await confirmHeld(platform, idOf(own));
    expect(await listedAs(own.identityKey, 'own')).toMatchObject({ stale: false, ageHours: 50, heldVersion: null });
  });

  test('is the only one of its list: the same again makes none, another takes its place with all it left', async () => {
    const own = await createTenant('Held once');
    const platform = await testPlatform();
    const { version: current } = await importOwnList(own.organisationId, entries(6));
    const first = await importOwnList(own.organisationId, entries(3));
    expect(await importOwnList(own.organisationId, entries(3))).toMatchObject({
      status: 'held',
      version: first.version,
    });
    const second = await importOwnList(own.organisationId, entries(2));
    expect(second).toMatchObject({ status: 'held' });
    expect(await kept(platform, idOf(own))).toEqual({
      statuses: ['current', 'held'],
      changes: [second.version],
      snapshots: [current, second.version].sort(),
    });
  });

  test('goes when the list is whole again', async () => {
    const own = await createTenant('Whole again');
    const platform = await testPlatform();
    const { version } = await importOwnList(own.organisationId, entries(6));
    await importOwnList(own.organisationId, entries(3));
    expect(await importOwnList(own.organisationId, entries(6))).toMatchObject({ status: 'unchanged' });
    expect(await listedAs(own.identityKey, 'own')).toMatchObject({ heldVersion: null, version: { id: version } });
    expect(await kept(platform, idOf(own))).toEqual({ statuses: ['current'], changes: [], snapshots: [version] });
  });

  test('is confirmed or rejected, never both', async () => {
    const own = await createTenant('Decided once');
    const platform = await testPlatform();
    const { version } = await importOwnList(own.organisationId, entries(6));
    await importOwnList(own.organisationId, entries(3));
    const decided = await Promise.allSettled([confirmHeld(platform, idOf(own)), rejectHeld(platform, idOf(own))]);
    expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const confirmed = decided[0].status === 'fulfilled';
    const list = await AmlList.findById(idOf(own)).lean();
    expect(list?.heldVersion).toBeNull();
    expect(list?.currentVersion === version).toBe(!confirmed);
    const { statuses } = await kept(platform, idOf(own));
    expect(statuses).toEqual(confirmed ? ['superseded', 'current'] : ['current', 'rejected']);
  });

  test('leaves its counts and nothing else when it is rejected', async () => {
    const own = await createTenant('Rejected');
    const platform = await testPlatform();
    const { version } = await importOwnList(own.organisationId, entries(6));
    await importOwnList(own.organisationId, entries(3));
    await rejectHeld(platform, idOf(own));
    expect(await kept(platform, idOf(own))).toEqual({
      statuses: ['current', 'rejected'],
      changes: [],
      snapshots: [version],
    });
  });
});

describe('two imports at once', () => {
  test.each([
    ['current', 7],
    ['held', 2],
  ])('the slower one, which would be %s, changes nothing and leaves nothing', async (_status, count) => {
    const own = await createTenant('Two at once');
    const platform = await testPlatform();
    await importOwnList(own.organisationId, entries(6));
    const overtaken: Platform = {
      ...platform,
      objects: {
        ...platform.objects,
        put: async (...of) => {
          await platform.objects.put(...of);
          await importOwnList(own.organisationId, entries(6, 'Overtaking'));
        },
      },
    };
    await expect(importAs(overtaken, own, entries(count))).rejects.toMatchObject({ code: 'list_changed' });
    const { statuses, snapshots } = await kept(platform, idOf(own));
    expect(statuses).toEqual(['superseded', 'current']);
    expect(snapshots).toHaveLength(2);
    const { body } = await call('GET', '/v1/aml/lists/own/changes', { key: own.identityKey });
    expect(body).toMatchObject({ total: 6 });
  });
});

describe('an import that does not end', () => {
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
    const later = hoursOn(platform, hours);
    await sweepListVersions(later, { listId });
    await sweepObjects(later, `lists/${listId}/`, namedSnapshots);
  };

  test.each(['before put', 'after put'] as const)('killed %s is never seen, and swept after a day', async (step) => {
    const own = await createTenant('Killed');
    const platform = await testPlatform();
    const { version } = await importOwnList(own.organisationId, entries(6));
    const killed = dyingAt(platform, step);
    void importAs(killed.platform, own, entries(7));
    await killed.died;
    const { body } = await call('GET', '/v1/aml/lists/own/changes', { key: own.identityKey });
    expect(body).toMatchObject({ version, total: 0, versions: [{ id: version }] });
    await sweep(platform, idOf(own), 23);
    expect((await kept(platform, idOf(own))).statuses).toEqual(['current', 'importing']);
    await sweep(platform, idOf(own), 25);
    expect(await kept(platform, idOf(own))).toEqual({ statuses: ['current'], changes: [], snapshots: [version] });
    expect(await importOwnList(own.organisationId, entries(7))).toMatchObject({ status: 'current', added: 1 });
  });

  test('killed once it is published has been published, and the next sweep clears what it replaced', async () => {
    const own = await createTenant('Killed late');
    const platform = await testPlatform();
    await importOwnList(own.organisationId, entries(6));
    await importOwnList(own.organisationId, entries(3));
    const killed = dyingAt(platform, 'remove');
    void importAs(killed.platform, own, entries(7));
    await killed.died;
    const list = await listedAs(own.identityKey, 'own');
    expect(list).toMatchObject({ heldVersion: null, version: { counts: { entries: 7 } } });
    await sweep(platform, idOf(own), 0);
    const { statuses, snapshots, changes } = await kept(platform, idOf(own));
    expect({ statuses, snapshots: snapshots.length }).toEqual({ statuses: ['superseded', 'current'], snapshots: 2 });
    expect(changes).toEqual([list.version?.id]);
  });

  test('whose store fails leaves nothing', async () => {
    const own = await createTenant('Store fails');
    const platform = await testPlatform();
    const { version } = await importOwnList(own.organisationId, entries(6));
    const broken: Platform = {
      ...platform,
      objects: { ...platform.objects, put: () => Promise.reject(new Error('The store is full.')) },
    };
    await expect(importAs(broken, own, entries(7))).rejects.toThrow('The store is full.');
    expect(await kept(platform, idOf(own))).toEqual({ statuses: ['current'], changes: [], snapshots: [version] });
  });
});

test('entries of the version before the one in use are kept, those of older ones are not', async () => {
  const own = await createTenant('Old versions');
  const platform = await testPlatform();
  const made: (string | null)[] = [];
  for (const count of [5, 6, 7, 8]) made.push((await importOwnList(own.organisationId, entries(count))).version);
  expect(await stored(platform, idOf(own))).toEqual(made.slice(2));
});

test('imports and decisions stand in the audit log of whom the list serves', async () => {
  const own = await createTenant('Audited');
  const platform = await testPlatform();
  const first = await importOwnList(own.organisationId, entries(6));
  const held = await importOwnList(own.organisationId, entries(3));
  await rejectHeld(platform, idOf(own));
  const { body } = await call('GET', '/v1/audit-log?limit=100', { key: own.identityKey });
  const told = (body['entries'] as { action: string; subject: string }[])
    .filter(({ action }) => action.startsWith('aml_list.'))
    .map(({ action, subject }) => [action, subject]);
  expect(told).toEqual([
    ['aml_list.rejected', held.version],
    ['aml_list.held', held.version],
    ['aml_list.imported', first.version],
  ]);
});

test('a list of the whole installation is audited for the installation', async () => {
  const platform = await testPlatform();
  const code = `installation-${Date.now()}`;
  const source = memorySource({ 'list.csv': ownCsv(entries(3)) });
  const { version } = await importList(platform, { code, organisationId: null, source });
  try {
    expect(await Audit.findOne({ subject: version }).lean()).toMatchObject({
      organisationId: 'installation',
      mode: 'live',
      actor: 'system',
      action: 'aml_list.imported',
    });
  } finally {
    // Every organisation is searched in it: no other test is to find it.
    await AmlList.deleteOne({ _id: code });
  }
});
