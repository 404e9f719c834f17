import { toCalendarDate } from '../../../domain/business/calendar';
import type { Decimal } from '../../../domain/business/decimal';
import { findNextReminder } from '../../../domain/business/messages/reminder-rules';
import type { NextReminder, SentReminder } from '../../../domain/business/messages/reminder-rules';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord } from '../../../models/business/messages/message';
import type { PausedKind } from '../../../models/business/messages/reminder-settings';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { readIssuedDocument } from '../documents/issued-documents';
import { findOpenItem } from '../payments/open-items';
import { computeToday } from '../settings/company';
import { composeAboutDocument } from './compose';
import { findEmailSettings } from './email-settings';
import { getTemplate } from './email-templates';
import { buildLinkUrl, DEFAULT_LINK_DAYS, insertLink } from './invoice-links';
import { findRecipient, listSingleRecipient, queueMessage } from './messages';
import { findPauses } from './reminder-pauses';
import type { ReminderSchedule } from './reminder-settings';

/** An open invoice that the schedule knows a next reminder for. */
export interface InvoiceReminder extends NextReminder {
  invoiceId: number;
  number: string;
  customerId: number;
  customerName: string;
  currencyCode: string;
  open: Decimal;
  dueDate: string;
  /** Why it is not sent although its day has come; null if nothing holds it back. */
  pausedBy: PausedKind | null;
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

/** The reminders of invoices that were sent or wait, by invoice. */
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
      status: { $ne: 'cancelled' },
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
 * @returns those with a reminder whose day has come, also if they are paused, and the next position; null at the end
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
  const [sent, pausedBy] = await Promise.all([
    findSentReminders(company, invoiceIds),
    findPauses(organisationId, { invoiceIds, customerIds: items.map(({ partyId }) => partyId) }, today),
  ]);
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
          pausedBy: pausedBy(item.id, item.partyId),
        },
      ];
    });
  const last = items.at(-1);
  const next = last === undefined || items.length < BATCH_SIZE ? null : { dueDate: last.dueDate, invoiceId: last.id };
  return { due, next };
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
  const document = await readIssuedDocument({ organisationId, kind: 'invoice', id: invoiceId });
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
        reminderKey: `${invoiceId}.${level}`,
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

/**
 * Whether a reminder must not be sent any more, asked right before its transmission: money may have arrived, or a pause may
 * have been set, since it was queued.
 */
export async function findReminderObstacle(
  platform: Platform,
  company: CompanyRecord,
  { documentId, customerId, openAmount }: Pick<MessageRecord, 'documentId' | 'customerId' | 'openAmount'>,
): Promise<'invoice_settled' | 'open_amount_changed' | 'reminders_paused' | null> {
  const organisationId = company._id;
  if (documentId === null || customerId === null) return null;
  const own = { organisationId, side: 'receivable', kind: 'invoice', id: documentId, state: 'open' } as const;
  const item = await OpenItem.findOne(own, { open: 1 }).lean<Pick<OpenItemRecord, 'open'>>();
  if (item === null) return 'invoice_settled';
  if (openAmount !== undefined && !fromDecimal128(openAmount).eq(fromDecimal128(item.open)))
    return 'open_amount_changed';
  const today = computeToday(company, platform.clock.now());
  const pausedBy = await findPauses(organisationId, { invoiceIds: [documentId], customerIds: [customerId] }, today);
  return pausedBy(documentId, customerId) === null ? null : 'reminders_paused';
}
