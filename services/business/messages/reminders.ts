import { toCalendarDate } from '../../../domain/business/calendar';
import type { Decimal } from '../../../domain/business/decimal';
import { UNDELIVERED } from '../../../domain/business/messages/message';
import { findNextReminder } from '../../../domain/business/messages/reminder-rules';
import type { NextReminder, SentReminder } from '../../../domain/business/messages/reminder-rules';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord } from '../../../models/business/messages/message';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { getIssuedContent } from '../documents/issued-documents';
import { findOpenItem } from '../payments/open-items';
import { computeToday } from '../settings/company';
import { composeAboutDocument } from './compose';
import { findEmailSettings } from './email-settings';
import { getTemplate } from './email-templates';
import { buildLinkUrl, DEFAULT_LINK_DAYS, insertLink } from './invoice-links';
import { listSingleRecipient, queueMessage } from './messages';
import { findRecipient } from './recipient-addresses';
import { findHeldReminders } from './reminder-obstacles';
import type { HeldReminder } from './reminder-obstacles';
import type { ReminderSchedule } from './reminder-settings';

/** An open invoice that the schedule knows a next reminder for. */
export interface InvoiceReminder extends NextReminder, HeldReminder {
  invoiceId: number;
  number: string;
  customerId: number;
  customerName: string;
  currencyCode: string;
  open: Decimal;
  dueDate: string;
}

/** Position in the list of open invoices, by due date and id. */
export interface ReminderPosition {
  dueDate: string;
  invoiceId: number;
}

type Item = Pick<
  OpenItemRecord,
  'id' | 'number' | 'partyId' | 'partyName' | 'currencyCode' | 'open' | 'openBase' | 'dueDate'
>;

/** Open invoices that were due before a day, the longest overdue first. */
const readOverdueItems = (
  organisationId: string,
  before: string,
  after: ReminderPosition | null,
  limit: number,
): Promise<Item[]> =>
  OpenItem.find({
    organisationId,
    side: 'receivable',
    kind: 'invoice',
    state: 'open',
    dueDate: { $lt: before },
    ...(after === null
      ? {}
      : { $or: [{ dueDate: { $gt: after.dueDate } }, { dueDate: after.dueDate, id: { $gt: after.invoiceId } }] }),
  })
    .sort({ dueDate: 1, id: 1 })
    .limit(limit)
    .lean<Item[]>()
    .exec();

/** Statuses of messages that no recipient got, so that the next run sends their level. */
const UNSENT_STATUSES = [...UNDELIVERED, 'cancelled'] as const;

/**
 * The reminders of invoices that were sent or wait, by invoice. One that failed or bounced does not
 * count: the next run sends its level.
 */
export async function findSentReminders(
  { _id: organisationId, timeZone }: CompanyRecord,
  invoiceIds: readonly number[],
): Promise<Map<number, SentReminder[]>> {
  const messages = await Message.find(
    {
      organisationId,
      documentKind: 'invoice',
      documentId: { $in: [...invoiceIds] },
      kind: 'reminder',
      status: { $nin: UNSENT_STATUSES },
    },
    { documentId: 1, level: 1, createdAt: 1 },
  ).lean<Pick<MessageRecord, 'documentId' | 'level' | 'createdAt'>[]>();
  const sent = new Map<number, SentReminder[]>();
  for (const { documentId, level, createdAt } of messages) {
    if (documentId === null || level === null) continue;
    sent.set(documentId, [...(sent.get(documentId) ?? []), { level, day: toCalendarDate(createdAt, timeZone) }]);
  }
  return sent;
}

/** Invoices that are read at once. */
const BATCH_SIZE = 200;

/**
 * Reads overdue invoices with their next reminder, from a position on.
 * @returns those with a reminder whose day has come, also if something holds it back, and the next position; null at the
 * end
 */
