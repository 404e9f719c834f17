import { getDayBounds, toCalendarDate, addDays } from '../../../domain/business/calendar';
import { Decimal, ZERO } from '../../../domain/business/decimal';
import type { ReminderLevel } from '../../../domain/business/messages/reminder-rules';
import { HOUR_MS } from '../../../domain/durations';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { ReminderSettings } from '../../../models/business/messages/reminder-settings';
import type { ReminderSettingsRecord } from '../../../models/business/messages/reminder-settings';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { requireVersion } from '../../platform/transactions/versions';

/** The reminder schedule of a company. */
export interface ReminderSchedule {
  automatic: boolean;
  hour: number;
  minimumOpenAmount: Decimal;
  levels: ReminderLevel[];
  version: number;
}

/** A company that has set nothing sends no reminders. */
const NO_SCHEDULE: ReminderSchedule = { automatic: false, hour: 8, minimumOpenAmount: ZERO, levels: [], version: 0 };

const toSchedule = (record: ReminderSettingsRecord | null): ReminderSchedule =>
  record === null
    ? NO_SCHEDULE
    : {
        automatic: record.automatic,
        hour: record.hour,
        minimumOpenAmount: fromDecimal128(record.minimumOpenAmount),
        levels: record.levels.map(({ daysAfterDue, fee, interestText }) => ({
          daysAfterDue,
          fee: fee === null ? null : fromDecimal128(fee).toFixed(),
          interestText,
        })),
        version: record.version,
      };

/** The reminder schedule of a company; one without levels if it has set none. */
export const getReminderSchedule = async (organisationId: string): Promise<ReminderSchedule> =>
  toSchedule(await ReminderSettings.findById(organisationId).lean<ReminderSettingsRecord>());

/** Has the workflow of the schedule read it again, in the transaction that changed it. */
export function wakeSchedule(unit: UnitOfWork, organisationId: string): void {
  unit.wake(organisationId, {
    workflow: 'reminderSchedule',
    workflowId: workflowIds.reminderSchedule(organisationId),
    argument: { organisationId },
    summary: 'reminders',
  });
}

/** Plans the next run of the schedule again, in the transaction that changes the time zone of the company. */
export async function rescheduleReminders(unit: UnitOfWork, organisationId: string): Promise<void> {
  const filter = { _id: organisationId, automatic: true };
  const isAutomatic = (await ReminderSettings.exists(filter).session(unit.mongoSession)) !== null;
  if (isAutomatic) wakeSchedule(unit, organisationId);
}

/**
 * Replaces the schedule. Reminders that are queued are sent; further ones follow the new schedule.
 * @throws AppError 412 if it has changed since
 */
export async function setReminderSchedule(
  platform: Platform,
  caller: BusinessCaller,
  input: Omit<ReminderSchedule, 'version'>,
  ifMatch: number | undefined,
): Promise<ReminderSchedule> {
  const { organisationId } = caller;
  return runTransaction(platform, async (unit) => {
    const session = unit.mongoSession;
    const current = await ReminderSettings.findById(organisationId).session(session).lean<ReminderSettingsRecord>();
    requireVersion(current?.version ?? 0, ifMatch);
    const record: ReminderSettingsRecord = {
      _id: organisationId,
      automatic: input.automatic,
      hour: input.hour,
      minimumOpenAmount: toDecimal128(input.minimumOpenAmount),
      levels: input.levels.map((level) => ({
        ...level,
        fee: level.fee === null ? null : toDecimal128(new Decimal(level.fee)),
      })),
      requestedAt: current?.requestedAt ?? null,
      version: (current?.version ?? 0) + 1,
      updatedAt: platform.clock.now(),
    };
    await ReminderSettings.replaceOne({ _id: organisationId }, record, { upsert: true, session });
    await unit.audit(caller, {
      actor: caller.id,
      action: 'reminder_settings.updated',
      subject: organisationId,
      fields: ['automatic', 'hour', 'minimumOpenAmount', 'levels'],
    });
    if (record.automatic || current?.automatic === true) wakeSchedule(unit, organisationId);
    return toSchedule(record);
  });
}

/**
 * The next time at which due reminders are sent: the hour of the schedule today or, if that has passed, tomorrow. On a day
 * on which clocks change, up to an hour earlier or later.
 */
export function computeNextRun(hour: number, timeZone: string, now: Date): Date {
  const today = toCalendarDate(now, timeZone);
  const at = (day: string): Date => new Date(getDayBounds(day, timeZone).from.getTime() + hour * HOUR_MS);
  const next = at(today);
  return next > now ? next : at(addDays(today, 1));
}
