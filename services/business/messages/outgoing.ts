import { MINUTE_MS } from '../../../domain/durations';
import type { AttemptResult, MessageReason } from '../../../domain/business/messages/message';
import { computeMailRetryDelaySeconds } from '../../../domain/business/messages/retry-schedule';
import { determineMessageStatus, isSameAddress } from '../../../domain/business/messages/recipients';
import type { MessageRecipient, RecipientResult } from '../../../domain/business/messages/recipients';
import { STATEMENT_FORMATS } from '../../../domain/business/payments/statement';
import { AppError } from '../../../domain/errors';
import type { MailAttachment, MailMessage } from '../../../lib/mail/message';
import type { SmtpOutcome } from '../../../lib/mail/smtp-outcome';
import type { SmtpServer } from '../../../lib/mail/smtp-server';
import { RENDITION_FILE_TYPES } from '../../../models/business/documents/rendition';
import { Message } from '../../../models/business/messages/message';
import type { MessageAttempt, MessageRecord } from '../../../models/business/messages/message';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { getEgressExceptions } from '../../platform/access/organisations';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { obtainDocumentFile } from '../documents/document-files';
import { readStatementFile } from '../payments/statements';
import { buildReturnPath } from './bounce-address';
import { findEmailSettings, openSmtpServer } from './email-settings';
import { renderMessageHtml } from './message-html';
import { endQueuedMessage, isInvoiceVoid } from './message-endings';
import { emitMessageOutcome } from './message-outcome';
import { determineStateAfterAttempt, readRecipients } from './message-state';
import { findTransmissionObstacle } from './reminder-obstacles';

/**
 * A message whose attempt ended without a known outcome, since the worker was killed, is not attempted again before this
 * time: a server may still be examining it.
 */
export const UNKNOWN_OUTCOME_DELAY_MS = 15 * MINUTE_MS;
/** Time for which an attempt waits for the files of the document. */
const RENDERING_WAIT_MS = 25_000;

/** The condition of the messages of an organisation that wait for an attempt. */
export const buildQueuedFilter = (organisationId: string) => ({ organisationId, status: 'queued' }) as const;

/** Reads messages that are due, the one that has waited longest first. @param exceptIds messages in progress */
export const readDueMessages = (
  platform: Platform,
  organisationId: string,
  limit: number,
  exceptIds: readonly string[],
): Promise<MessageRecord[]> =>
  Message.find({
    ...buildQueuedFilter(organisationId),
    nextAttemptAt: { $lte: platform.clock.now() },
    _id: { $nin: exceptIds },
  })
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .lean<MessageRecord[]>();

/** Seconds until the next attempt of a message, 0 if one is due; null if none is queued. */
export async function findSecondsToNextMessage(platform: Platform, organisationId: string): Promise<number | null> {
  const next = await Message.findOne(buildQueuedFilter(organisationId), { nextAttemptAt: 1 })
    .sort({ nextAttemptAt: 1 })
    .lean<Pick<MessageRecord, 'nextAttemptAt'>>();
  if (!(next?.nextAttemptAt instanceof Date)) return null;
  return Math.max(0, next.nextAttemptAt.getTime() - platform.clock.now().getTime()) / 1000;
}

/** Ends a queued message that is not sent, in a transaction of its own. */
export const endMessage = (
  platform: Platform,
  message: Pick<MessageRecord, '_id' | 'organisationId'>,
  status: 'failed' | 'cancelled',
  reason: MessageReason,
): Promise<void> => runTransaction(platform, (unit) => endQueuedMessage(unit, message, status, reason));

/** Puts off a message that was not attempted; it does not count as an attempt. */
export async function postponeMessage(
  platform: Platform,
  { _id, organisationId }: Pick<MessageRecord, '_id' | 'organisationId'>,
  delayMs: number,
): Promise<void> {
  await Message.updateOne(
    { ...buildQueuedFilter(organisationId), _id },
    { $set: { nextAttemptAt: new Date(platform.clock.now().getTime() + delayMs) } },
  );
}

/** What is transmitted, where to, and the private addresses that the organisation may connect to. */
export interface Transmission {
  server: SmtpServer;
  mail: MailMessage;
  exceptions: string[];
}

