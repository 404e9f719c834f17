import PostalMime from 'postal-mime';
import { parseDeliveryStatus } from '../../../domain/business/messages/delivery-status';
import type { DeliveryStatus } from '../../../domain/business/messages/delivery-status';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord, MessageReport } from '../../../models/business/messages/message';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { findMessageIdIn } from './bounce-address';
import { emitMessageOutcome } from './message-outcome';

/** What became of a delivery report. */
export const REPORT_OUTCOMES = ['recorded', 'unknown_message', 'not_a_report'] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

/** Reports that are kept of one message. */
const MAX_REPORTS = 20;

type ParsedMail = Awaited<ReturnType<typeof PostalMime.parse>>;

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

/** Records a report. A message that was sent has bounced once a report says that the delivery failed. */
async function recordReport(
  platform: Platform,
  caller: BusinessCaller,
  message: MessageRecord,
  report: MessageReport,
): Promise<void> {
  const { organisationId } = caller;
  const own = { _id: message._id, organisationId, 'reports.hash': { $ne: report.hash } };
  await runTransaction(platform, async (unit) => {
    const added = await Message.updateOne(
      own,
      { $push: { reports: { $each: [report], $slice: -MAX_REPORTS } } },
      { session: unit.mongoSession },
    );
    if (added.modifiedCount === 0 || report.action !== 'failed') return;
    const bounced = await Message.findOneAndUpdate(
      { _id: message._id, organisationId, status: 'sent' },
      { $set: { status: 'bounced', reason: 'delivery_failed', completedAt: report.at } },
      { session: unit.mongoSession, returnDocument: 'after' },
    ).lean<MessageRecord>();
    if (bounced === null) return;
    await emitMessageOutcome(unit, bounced, report.at);
    await unit.audit(caller, {
      actor: caller.id,
      action: 'message.bounced',
      subject: message._id,
      fields: ['status'],
      ...(report.status === null ? {} : { reason: report.status }),
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
  const mail = await PostalMime.parse(raw, { forceRfc822Attachments: true });
  const status = readStatus(mail);
  // A message has one recipient; a report about a list that it was expanded to may have several.
  const [recipient] = status?.recipients ?? [];
  if (status === undefined || recipient === undefined) return { outcome: 'not_a_report', messageId: null };
  const id = findMessageId(mail, status);
  const message =
    id === undefined
      ? null
      : await Message.findOne({ _id: id, organisationId: caller.organisationId }).lean<MessageRecord>();
  if (message === null) return { outcome: 'unknown_message', messageId: null };
  const at = platform.clock.now();
  await recordReport(platform, caller, message, { ...recipient, at, hash: sha256Hex(raw) });
  return { outcome: 'recorded', messageId: message._id };
}
