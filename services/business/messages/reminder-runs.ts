import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { ReminderSettings } from '../../../models/business/messages/reminder-settings';
import { conflictError, notFoundError } from '../../../domain/errors';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { requireEmailSettings } from './email-settings';
import { computeNextRun, getReminderSchedule, notifySchedule } from './reminder-settings';
import { queueReminder, readDueReminders } from './reminders';
import type { InvoiceReminder, ReminderPosition } from './reminders';

async function getCompany(organisationId: string): Promise<CompanyRecord> {
  const company = await Company.findById(organisationId).lean<CompanyRecord>();
  if (company === null) throw notFoundError('company');
  return company;
}

/** Seconds until due reminders are sent next; null while the company sends them only on request. */
export async function findSecondsToNextRun(platform: Platform, organisationId: string): Promise<number | null> {
  const [company, schedule] = await Promise.all([getCompany(organisationId), getReminderSchedule(organisationId)]);
  if (!schedule.automatic || schedule.levels.length === 0) return null;
  const now = platform.clock.now();
  return (computeNextRun(schedule.hour, company.timeZone, now).getTime() - now.getTime()) / 1000;
}

/** Progress of a run, for its workflow. */
export interface ReminderBatch {
  queued: number;
  /** Due, but paused, or without an address. */
  skipped: number;
  /** Where the next batch begins; null at the end. */
  next: ReminderPosition | null;
}

/** Queues the due reminders of a batch of overdue invoices; a repetition queues none twice. */
export async function queueDueReminders(
  platform: Platform,
  organisationId: string,
  after: ReminderPosition | null,
): Promise<ReminderBatch> {
  const [company, schedule] = await Promise.all([getCompany(organisationId), getReminderSchedule(organisationId)]);
  const { due, next } = await readDueReminders(platform, company, schedule, after);
  let [queued, skipped] = [0, 0];
  for (const reminder of due) {
    const outcome = reminder.pausedBy === null ? await queueReminder(platform, company, schedule, reminder) : 'paused';
    if (outcome === 'queued') queued += 1;
    else if (outcome !== 'not_due') skipped += 1;
  }
  return { queued, skipped, next };
}

/** Most reminders in one answer. */
const MAX_LISTED = 1000;

/** The reminders whose day has come, the longest overdue invoice first. */
export async function listDueReminders(
  platform: Platform,
  { company }: BusinessCaller,
): Promise<{ reminders: InvoiceReminder[]; isComplete: boolean }> {
  const schedule = await getReminderSchedule(company._id);
  const reminders: InvoiceReminder[] = [];
  let position: ReminderPosition | null = null;
  do {
    const batch: Awaited<ReturnType<typeof readDueReminders>> = await readDueReminders(
      platform,
      company,
      schedule,
      position,
    );
    reminders.push(...batch.due);
    position = batch.next;
  } while (position !== null && reminders.length < MAX_LISTED);
  return {
    reminders: reminders.slice(0, MAX_LISTED),
    isComplete: position === null && reminders.length <= MAX_LISTED,
  };
}

/**
 * Has the due reminders sent now.
 * @throws AppError 409 `email_not_configured` or `reminders_not_configured`
 */
export async function requestReminders(platform: Platform, caller: BusinessCaller): Promise<void> {
  const { organisationId } = caller;
  await requireEmailSettings(organisationId);
  await runTransaction(platform, async (unit) => {
    // A write of the settings serialises this with changes of the schedule.
    const settings = await ReminderSettings.findOneAndUpdate(
      { _id: organisationId, 'levels.0': { $exists: true } },
      { $set: { updatedAt: platform.clock.now() } },
      { session: unit.mongoSession },
    );
    if (settings === null)
      throw conflictError('reminders_not_configured', 'The reminder schedule has no levels; set them first.', {
        routes: ['PUT /api/config/reminders'],
      });
    await unit.audit(caller, { actor: caller.id, action: 'reminders.requested', subject: organisationId });
    notifySchedule(unit, organisationId, 'remindersRequested');
  });
}