async function readAttachments(platform: Platform, message: MessageRecord): Promise<MailAttachment[]> {
  const { organisationId, documentKind: kind, documentId: id } = message;
  if (kind === null || id === null) return [];
  const attachments: MailAttachment[] = [];
  if (kind === 'statement') {
    for (const format of STATEMENT_FORMATS.filter((each) => message.formats.includes(each)))
      attachments.push(await readStatementFile(platform, { organisationId, id }, format, RENDERING_WAIT_MS));
    return attachments;
  }
  for (const format of message.formats) {
    if (format === 'csv') continue;
    const options = { format, waitMs: RENDERING_WAIT_MS };
    const file = await obtainDocumentFile(platform, { organisationId, mode: 'live' }, { kind, id }, options);
    if (file === null) continue;
    const { extension, contentType } = RENDITION_FILE_TYPES[format];
    const suffix = format === 'facturx' && message.formats.includes('pdf') ? '-facturx' : '';
    attachments.push({ fileName: `${file.number}${suffix}.${extension}`, contentType, bytes: file.bytes });
  }
  return attachments;
}

/** The addresses in the header, which are equal in every attempt, and those that wait for the message. */
function selectAddresses(recipients: readonly MessageRecipient[]): Pick<MailMessage, 'to' | 'cc' | 'recipients'> {
  const select = (isSelected: (recipient: MessageRecipient) => boolean): string[] =>
    recipients.filter(isSelected).flatMap(({ address }) => address ?? []);
  return {
    to: select(({ field }) => field === 'to'),
    cc: select(({ field }) => field === 'cc'),
    recipients: select(({ status }) => status === 'queued'),
  };
}

/** The invoice can also have been voided while its message was being queued or sent again. */
const findInvoiceObstacle = async (message: MessageRecord): Promise<MessageReason | null> =>
  (await isInvoiceVoid(message)) ? 'cancelled' : null;

/**
 * Collects what an attempt needs.
 * @returns why the message cannot be sent, if so
 * @throws AppError 503 while the files are being rendered
 */
export async function prepareTransmission(
  platform: Platform,
  message: MessageRecord,
): Promise<Transmission | MessageReason> {
  const { organisationId, to, subject, text } = message;
  if (to === null || subject === null || text === null) return 'erased';
  const [settings, company, exceptions] = await Promise.all([
    findEmailSettings(organisationId),
    Company.findById(organisationId).lean<CompanyRecord>(),
    getEgressExceptions(organisationId),
  ]);
  if (settings === null || company === null) return 'email_not_configured';
  const obstacle =
    message.kind === 'reminder'
      ? await findTransmissionObstacle(platform, company, message)
      : await findInvoiceObstacle(message);
  if (obstacle !== null) return obstacle;
  try {
    const mail: MailMessage = {
      id: message._id,
      from: { name: settings.fromName ?? company.legalName, address: settings.fromAddress },
      replyTo: settings.replyTo,
      ...selectAddresses(readRecipients(message)),
      returnPath: buildReturnPath(settings.bounceAddress, message._id),
      subject,
      text,
      html: renderMessageHtml(text, subject, message.language),
      date: message.createdAt,
      attachments: await readAttachments(platform, message),
    };
    return { server: openSmtpServer(platform.masterKey, settings), mail, exceptions };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return 'attachment_failed';
    throw error;
  }
}

/** The attempt of a message whose outcome is not known, if there is one. */
const findStarted = ({ attempts }: MessageRecord): MessageAttempt | undefined =>
  attempts.find(({ result }) => result === 'started');

const LOST = { $set: { 'attempts.$[lost].result': 'unknown' satisfies AttemptResult } };
const LOST_FILTERS = { arrayFilters: [{ 'lost.result': 'started' }] };

/** Ends a message whose last attempt has no known outcome. */
const endWithoutOutcome = (platform: Platform, message: MessageRecord, number: number): Promise<void> =>
  runTransaction(platform, async (unit) => {
    const { _id, organisationId } = message;
    const lost = { ...buildQueuedFilter(organisationId), _id, attempts: { $elemMatch: { number, result: 'started' } } };
    const { modifiedCount } = await Message.updateOne(lost, LOST, { ...LOST_FILTERS, session: unit.mongoSession });
    if (modifiedCount === 1) await endQueuedMessage(unit, message, 'failed', 'attempts_exhausted');
  });

