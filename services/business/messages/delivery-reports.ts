import PostalMime from 'postal-mime';
import { parseDeliveryStatus } from '../../../domain/business/messages/delivery-status';
import type { DeliveryStatus, RecipientReport } from '../../../domain/business/messages/delivery-status';
import { determineMessageStatus, isSameAddress } from '../../../domain/business/messages/recipients';
import type { MessageRecipient } from '../../../domain/business/messages/recipients';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { toAsciiAddress } from '../../../lib/mail/address';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord, MessageReport } from '../../../models/business/messages/message';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { findMessageIdIn } from './bounce-address';
import { emitMessageOutcome } from './message-outcome';
import { readRecipients } from './message-state';

/** What became of a delivery report. */
export const REPORT_OUTCOMES = ['recorded', 'unknown_message', 'not_a_report'] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

/** Reports that are kept of one message. */
const MAX_REPORTS = 20;

/**
 * What is read of a message. A report names its message and its recipients before what it returns (RFC 3462), and anyone
 * can write to the mailbox: millions of lines or parts would keep the process from answering other requests.
 */
const MAX_READ_BYTES = 128 * 1024;

type ParsedMail = Awaited<ReturnType<typeof PostalMime.parse>>;

/** The beginning of a message; null if its parts are nested too deeply to be read. */
const readBeginning = (raw: Buffer): Promise<ParsedMail | null> =>
  PostalMime.parse(raw.subarray(0, MAX_READ_BYTES), { forceRfc822Attachments: true }).catch(() => null);

const toText = (content: string | ArrayBuffer | Uint8Array): string =>
  typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('utf8');

/** Part types that hold the returned message or its headers. */
const RETURNED = /^(message\/rfc822|text\/rfc822-headers|message\/global(-headers)?)$/i;

/**
 * Where a report names the message, the most reliable first: the envelope id that the server returns, the address that the
 * report was sent to, and the returned headers.
 */
function findMessageId(mail: ParsedMail, status: DeliveryStatus): string | undefined {
  const headers = mail.headers
    .filter(({ key }) => ['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'].includes(key))
    .map(({ value }) => value);
  const returned = mail.attachments
    .filter(({ mimeType }) => RETURNED.test(mimeType))
    .map(({ content }) => /^message-id:\s*(\S+)/im.exec(toText(content))?.[1] ?? '');
  return [status.originalEnvelopeId ?? '', ...headers, ...returned].flatMap((text) => findMessageIdIn(text) ?? [])[0];
}

/** The part with the status; undefined for a message that is no delivery report. */
function readStatus(mail: ParsedMail): DeliveryStatus | undefined {
  const part = mail.attachments.find(({ mimeType }) => /^message\/(global-)?delivery-status$/i.test(mimeType));
  return part === undefined ? undefined : parseDeliveryStatus(toText(part.content));
}

/**
 * The recipients after a report: those that it says did not get the message have bounced. The address of the only recipient
 * need not match, since it may have been forwarded.
 */
function applyReports(
  recipients: readonly MessageRecipient[],
  reports: readonly RecipientReport[],
): MessageRecipient[] {
  const failed = reports.filter(({ action }) => action === 'failed').flatMap(({ addresses }) => addresses);
  return recipients.map((recipient) => {
    const { address, status } = recipient;
    const isNamed =
      address !== null && failed.some((each) => isSameAddress(toAsciiAddress(each), toAsciiAddress(address)));
    return status === 'sent' && (isNamed || recipients.length === 1) ? { ...recipient, status: 'bounced' } : recipient;
  });
}

/**
 * Records a report. A sent message becomes bounced when a report says that delivery to one of its recipients failed. If
 * the message has several recipients and the report names another address, such as one that it was forwarded to, the
 * failure cannot be attributed to any of them, and the message stays sent: a further attempt would have no recipient.
 */
async function recordReport(
  platform: Platform,
  caller: BusinessCaller,
  id: string,
  report: { recipients: readonly RecipientReport[]; hash: string },
): Promise<void> {
  const { organisationId } = caller;
  const { recipients: reports, hash } = report;
  const failure = reports.find(({ action }) => action === 'failed');
  const { action, status } = failure ?? reports[0] ?? { action: 'failed', status: null };
  const at = platform.clock.now();
  const entry: MessageReport = { at, action, status, hash };
  await runTransaction(platform, async (unit) => {
    const session = unit.mongoSession;
    const message = await Message.findOne({ _id: id, organisationId, 'reports.hash': { $ne: hash } }, null, {
      session,
    }).lean<MessageRecord>();
    if (message === null) return;
    const before = readRecipients(message);
    const recipients = failure === undefined ? before : applyReports(before, reports);
    const hasBounced = message.status === 'sent' && determineMessageStatus(recipients) === 'bounced';
    const updated = await Message.findOneAndUpdate(
      { _id: id, organisationId },
      {
        $push: { reports: { $each: [entry], $slice: -MAX_REPORTS } },
        $set: {
          recipients,
          ...(hasBounced ? ({ status: 'bounced', reason: 'delivery_failed', completedAt: at } as const) : {}),
        },
      },
      { session, returnDocument: 'after' },
    ).lean<MessageRecord>();
    if (updated === null || !hasBounced) return;
    await emitMessageOutcome(unit, updated, at);
    await unit.audit(caller, {
      actor: caller.id,
      action: 'message.bounced',
      subject: id,
      fields: ['status'],
      ...(status === null ? {} : { reason: status }),
    });
  });
}

/**
 * Accepts a delivery report (RFC 3464) as the mail server received it. It is about a message of the caller's organisation,
 * or has no effect; a repeated one has no effect either.
 */
export async function acceptDeliveryReport(
  platform: Platform,
  caller: BusinessCaller,
  raw: Buffer,
): Promise<{ outcome: ReportOutcome; messageId: string | null }> {
  const mail = await readBeginning(raw);
  const status = mail === null ? undefined : readStatus(mail);
  if (mail === null || status === undefined || status.recipients.length === 0)
    return { outcome: 'not_a_report', messageId: null };
  const { recipients } = status;
  const id = findMessageId(mail, status);
  const message = id === undefined ? null : await Message.exists({ _id: id, organisationId: caller.organisationId });
  if (id === undefined || message === null) return { outcome: 'unknown_message', messageId: null };
  await recordReport(platform, caller, id, { recipients, hash: sha256Hex(raw) });
  return { outcome: 'recorded', messageId: id };
}
