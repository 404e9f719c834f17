import { screeningResultSchema } from '../../../../api/identity/aml/screening-responses';
import { AmlHit } from '../../../../models/identity/aml/aml-hit';
import { AmlMonitor } from '../../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../../models/identity/aml/aml-screening';
import type { AmlScreeningRecord } from '../../../../models/identity/aml/aml-screening';
import { failScreening } from '../../../../services/identity/aml/completion';
import { call } from '../../../support/client';
import { listEventTypes, parseDocumented } from '../../../support/identity/identity';
import { pollUntilFound } from '../../../support/poll';
import { importOwnList } from '../../../support/identity/watch-lists';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

test('a screening that failed leaves no monitor, and its Idempotency-Key screens again', async () => {
  const own = await createIdentityTenant('Failed screening');
  await importOwnList(own.organisationId, [{ id: 'F1', type: 'person', name: 'Fabian Failing' }]);
  const options = { key: own.identityKey, headers: { 'idempotency-key': 'aml-failed' } };
  const json = { fullName: 'Fabian Failing', monitoring: true };
  const screen = async () =>
    parseDocumented(screeningResultSchema, await call('POST', '/v1/aml/screen', { ...options, json }), 200);
  const listMonitors = async () => (await call('GET', '/v1/aml/monitors', options)).body;
  const { screening } = await screen();
  expect(await listMonitors()).toMatchObject({ total: 1 });
  await AmlScreening.updateOne({ _id: screening.id }, { $set: { status: 'processing' } });
  await failScreening(await getTestPlatform(), screening.id, 'lists_unavailable');

  expect(await listMonitors()).toMatchObject({ total: 0 });
  const failed = await call('GET', `/v1/aml/screenings/${screening.id}`, options);
  expect(failed).toMatchObject({ status: 202, body: { screening: { status: 'failed' } } });
  const repeated = await screen();
  expect(repeated.match).toBe(true);
  expect(repeated.screening.id).not.toBe(screening.id);
  expect(await listEventTypes(repeated.screening.id)).toEqual(['check.completed']);
  expect(await listMonitors()).toMatchObject({ total: 1 });
});

test('a failed screening of a monitor does not end the monitor', async () => {
  const own = await createIdentityTenant('Failed rescreening');
  await importOwnList(own.organisationId, [{ id: 'F2', type: 'person', name: 'Flora Failing' }]);
  const options = { key: own.identityKey };
  await call('POST', '/v1/aml/screen', { ...options, json: { fullName: 'Flora Failing', monitoring: true } });
  const { body } = await call('GET', '/v1/aml/monitors', options);
  const [monitor] = body['monitors'] as { id: string }[];
  const root = await AmlScreening.findOne({ organisationId: own.organisationId }).lean();
  if (root === null || monitor === undefined) throw new Error('The screening or its monitor is missing.');
  const again = {
    ...root,
    _id: `${root._id}again`,
    origin: 'monitor' as const,
    monitorId: monitor.id,
    status: 'processing' as const,
  };
  await AmlScreening.create([again]);
  await failScreening(await getTestPlatform(), again._id, 'lists_unavailable');
  expect((await call('GET', '/v1/aml/monitors', options)).body).toMatchObject({ total: 1 });
});

test('a monitor whose last screening failed is screened with the next version of a list, whatever that changes', async () => {
  const own = await createIdentityTenant('Repeated rescreening');
  const options = { key: own.identityKey };
  const others = ['Otto Other', 'Ottilie Other', 'Oswin Other'];
  const list = (names: readonly string[]) =>
    importOwnList(
      own.organisationId,
      names.map((name) => ({ id: name, type: 'person', name })),
    );
  await list(others.slice(0, 1));
  const subject = { fullName: 'Ferdinand Failing', monitoring: true };
  const { body } = await call('POST', '/v1/aml/screen', { ...options, json: subject });
  const { screening: root } = screeningResultSchema.parse(body);
  const waitForRescreening = (count: number) =>
    pollUntilFound(async () => {
      const filter = { organisationId: own.organisationId, origin: 'monitor', status: 'completed' } as const;
      const found = await AmlScreening.find(filter).sort({ _id: -1 }).lean<AmlScreeningRecord[]>();
      return found.length === count ? found[0] : undefined;
    });

  await list([...others.slice(0, 2), subject.fullName]);
  const missed = await waitForRescreening(1);
  // As it would be if all of its attempts had failed.
  await AmlScreening.updateOne({ _id: missed._id }, { $set: { status: 'failed' } });
  await AmlHit.deleteMany({ screeningId: missed._id });
  await AmlMonitor.updateOne({ recordId: root.id }, { $set: { lastScreeningId: root.id } });

  await list([...others, subject.fullName]);
  expect((await waitForRescreening(1)).match).toBe(true);
  expect((await listEventTypes(root.id)).filter((type) => type === 'aml.alert')).toHaveLength(2);
});
