import { rescreenMonitors } from '../../../../activities/screening/rescreening';
import type { RescreeningPage } from '../../../../activities/screening/rescreening';
import { AmlList } from '../../../../models/identity/aml/aml-list';
import { AmlListVersion } from '../../../../models/identity/aml/aml-list-version';
import { AmlMonitor } from '../../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../../models/identity/aml/aml-screening';
import { diagnoseLists } from '../../../../services/identity/diagnosis/lists';
import { HOUR_MS } from '../../../../domain/durations';
import { listEventTypes } from '../../../support/identity/identity';
import { parseScreening, postScreening } from '../../../support/identity/screenings';
import { importOwnList } from '../../../support/identity/watch-lists';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

const UNRELATED = { id: 'U1', type: 'person', name: 'Unrelated Person' };
const NAMES = ['Berta Broken', 'Clara Complete', 'Dora Done'];

let tenant: IdentityTenant;
let recordIds: string[];
let monitorIds: string[];
let versionId: string;

beforeAll(async () => {
  tenant = await createIdentityTenant('Broken monitors');
  await importOwnList(tenant.organisationId, [UNRELATED]);
  recordIds = [];
  for (const fullName of NAMES) {
    const response = await postScreening({ fullName, monitoring: true }, { key: tenant.identityKey });
    recordIds.push(parseScreening(response).screening.id);
  }
  const monitors = await AmlMonitor.find({ recordId: { $in: recordIds } })
    .sort({ _id: 1 })
    .lean();
  monitorIds = monitors.map(({ _id }) => _id);
});
afterAll(closeTestPlatform);

/** Compares monitored subjects with the version as a worker does whose time is over after the first. */
async function rescreenOne(after: string | null, only: string[] | null = null): Promise<RescreeningPage> {
  const engine = {
    search: (lists: readonly unknown[]) => Promise.resolve(lists.map(() => [])),
    hold: () => () => undefined,
    retain: () => undefined,
    close: () => Promise.resolve(),
  };
  return rescreenMonitors(await getTestPlatform(), engine, versionId, { after, only }, () => true);
}

test('an altered subject does not keep later ones from being screened for a new version of a list', async () => {
  const [broken = '', ...others] = recordIds;
  // Sealed with the key of another record, it cannot be decrypted.
  const { sealedQuery } = await AmlScreening.findById(others[0]).orFail().lean();
  await AmlScreening.updateOne({ _id: broken }, { $set: { sealedQuery } });
  const listed = NAMES.map((name) => ({ id: name, type: 'person', name }));
  versionId = (await importOwnList(tenant.organisationId, [UNRELATED, ...listed])).version ?? '';
  for (const id of others) {
    await pollUntilFound(async () => ((await listEventTypes(id)).includes('aml.alert') ? true : undefined));
  }
  expect(await listEventTypes(broken)).not.toContain('aml.alert');
});

test('a version that was not compared with every subject is reported by the diagnosis', async () => {
  const importedAt = new Date(Date.now() - 3 * HOUR_MS);
  await AmlList.updateOne({ currentVersion: versionId }, { $set: { importedAt } });
  expect((await AmlListVersion.findById(versionId).orFail().lean()).impact).toBeNull();
  const problems = await diagnoseLists(await getTestPlatform());
  const problem = problems.find(({ summary }) => summary.startsWith('Monitored subjects were not screened again'));
  expect(problem?.examples.join()).toContain(versionId);
});

test('monitored subjects are compared in parts that continue one another, or a few again', async () => {
  const [first = '', second = '', third = ''] = monitorIds;
  const done = { monitors: 1, affected: 1, failures: 0, failed: [] };
  expect(await rescreenOne(null)).toEqual({
    ...done,
    monitors: 0,
    affected: 0,
    failures: 1,
    failed: [first],
    next: first,
  });
  expect(await rescreenOne(first)).toEqual({ ...done, next: second });
  expect(await rescreenOne(null, [third])).toEqual({ ...done, next: third });
  expect(await rescreenOne(third)).toEqual({ ...done, monitors: 0, affected: 0, next: null });
});
