import { isAddressRefused } from '../../../domain/business/messages/refusals';
import type { Refusal } from '../../../domain/business/messages/refusals';
import type { ReminderObstacle } from '../../../domain/business/messages/reminder-rules';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord } from '../../../models/business/messages/message';
import type { PausedKind } from '../../../models/business/messages/reminder-settings';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { computeToday } from '../settings/company';
import { findEmailSettings } from './email-settings';
import { findInvoiceRecipients } from './recipient-addresses';
import { findCoveredInvoices } from './reminder-credits';
import { findPauses } from './reminder-pauses';

/** What holds back a reminder whose day has come. */
export interface HeldReminder {
  pausedBy: PausedKind | null;
  /** Why it is not sent; null if nothing holds it back. */
  obstacle: ReminderObstacle | null;
}

interface RemindedInvoice {
  invoiceId: number;
  customerId: number;
  level: number;
}

type UndeliveredMessage = Pick<
  MessageRecord,
  'documentId' | 'level' | 'to' | 'status' | 'recipients' | 'attempts' | 'reports'
>;

/** What a server said about a reminder, which has one recipient, when it refused or returned it. */
function readRefusal({ status, recipients, attempts, reports }: UndeliveredMessage): Refusal {
  if (status !== 'bounced') return recipients?.[0] ?? attempts.at(-1) ?? { replyCode: null, enhancedCode: null };
  const report = reports.findLast(({ action }) => action === 'failed');
  return { replyCode: null, enhancedCode: report?.status ?? null };
}

/**
 * The invoices whose reminder of this level was refused because of its present address, or returned: the next one would be,
 * too. One that was refused for another reason, such as its content, is sent by the next run.
 */
async function findRefused(
  organisationId: string,
  reminded: readonly RemindedInvoice[],
  addresses: ReadonlyMap<number, string | null>,
): Promise<ReadonlySet<number>> {
  const documentId = { $in: reminded.map(({ invoiceId }) => invoiceId) };
  const messages = await Message.find(
    {
      organisationId,
      documentKind: 'invoice',
      documentId,
      kind: 'reminder',
      $or: [{ status: 'failed', reason: 'rejected' }, { status: 'bounced' }],
    },
    { documentId: 1, level: 1, to: 1, status: 1, recipients: 1, attempts: 1, reports: 1 },
  ).lean<UndeliveredMessage[]>();
  const toKey = (invoiceId: number | null, level: number | null, address: string): string =>
    `${invoiceId}.${level}.${address}`;
  const refused = new Set(
    messages
      .filter((message) => isAddressRefused(readRefusal(message)))
      .map(({ documentId: id, level, to }) => toKey(id, level, to ?? '')),
  );
  return new Set(
    reminded
      .filter(({ invoiceId, level }) => refused.has(toKey(invoiceId, level, addresses.get(invoiceId) ?? '')))
      .map(({ invoiceId }) => invoiceId),
  );
}

/** Finds what holds back the reminders of invoices on a day. */
export async function findHeldReminders(
  organisationId: string,
  reminded: readonly RemindedInvoice[],
  day: string,
): Promise<(reminder: RemindedInvoice) => HeldReminder> {
  const invoiceIds = reminded.map(({ invoiceId }) => invoiceId);
  const customerIds = reminded.map(({ customerId }) => customerId);
  const [findPause, settings, addresses, covered] = await Promise.all([
    findPauses(organisationId, { invoiceIds, customerIds }, day),
    findEmailSettings(organisationId),
    findInvoiceRecipients(organisationId, reminded),
    findCoveredInvoices(organisationId, customerIds, day),
  ]);
  const refused = await findRefused(organisationId, reminded, addresses);
  return ({ invoiceId, customerId }) => {
    const pausedBy = findPause(invoiceId, customerId);
    if (pausedBy !== null) return { pausedBy, obstacle: 'reminders_paused' };
    if (covered.has(invoiceId)) return { pausedBy, obstacle: 'credit_available' };
    if (settings === null) return { pausedBy, obstacle: 'email_not_configured' };
    if (addresses.get(invoiceId) == null) return { pausedBy, obstacle: 'no_email_address' };
    return { pausedBy, obstacle: refused.has(invoiceId) ? 'address_refused' : null };
  };
}

/** Why a queued reminder is not transmitted any more. */
export type TransmissionObstacle = 'invoice_settled' | 'open_amount_changed' | 'reminders_paused' | 'credit_available';

/**
 * Whether a reminder must not be sent any more, asked right before its transmission and when it is retried: money may have
 * arrived, or a pause may have been set, since it was queued.
 */
export async function findTransmissionObstacle(
  platform: Platform,
  company: CompanyRecord,
  { documentId, customerId, openAmount }: Pick<MessageRecord, 'documentId' | 'customerId' | 'openAmount'>,
  unit?: UnitOfWork,
): Promise<TransmissionObstacle | null> {
  const organisationId = company._id;
  if (documentId === null || customerId === null) return null;
  const own = { organisationId, side: 'receivable', kind: 'invoice', id: documentId, state: 'open' } as const;
  const item = await OpenItem.findOne(own, { open: 1 })
    .session(unit?.mongoSession ?? null)
    .lean<Pick<OpenItemRecord, 'open'>>();
  if (item === null) return 'invoice_settled';
  if (openAmount !== undefined && !fromDecimal128(openAmount).eq(fromDecimal128(item.open)))
    return 'open_amount_changed';
  const today = computeToday(company, platform.clock.now());
  const subjects = { invoiceIds: [documentId], customerIds: [customerId] };
  const findPause = await findPauses(organisationId, subjects, today, unit);
  if (findPause(documentId, customerId) !== null) return 'reminders_paused';
  const covered = await findCoveredInvoices(organisationId, [customerId], today, unit);
  return covered.has(documentId) ? 'credit_available' : null;
}