export async function readDueReminders(
  platform: Platform,
  company: CompanyRecord,
  schedule: ReminderSchedule,
  after: ReminderPosition | null,
): Promise<{ due: InvoiceReminder[]; next: ReminderPosition | null }> {
  const organisationId = company._id;
  const today = computeToday(company, platform.clock.now());
  const items = await readOverdueItems(organisationId, today, after, BATCH_SIZE);
  const invoiceIds = items.map(({ id }) => id);
  const sent = await findSentReminders(company, invoiceIds);
  const due = items
    .filter(({ openBase }) => fromDecimal128(openBase).gte(schedule.minimumOpenAmount))
    .flatMap((item) => {
      const reminder = findNextReminder(schedule.levels, item.dueDate, sent.get(item.id) ?? []);
      if (reminder === null || reminder.day > today) return [];
      return [
        {
          ...reminder,
          invoiceId: item.id,
          number: item.number,
          customerId: item.partyId,
          customerName: item.partyName,
          currencyCode: item.currencyCode,
          open: fromDecimal128(item.open),
          dueDate: item.dueDate,
        },
      ];
    });
  const findHeld = await findHeldReminders(organisationId, due, today);
  const last = items.at(-1);
  const next = last === undefined || items.length < BATCH_SIZE ? null : { dueDate: last.dueDate, invoiceId: last.id };
  return { due: due.map((each) => ({ ...each, ...findHeld(each) })), next };
}

/** What became of a due reminder. */
export type ReminderOutcome = 'queued' | 'no_address' | 'not_due';

/**
 * Queues a reminder, unless it has been queued, or nothing is open any more: both are decided in the transaction that
 * queues it.
 */
export async function queueReminder(
  platform: Platform,
  company: CompanyRecord,
  schedule: ReminderSchedule,
  reminder: InvoiceReminder,
): Promise<ReminderOutcome> {
  const organisationId = company._id;
  const { invoiceId, level } = reminder;
  const { content: document } = await getIssuedContent({ organisationId, kind: 'invoice', id: invoiceId });
  const [to, settings] = await Promise.all([
    findRecipient(organisationId, document),
    findEmailSettings(organisationId),
  ]);
  if (to === null || settings === null) return 'no_address';
  const { language } = document;
  const template = await getTemplate(organisationId, 'reminder', language);
  const rule = schedule.levels[level - 1];
  // The fee is in base currency; a document in another currency states none.
  const fee = document.currencyCode === company.baseCurrencyCode ? (rule?.fee ?? null) : null;
  const today = computeToday(company, platform.clock.now());
  const facts = { level, fee, interestText: rule?.interestText[language] ?? null, today };
  try {
    return await runTransaction(platform, async (unit) => {
      const item = await findOpenItem(unit, { organisationId, side: 'receivable', kind: 'invoice', id: invoiceId });
      if (item?.state !== 'open') return 'not_due';
      const reminderKey = `${invoiceId}.${level}`;
      // A reminder of the level that was not sent cannot be retried any more.
      await Message.updateMany(
        { organisationId, reminderKey, status: { $in: UNSENT_STATUSES } },
        { $unset: { reminderKey: 1 } },
        { session: unit.mongoSession },
      );
      const linkInput = { organisationId, invoiceId, createdBy: 'system', days: DEFAULT_LINK_DAYS };
      const link = buildLinkUrl(platform, await insertLink(unit, linkInput));
      const openAmount = fromDecimal128(item.open).toFixed();
      const content = composeAboutDocument(template, { document, openAmount, link, reminder: facts });
      await queueMessage(unit, {
        organisationId,
        kind: 'reminder',
        documentKind: 'invoice',
        documentId: invoiceId,
        customerId: document.buyer.customerId,
        level,
        reminderKey,
        openAmount: item.open,
        language,
        recipients: listSingleRecipient(to),
        ...content,
        formats: ['pdf'],
        createdBy: 'system',
      });
      return 'queued';
    });
  } catch (error) {
    if (isDuplicateKeyError(error)) return 'not_due';
    throw error;
  }
}
