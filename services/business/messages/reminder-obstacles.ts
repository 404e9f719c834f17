import type { ReminderObstacle } from '../../../domain/business/messages/reminder-rules';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { MessageRecord } from '../../../models/business/messages/message';
import type { PausedKind } from '../../../models/business/messages/reminder-settings';
import { Customer } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { computeToday } from '../settings/company';
import { findEmailSettings } from './email-settings';
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
}

/** The invoices that have no address to which a reminder can be sent: neither the customer nor the document has one. */
async function findUnaddressed(
  organisationId: string,
  reminded: readonly RemindedInvoice[],
): Promise<ReadonlySet<number>> {
  const customers = await Customer.find(
    { organisationId, id: { $in: reminded.map(({ customerId }) => customerId) }, email: { $ne: null } },
    { id: 1 },
  ).lean<Pick<CustomerRecord, 'id'>[]>();
  const addressed = new Set(customers.map(({ id }) => id));
  const others = reminded.filter(({ customerId }) => !addressed.has(customerId)).map(({ invoiceId }) => invoiceId);
  if (others.length === 0) return new Set();
  const unaddressed = await Invoice.find(
    { organisationId, id: { $in: others }, 'document.buyer.email': null },
    { id: 1 },
  ).lean<Pick<InvoiceRecord, 'id'>[]>();
  return new Set(unaddressed.map(({ id }) => id));
}

/** Finds what holds back the reminders of invoices on a day. */
export async function findHeldReminders(
  organisationId: string,
  reminded: readonly RemindedInvoice[],
  day: string,
): Promise<(reminder: RemindedInvoice) => HeldReminder> {
  const invoiceIds = reminded.map(({ invoiceId }) => invoiceId);
  const customerIds = reminded.map(({ customerId }) => customerId);
  const [findPause, settings, unaddressed] = await Promise.all([
    findPauses(organisationId, { invoiceIds, customerIds }, day),
    findEmailSettings(organisationId),
    findUnaddressed(organisationId, reminded),
  ]);
  return ({ invoiceId, customerId }) => {
    const pausedBy = findPause(invoiceId, customerId);
    if (pausedBy !== null) return { pausedBy, obstacle: 'reminders_paused' };
    if (settings === null) return { pausedBy, obstacle: 'email_not_configured' };
    return { pausedBy, obstacle: unaddressed.has(invoiceId) ? 'no_email_address' : null };
  };
}

/** Why a queued reminder is not transmitted any more. */
export type TransmissionObstacle = 'invoice_settled' | 'open_amount_changed' | 'reminders_paused';

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
  return findPause(documentId, customerId) === null ? null : 'reminders_paused';
}
