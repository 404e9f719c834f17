import { MATCH_THRESHOLD } from '../../../domain/identity/aml/thresholds';
import type { KybScreening, PartyScreening, PartySubject } from '../../../domain/identity/kyb/screening';
import { isId } from '../../../lib/ids';
import type { AmlMonitorRecord } from '../../../models/identity/aml/aml-monitor';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import type { KybCheckRecord } from '../../../models/identity/kyb/kyb-check';
import { createMonitor } from '../aml/new-monitor';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { toScope } from '../../platform/platform';

/** Whether a monitor watches a party of a business check rather than the subject of a screening. */
export const isPartyMonitor = ({ recordId }: Pick<AmlMonitorRecord, 'recordId'>): boolean => isId('kyb', recordId);

const updateParties = (
  unit: UnitOfWork,
  check: KybCheckRecord,
  screening: KybScreening | null,
  parties: PartyScreening[],
) =>
  KybCheck.updateOne(
    { _id: check._id, ...toScope(check), deletedAt: null },
    {
      $set: {
        monitored: parties.some(({ monitorId = null }) => monitorId !== null),
        ...(screening === null ? {} : { screening: { ...screening, parties } }),
      },
    },
    { session: unit.mongoSession },
  );

/**
 * Starts monitoring every screened party of a check that requested it, in the transaction that completes the check. A
 * check without a company, or whose company could not be screened, has no party to monitor.
 */
export async function startMonitoring(unit: UnitOfWork, check: KybCheckRecord, screenedAt: Date): Promise<void> {
  if (check.monitored !== true) return;
  const screening = check.screening?.status === 'completed' ? check.screening : null;
  const parties: PartyScreening[] = [];
  for (const party of screening?.parties ?? []) {
    const monitor = { recordId: check._id, threshold: MATCH_THRESHOLD, lists: null, createdBy: check.createdBy };
    const monitorId = party.subject === undefined ? null : await createMonitor(unit, check, { ...monitor, screenedAt });
    parties.push({ ...party, monitorId });
  }
  await updateParties(unit, check, screening, parties);
}

/** Records that a party is no longer monitored. */
export async function endPartyMonitoring(unit: UnitOfWork, monitor: AmlMonitorRecord): Promise<void> {
  const check = await KybCheck.findOne({ _id: monitor.recordId, ...toScope(monitor), deletedAt: null })
    .session(unit.mongoSession)
    .lean<KybCheckRecord>();
  if (check?.screening?.status !== 'completed') return;
  const parties = check.screening.parties.map((party) =>
    party.monitorId === monitor._id ? { ...party, monitorId: null } : party,
  );
  await updateParties(unit, check, check.screening, parties);
}

/** The party that a monitor watches; null once its check is deleted. */
export async function findMonitoredParty(monitor: AmlMonitorRecord): Promise<PartySubject | null> {
  const filter = { _id: monitor.recordId, ...toScope(monitor), deletedAt: null };
  const check = await KybCheck.findOne(filter).lean<KybCheckRecord>();
  if (check?.screening?.status !== 'completed') return null;
  return check.screening.parties.find(({ monitorId }) => monitorId === monitor._id)?.subject ?? null;
}
