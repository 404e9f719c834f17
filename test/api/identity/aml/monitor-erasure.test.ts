import { MockActivityEnvironment } from '@temporalio/testing';
import { createListActivities } from '../../../../activities/screening/lists';
import { createPackedVersions } from '../../../../activities/screening/packed-versions';
import type { ListToSearch } from '../../../../activities/screening/packed-versions';
import { createEgress } from '../../../../lib/egress/egress';
import { AmlMonitor } from '../../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../../models/identity/aml/aml-screening';
import { DataKey } from '../../../../models/platform/evidence/data-key';
import { findSubject, rescreenSubject } from '../../../../services/identity/aml/monitors';
import type { MonitoredSubject } from '../../../../services/identity/aml/monitors';
import { call } from '../../../support/client';
import { listEventTypes } from '../../../support/identity/identity';
import { parseScreening, postScreening } from '../../../support/identity/screenings';
import { importOwnList } from '../../../support/identity/watch-lists';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

afterAll(closeTestPlatform);

const UNRELATED = { id: 'U1', type: 'person', name: 'Unrelated Person' };

const monitor = async ({ identityKey: key }: IdentityTenant, fullName: string): Promise<string> =>
  parseScreening(await postScreening({ fullName, monitoring: true }, { key })).screening.id;

async function createMonitoringTenant(name: string): Promise<IdentityTenant> {
  const tenant = await createIdentityTenant(name);
  await importOwnList(tenant.organisationId, [UNRELATED]);
  return tenant;
}

async function listSubjects({ organisationId }: IdentityTenant): Promise<(MonitoredSubject | null)[]> {
  const monitors = await AmlMonitor.find({ organisationId, deletedAt: null }).lean();
  const platform = await getTestPlatform();
  return Promise.all(monitors.map((each) => findSubject(platform, each)));
}

test('a subject that is erased while a change of a list is processed does not stop that of later monitors', async () => {
  const tenant = await createMonitoringTenant('Erased meanwhile');
  const erased = await monitor(tenant, 'Erasmus Erasable');
  const kept = await monitor(tenant, 'Konstanze Keptwell');
  // What a process finds that has read the screening just before its erasure.
  const destroyed = { material: null, generation: null, wrapped: null, keyId: null, destroyedAt: new Date() };
  await DataKey.updateOne({ _id: erased }, { $set: destroyed });
  await importOwnList(tenant.organisationId, [UNRELATED, { id: 'K1', type: 'person', name: 'Konstanze Keptwell' }]);
  await pollUntilFound(async () => ((await listEventTypes(kept)).includes('aml.alert') ? true : undefined));
  const changes = await pollUntilFound(async () => {
    const { body } = await call('GET', '/v1/aml/lists/own/changes', { key: tenant.identityKey });
    return body['affected'] === 1 ? body : undefined;
  });
  expect(changes).toMatchObject({ total: 1, affected: 1 });
});

describe('a subject that is screened again', () => {
  const countRescreened = (recordId: string) => AmlScreening.countDocuments({ recordId, origin: 'monitor' });

  const rescreenAfter = async (tenant: IdentityTenant, meanwhile: () => Promise<unknown>): Promise<void> => {
    const [subject] = await listSubjects(tenant);
    if (subject == null) throw new Error('The subject is not monitored.');
    const create = AmlScreening.create.bind(AmlScreening) as (...args: unknown[]) => Promise<never>;
    const spy = jest.spyOn(AmlScreening, 'create').mockImplementationOnce(async (...args: unknown[]) => {
      await meanwhile();
      return create(...args);
    });
    await rescreenSubject(await getTestPlatform(), subject, 'alv_cause');
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
  };

  test('leaves nothing behind if it is erased meanwhile', async () => {
    const tenant = await createMonitoringTenant('Erased at last');
    const recordId = await monitor(tenant, 'Erasmus Erasable');
    const path = `/v1/aml/screenings/${recordId}`;
    await rescreenAfter(tenant, async () => {
      expect((await call('DELETE', path, { key: tenant.identityKey })).status).toBe(200);
    });
    expect(await countRescreened(recordId)).toBe(0);
  });

  test('is not screened if its monitor ends meanwhile', async () => {
    const tenant = await createMonitoringTenant('Ended at last');
    const recordId = await monitor(tenant, 'Edwina Endable');
    const { _id: id } = await AmlMonitor.findOne({ recordId }).orFail().lean();
    await rescreenAfter(tenant, async () => {
      expect((await call('DELETE', `/v1/aml/monitors/${id}`, { key: tenant.identityKey })).status).toBe(200);
    });
    expect(await countRescreened(recordId)).toBe(0);
  });

  test('makes an erasure that commits first or later conflict, by a change of its monitor', async () => {
    const tenant = await createMonitoringTenant('Screened in time');
    const recordId = await monitor(tenant, 'Ignatius Intime');
    const before = await AmlMonitor.findOne({ recordId }).orFail().lean();
    await rescreenAfter(tenant, () => Promise.resolve());
    expect(await countRescreened(recordId)).toBe(1);
    expect(await AmlMonitor.findOne({ recordId }).orFail().lean()).not.toEqual(before);
  });
});

test('the new entries of a list are read once for a part of the monitors, and released at its end', async () => {
  const tenant = await createMonitoringTenant('Read once');
  for (const name of ['Ada First', 'Bea Second', 'Cleo Third']) await monitor(tenant, name);
  const { version } = await importOwnList(tenant.organisationId, [UNRELATED, { ...UNRELATED, id: 'U2' }]);
  const loaded: string[] = [];
  const packed = createPackedVersions((snapshot) => Promise.resolve(snapshot));
  const engine = {
    search: async (lists: readonly ListToSearch[]) => {
      for (const { version: id, load } of lists) {
        await packed.get({ version: id, load: () => (loaded.push(id), load()) });
        // As another screening does in the same process.
        packed.retain(new Set());
      }
      return lists.map(() => []);
    },
    hold: (id: string) => packed.hold(id),
    retain: (versions: ReadonlySet<string>) => packed.retain(versions),
    close: () => Promise.resolve(),
  };
  const egress = createEgress({ allow: [] });
  const { rescreenMonitors } = createListActivities(await getTestPlatform(), engine, egress);
  const part = { versionId: version ?? '', after: null, only: null };
  const rescreen = () => new MockActivityEnvironment().run(rescreenMonitors, part);
  expect(await rescreen()).toEqual({ monitors: 3, affected: 0, failures: 0, failed: [], next: null });
  expect(loaded).toEqual([`${version}.new`]);
  await rescreen();
  expect(loaded).toHaveLength(2);
  await egress.close();
});
