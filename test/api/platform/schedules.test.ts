import { randomUUID } from 'node:crypto';
import { ensureTemporal } from '../../../lib/temporal';
import { QUEUES } from '../../../workflows/contracts';
import { closeTestPlatform, getTestPlatform } from '../../support/tenant';

afterAll(closeTestPlatform);

test('a Schedule whose interval differs is updated at the next start, and stays paused if an operator paused it', async () => {
  const { temporal, config, logger } = await getTestPlatform();
  const scheduleId = `schedule-${randomUUID()}`;
  const schedule = { scheduleId, workflowType: 'sealAudit', taskQueue: QUEUES.orchestration };
  const ensure = (everySeconds: number) =>
    ensureTemporal(temporal, config.TEMPORAL_NAMESPACE, [{ ...schedule, everySeconds }], logger);
  await ensure(86_400);
  const handle = temporal.schedule.getHandle(scheduleId);
  try {
    await handle.pause('Maintenance');
    await ensure(43_200);
    const updated = await handle.describe();
    expect(updated.spec.intervals?.map(({ every }) => every)).toEqual([43_200_000]);
    expect(updated.state).toMatchObject({ paused: true, note: 'Maintenance' });
    await ensure(43_200);
    expect((await handle.describe()).info.lastUpdatedAt).toEqual(updated.info.lastUpdatedAt);
  } finally {
    await handle.delete();
  }
});