/**
 * Notes that an attempt begins, before anything is transmitted. An earlier attempt without an outcome counts as unknown;
 * if it was the last one, the message has failed. One that its owner sends again afterwards has another attempt.
 * @returns its number, or null if the message is not queued any more
 */
export async function beginAttempt(platform: Platform, message: MessageRecord): Promise<number | null> {
  const { _id, organisationId, attempts } = message;
  const lost = findStarted(message);
  if (lost !== undefined && computeMailRetryDelaySeconds(lost.number, 0) === null) {
    await endWithoutOutcome(platform, message, lost.number);
    return null;
  }
  const number = 1 + Math.max(0, ...attempts.map((each) => each.number));
  const now = platform.clock.now();
  const filter = { ...buildQueuedFilter(organisationId), _id, 'attempts.number': { $ne: number } };
  const attempt: MessageAttempt = {
    number,
    at: now,
    result: 'started',
    durationMs: null,
    replyCode: null,
    enhancedCode: null,
    error: null,
  };
  await Message.updateOne(filter, LOST, LOST_FILTERS);
  const begun = await Message.updateOne(filter, {
    $push: { attempts: attempt },
    $set: { nextAttemptAt: new Date(now.getTime() + UNKNOWN_OUTCOME_DELAY_MS) },
  });
  return begun.modifiedCount === 1 ? number : null;
}

/** Takes back an attempt in which nothing was transmitted, and puts the message off. */
export async function withdrawAttempt(
  platform: Platform,
  { _id, organisationId }: Pick<MessageRecord, '_id' | 'organisationId'>,
  number: number,
  delayMs: number,
): Promise<void> {
  await Message.updateOne(
    { ...buildQueuedFilter(organisationId), _id, attempts: { $elemMatch: { number, result: 'started' } } },
    {
      $pull: { attempts: { number } },
      $set: { nextAttemptAt: new Date(platform.clock.now().getTime() + delayMs) },
    },
  );
}

/** What an attempt means for each recipient; null for those that were not attempted. */
const toRecipientResults = (
  recipients: readonly MessageRecipient[],
  { result, replyCode, enhancedCode, refusals }: SmtpOutcome,
): (RecipientResult | null)[] =>
  recipients.map(({ address, status }) => {
    if (status !== 'queued' || address === null) return null;
    const refusal = refusals.find((each) => isSameAddress(each.address, address));
    return refusal ?? { result, replyCode, enhancedCode };
  });

/** Time of the next attempt; null after the last one. */
function computeNextAttempt(outcome: SmtpOutcome, number: number, now: Date): Date | null {
  const delay = computeMailRetryDelaySeconds(number, Math.random());
  if (delay === null) return null;
  return new Date(now.getTime() + Math.max(delay * 1000, outcome.result === 'unknown' ? UNKNOWN_OUTCOME_DELAY_MS : 0));
}

/** Records the outcome of an attempt once. @returns the status of the message afterwards */
export async function recordOutcome(
  platform: Platform,
  message: MessageRecord,
  number: number,
  outcome: SmtpOutcome,
  durationMs: number,
): Promise<MessageRecord['status']> {
  const { _id, organisationId } = message;
  const now = platform.clock.now();
  const results = toRecipientResults(readRecipients(message), outcome);
  const next = {
    nextAttemptAt: computeNextAttempt(outcome, number, now),
    reason: outcome.result === 'rejected' ? 'rejected' : 'attempts_exhausted',
    now,
  } as const;
  const { result, replyCode, enhancedCode, error } = outcome;
  const fields = { result, replyCode, enhancedCode, error, durationMs };
  const attempt = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`attempts.$[own].${name}`, value]));
  return runTransaction(platform, async (unit) => {
    const own = { _id, organisationId, attempts: { $elemMatch: { number, result: 'started' } } };
    const session = unit.mongoSession;
    const current = await Message.findOne(own, null, { session }).lean<MessageRecord>();
    if (current === null) return determineMessageStatus(readRecipients(message));
    const recorded = await Message.findOneAndUpdate(
      own,
      { $set: { ...determineStateAfterAttempt(current, results, next), ...attempt } },
      { arrayFilters: [{ 'own.number': number }], session, returnDocument: 'after' },
    ).lean<MessageRecord>();
    if (recorded === null) return current.status;
    await emitMessageOutcome(unit, recorded, now);
    return recorded.status;
  });
}
