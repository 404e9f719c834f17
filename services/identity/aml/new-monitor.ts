import { newId } from '../../../lib/ids';
import { AmlMonitor } from '../../../models/identity/aml/aml-monitor';
import type { AmlMonitorRecord } from '../../../models/identity/aml/aml-monitor';
import { toScope } from '../../platform/platform';
import type { Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** A subject to monitor: `recordId` is the screening or business check that screened it first. */
export type NewMonitor = Pick<AmlMonitorRecord, 'recordId' | 'threshold' | 'lists' | 'createdBy'> & {
  screenedAt: Date;
};

/** Starts monitoring a subject. @returns the id of the monitor */
export async function createMonitor(
  unit: UnitOfWork,
  scope: Scope,
  { screenedAt, ...monitored }: NewMonitor,
): Promise<string> {
  const monitor: AmlMonitorRecord = {
    _id: newId('mon'),
    ...toScope(scope),
    ...monitored,
    lastScreeningId: monitored.recordId,
    lastScreenedAt: screenedAt,
    alerts: 0,
    createdAt: screenedAt,
    deletedAt: null,
  };
  await AmlMonitor.create([monitor], { session: unit.mongoSession });
  await unit.audit(scope, { actor: monitor.createdBy, action: 'aml_monitor.created', subject: monitor._id });
  return monitor._id;
}
