import { AmlListChange } from '../../../models/identity/aml/aml-list-change';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import { buildListId } from '../../../services/identity/aml/catalogue';
import { importList } from '../../../services/identity/aml/import';
import type { Platform } from '../../../services/platform/platform';
import type { IdentityTenant } from '../tenant';
import { createMemorySource, buildOwnListCsv } from './watch-lists';
import type { OwnListEntry } from './watch-lists';
import { HOUR_MS } from '../../../domain/durations';

/** People with the ids V0, V1 and so on; another `name` makes all of them changed entries. */
export const buildEntries = (count: number, name = 'Versioned'): OwnListEntry[] =>
  Array.from({ length: count }, (_, at) => ({ id: `V${at}`, type: 'person', name: `${name} Person ${at}` }));

/** The platform as it is some hours later, or earlier. */
export const shiftClock = (platform: Platform, hours: number): Platform => ({
  ...platform,
  clock: { now: () => new Date(platform.clock.now().getTime() + hours * HOUR_MS) },
});

/** Imports a version of the own list of an organisation, on the given platform. */
export const importVersion = (platform: Platform, own: IdentityTenant, list: readonly OwnListEntry[]) =>
  importList(platform, {
    code: 'own',
    organisationId: own.organisationId,
    source: createMemorySource({ 'own.csv': buildOwnListCsv(list) }),
  });

/** The id of the own list of an organisation. */
export const getListId = (own: IdentityTenant): string => buildListId('own', own.organisationId);

/** Ids of the versions whose snapshots are in the object store. */
export const listSnapshotIds = async (platform: Platform, listId: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of platform.objects.list(`lists/${listId}/`)) keys.push(key);
  return keys.map((key) => key.replace(/^.*\/|\..*$/g, ''));
};

/** What the database and the store hold of each version of a list. */
export async function readVersions(platform: Platform, listId: string) {
  const versions = await AmlListVersion.find({ listId }).sort({ _id: 1 }).lean();
  const changed = await AmlListChange.distinct('versionId', { listId });
  return {
    statuses: versions.map(({ status }) => status),
    changes: changed.sort(),
    snapshots: (await listSnapshotIds(platform, listId)).sort(),
  };
}
