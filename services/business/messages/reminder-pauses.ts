import { isPausedOn } from '../../../domain/business/messages/reminder-rules';
import { ReminderPause } from '../../../models/business/messages/reminder-settings';
import type { PausedKind, ReminderPauseRecord } from '../../../models/business/messages/reminder-settings';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { getIssuedInvoice } from '../invoices/invoice-lists';
import { requireParty } from '../payments/accounts';
import { getCompanyToday } from '../settings/company';

export interface PauseSubject {
  kind: PausedKind;
  id: number;
}

/** @throws AppError 404; 409 for a draft */
async function requireSubject(caller: BusinessCaller, { kind, id }: PauseSubject): Promise<void> {
  if (kind === 'invoice') await getIssuedInvoice(caller, id);
  else await requireParty(caller, 'receivable', id);
}

const buildFilter = (organisationId: string, { kind, id }: PauseSubject) => ({ organisationId, kind, subjectId: id });

/** The pause of an invoice or customer; null without one, and once its last day is over. @throws AppError 404; 409 for a draft */
export async function getReminderPause(
  platform: Platform,
  caller: BusinessCaller,
  subject: PauseSubject,
): Promise<ReminderPauseRecord | null> {
  await requireSubject(caller, subject);
  const pause = await ReminderPause.findOne(buildFilter(caller.organisationId, subject)).lean<ReminderPauseRecord>();
  return pause !== null && isPausedOn(pause, getCompanyToday(platform, caller)) ? pause : null;
}

/** Pauses the reminders of an invoice or of all invoices of a customer; replaces an earlier pause. @throws AppError 404 */
export async function pauseReminders(
  platform: Platform,
  caller: BusinessCaller,
  subject: PauseSubject,
  { until, reason }: { until: string | null; reason: string | null },
): Promise<ReminderPauseRecord> {
  const { organisationId } = caller;
  await requireSubject(caller, subject);
  const filter = buildFilter(organisationId, subject);
  const record = { ...filter, until, reason, createdBy: caller.id, createdAt: platform.clock.now() };
  await runTransaction(platform, async (unit) => {
    await ReminderPause.replaceOne(filter, record, { upsert: true, session: unit.mongoSession });
    await unit.audit(caller, {
      actor: caller.id,
      action: 'reminders.paused',
      subject: `${subject.kind}:${subject.id}`,
      fields: ['until'],
    });
  });
  return record;
}

/** Ends a pause; without one it has no effect. @throws AppError 404 */
export async function resumeReminders(
  platform: Platform,
  caller: BusinessCaller,
  subject: PauseSubject,
): Promise<void> {
  await requireSubject(caller, subject);
  await runTransaction(platform, async (unit) => {
    const filter = buildFilter(caller.organisationId, subject);
    const removed = await ReminderPause.deleteOne(filter, { session: unit.mongoSession });
    if (removed.deletedCount === 0) return;
    const action = 'reminders.resumed';
    await unit.audit(caller, { actor: caller.id, action, subject: `${subject.kind}:${subject.id}` });
  });
}

/** Which of the invoices and customers are paused on a day. */
export async function findPauses(
  organisationId: string,
  subjects: { invoiceIds: readonly number[]; customerIds: readonly number[] },
  day: string,
  unit?: UnitOfWork,
): Promise<(invoiceId: number, customerId: number) => PausedKind | null> {
  const found = await ReminderPause.find({
    organisationId,
    $or: [
      { kind: 'invoice', subjectId: { $in: [...subjects.invoiceIds] } },
      { kind: 'customer', subjectId: { $in: [...subjects.customerIds] } },
    ],
  })
    .session(unit?.mongoSession ?? null)
    .lean<ReminderPauseRecord[]>();
  const active = new Set(
    found.filter((pause) => isPausedOn(pause, day)).map((each) => `${each.kind}:${each.subjectId}`),
  );
  return (invoiceId, customerId) =>
    active.has(`invoice:${invoiceId}`) ? 'invoice' : active.has(`customer:${customerId}`) ? 'customer' : null;
}
