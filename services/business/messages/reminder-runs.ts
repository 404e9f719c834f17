import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { ReminderSettings } from '../../../models/business/messages/reminder-settings';
import type { ReminderSettingsRecord } from '../../../models/business/messages/reminder-settings';
import { conflictError, notFoundError } from '../../../domain/errors';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform } from '../../platform/platform';
import { forgetReader } from '../../platform/transactions/backlog-readers';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { requireEmailSettings } from './email-settings';
import { computeNextRun, getReminderSchedule, wakeSchedule } from './reminder-settings';
import { queueReminder, readDueReminders } from './reminders';
import type { InvoiceReminder, ReminderPosition } from './reminders';

async function getCompany(organisationId: string): Promise<CompanyRecord> {
  const company = await Company.findById(organisationId).lean<CompanyRecord>();
  if (company === null) throw notFoundError('company');
  return company;
}

/** When due reminders are sent next. */
export interface ReminderPlan {
  /** 0 for now; null while the company sends them only on request. */
  seconds: number | null;
  /** The request for which they are sent now, ISO 8601; null without one. */
  requestedAt: string | null;
}

/**
 * Finds when due reminders are sent next. What is committed from now on wakes the workflow again, and what was committed
 * before is read here, so that no request is missed.
 */
export async function planReminders(platform: Platform, organisationId: string): Promise<ReminderPlan> {
  await forgetReader(workflowIds.reminderSchedule(organisationId));
  const [company, settings] = await Promise.all([
    getCompany(organisationId),
    ReminderSettings.findById(organisationId).lean<ReminderSettingsRecord>(),
  ]);
  if (settings?.requestedAt instanceof Date) return { seconds: 0, requestedAt: settings.requestedAt.toISOString() };
  if (settings?.automatic !== true || settings.levels.length === 0) return { seconds: null, requestedAt: null };
  const now = platform.clock.now();
  const nextRun = computeNextRun(settings.hour, company.timeZone, now);
  return { seconds: (nextRun.getTime() - now.getTime()) / 1000, requestedAt: null };
}

/** Notes that the reminders of a request were queued. A later request stays pending. */
export async function finishRequest(organisationId: string, requestedAt: string): Promise<void> {
  await ReminderSettings.updateOne(
    { _id: organisationId, requestedAt: new Date(requestedAt) },
    { $set: { requestedAt: null } },
  );
}

/** Progress of a run, for its workflow. */
export interface ReminderBatch {
  queued: number;
  /** Due, but held back. */
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
    const outcome =
      reminder.obstacle === null ? await queueReminder(platform, company, schedule, reminder) : 'held_back';
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
    const settings = await ReminderSettings.findOneAndUpdate(
      { _id: organisationId, 'levels.0': { $exists: true } },
      { $set: { requestedAt: platform.clock.now() } },
      { session: unit.mongoSession },
    );
    if (settings === null)
      throw conflictError('reminders_not_configured', 'The reminder schedule has no levels; set them first.', {
        routes: ['PUT /api/config/reminders'],
      });
    await unit.audit(caller, { actor: caller.id, action: 'reminders.requested', subject: organisationId });
    wakeSchedule(unit, organisationId);
  });
}
