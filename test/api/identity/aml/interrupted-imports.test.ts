import { findReferencedSnapshots, sweepListVersions } from '../../../../services/identity/aml/version-sweep';
import { sweepObjects } from '../../../../services/platform/evidence/object-sweep';
import type { Platform } from '../../../../services/platform/platform';
import { call } from '../../../support/client';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import { importOwnList, findListByCode } from '../../../support/identity/watch-lists';
import {
  buildEntries,
  getListId,
  importVersion,
  readVersions,
  shiftClock,
} from '../../../support/identity/list-versions';

afterAll(closeTestPlatform);

describe('two simultaneous imports', () => {
  test.each([
    ['current', 7],
    ['held', 2],
  ])('the slower one, which would be %s, changes nothing and leaves nothing', async (_status, count) => {
    const own = await createIdentityTenant('Two at once');
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
      const own = await createIdentityTenant('Killed');
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
    const own = await createIdentityTenant('Killed late');
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
    const own = await createIdentityTenant('Store fails');
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
