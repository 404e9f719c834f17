import { ScheduleOverlapPolicy } from '@temporalio/client';
import { getTestPlatform } from './tenant';

/** Runs a Schedule once; a run of it that is in progress, which may not see the records of the test, ends first. */
export async function triggerSchedule(scheduleId: string): Promise<void> {
  const { temporal } = await getTestPlatform();
  await temporal.schedule.getHandle(scheduleId).trigger(ScheduleOverlapPolicy.BUFFER_ONE);
}
