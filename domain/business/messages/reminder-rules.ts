import { addDays } from '../calendar';
import type { DocumentLanguage } from '../invoices/invoice';

/** Most levels of a schedule. */
export const MAX_REMINDER_LEVELS = 5;

/** One level of a reminder schedule. */
export interface ReminderLevel {
  /** Days after the due date, more than the level before. */
  daysAfterDue: number;
  /** In the base currency, a decimal; null: none. It is stated in the message and not posted. */
  fee: string | null;
  /** What the message says about interest, by language. */
  interestText: Partial<Record<DocumentLanguage, string>>;
}

/** A reminder that was sent, or waits to be sent. */
export interface SentReminder {
  level: number;
  /** Day on which it was queued, `YYYY-MM-DD`. */
  day: string;
}

export interface NextReminder {
  /** From 1. */
  level: number;
  /** First day on which it is sent, `YYYY-MM-DD`. */
  day: string;
}

/**
 * The next reminder of an invoice: each level once, in order. The customer has the days between two levels after every
 * reminder, also if an earlier one was sent late because of a pause or because the schedule was introduced later.
 * @returns null after the last level
 */
export function findNextReminder(
  levels: readonly ReminderLevel[],
  dueDate: string,
  sent: readonly SentReminder[],
): NextReminder | null {
  const last = sent.reduce<SentReminder | null>((a, b) => (a === null || b.level > a.level ? b : a), null);
  const level = (last?.level ?? 0) + 1;
  const next = levels[level - 1];
  if (next === undefined) return null;
  const scheduled = addDays(dueDate, next.daysAfterDue);
  const before = levels[level - 2];
  if (last === null || before === undefined) return { level, day: scheduled };
  const afterLast = addDays(last.day, next.daysAfterDue - before.daysAfterDue);
  return { level, day: afterLast > scheduled ? afterLast : scheduled };
}

/** Why a reminder is not sent although its day has come. */
export const REMINDER_OBSTACLES = [
  'reminders_paused',
  'credit_available',
  'email_not_configured',
  'no_email_address',
  'address_refused',
] as const;
export type ReminderObstacle = (typeof REMINDER_OBSTACLES)[number];

/** Whether a pause holds back reminders on a day. @param until last day of the pause; null: without an end */
export const isPausedOn = (pause: { until: string | null }, day: string): boolean =>
  pause.until === null || day <= pause.until;
