import type { DocumentLanguage, IssuedDocument } from '../../../domain/business/invoices/invoice';
import type { MessageKind } from '../../../domain/business/messages/message';
import { listRecipients, MAX_RECIPIENTS } from '../../../domain/business/messages/recipients';
import type { MessageRecipient, RecipientAddresses } from '../../../domain/business/messages/recipients';
import { findTemplateProblem } from '../../../domain/business/messages/templates';
import { conflictError, invalidFieldError, notFoundError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import type { DocumentFormat, PrintedKind } from '../../../models/business/documents/rendition';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord } from '../../../models/business/messages/message';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform } from '../../platform/platform';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { requireCompliantDocument } from '../documents/einvoices';
import { getIssuedContent, getIssuedRecord } from '../documents/issued-documents';
import { findOutstanding } from '../payments/open-items';
import { composeAboutDocument, composeTestMessage } from './compose';
import { requireEmailSettings } from './email-settings';
import { getTemplate } from './email-templates';
import { buildLinkUrl, DEFAULT_LINK_DAYS, insertLink } from './invoice-links';
import { findRecipient } from './recipient-addresses';

/** What a client can choose about a message; null: the default. */
export interface SendInput {
  to: readonly string[] | null;
  cc: readonly string[];
  bcc: readonly string[];
  subject: string | null;
  text: string | null;
  formats: DocumentFormat[] | null;
}

/** A message to be queued, without its state. */
export type NewMessage = Pick<
  MessageRecord,
  | 'kind'
  | 'documentKind'
  | 'documentId'
  | 'customerId'
  | 'level'
  | 'openAmount'
  | 'language'
  | 'subject'
  | 'text'
  | 'formats'
> & { recipients: MessageRecipient[]; reminderKey?: string; createdBy: string; organisationId: string };

/** Has queued messages of an organisation sent, in the transaction that queued them. */
export function wakeMessageDeliveries(unit: UnitOfWork, organisationId: string): void {
  unit.wake(organisationId, {
    workflow: 'messageDeliveries',
    workflowId: workflowIds.messageDeliveries(organisationId),
    argument: { organisationId },
    summary: 'messages',
  });
}

/** Stores a message and has it sent, in the transaction of what it is about. */
export async function queueMessage(unit: UnitOfWork, message: NewMessage): Promise<MessageRecord> {
  const now = unit.platform.clock.now();
  const record: MessageRecord = {
    ...message,
    _id: newId('msg'),
    to: message.recipients[0]?.address ?? null,
    status: 'queued',
    reason: null,
    attempts: [],
    reports: [],
    nextAttemptAt: now,
    createdAt: now,
    sentAt: null,
    completedAt: null,
    erasedAt: null,
  };
  await Message.insertMany([record], { session: unit.mongoSession, lean: true });
  await unit.audit(
    { organisationId: message.organisationId, mode: 'live' },
    { actor: message.createdBy, action: 'message.queued', subject: record._id },
  );
  wakeMessageDeliveries(unit, message.organisationId);
  return record;
}

/** @throws AppError 409 `einvoice_unfit` if the document cannot be attached in one of the formats */
export function requireAttachable(document: IssuedDocument, formats: readonly DocumentFormat[]): void {
  if (formats.some((format) => format !== 'pdf')) requireCompliantDocument(document);
}

/** @throws AppError 404 */
export async function getMessage(organisationId: string, id: string): Promise<MessageRecord> {
  const message = await Message.findOne({ _id: id, organisationId }).lean<MessageRecord>();
  if (message === null) throw notFoundError('message');
  return message;
}

/** Lists one recipient in `to`. */
export const listSingleRecipient = (to: string): MessageRecipient[] => listRecipients({ to: [to], cc: [], bcc: [] });

/**
 * The recipients of a request.
 * @param findDefault address of the customer, used without `to`
 * @throws AppError 400 without an address, or with too many
 */
export async function requireRecipients(
  input: Pick<SendInput, 'to' | 'cc' | 'bcc'>,
  findDefault: () => Promise<string | null>,
): Promise<MessageRecipient[]> {
  const known = input.to === null ? await findDefault() : null;
  const to = input.to ?? (known === null ? [] : [known]);
  if (to.length === 0) throw invalidFieldError('to', 'is required: the customer has no e-mail address');
  const addresses: RecipientAddresses = { ...input, to };
  const recipients = listRecipients(addresses);
  if (recipients.length > MAX_RECIPIENTS)
    throw invalidFieldError('to', `must have at most ${MAX_RECIPIENTS} recipients together with cc and bcc`);
  return recipients;
}

/** @throws AppError 400 naming the placeholders that are accepted */
export function rejectUnknownPlaceholders(input: Partial<Record<'subject' | 'text', string | null>>): void {
  for (const field of ['subject', 'text'] as const) {
    const problem = findTemplateProblem(input[field] ?? '');
    if (problem !== undefined) throw invalidFieldError(field, problem);
  }
}

/** Checks whether a document can be sent, and collects what its message consists of. @throws AppError as {@link sendDocument} */
async function prepareDocumentMessage(
  organisationId: string,
  { kind, id }: { kind: PrintedKind; id: number },
  input: SendInput,
) {
  const { issued, content: document } = await getIssuedContent({ organisationId, kind, id });
  if (issued.voidedOn !== null) throw conflictError('already_void', 'The invoice is void and is not sent.');
  const settings = await requireEmailSettings(organisationId);
  const formats = input.formats ?? settings.formats;
  requireAttachable(document, formats);
  const recipients = await requireRecipients(input, () => findRecipient(organisationId, document));
  const template = await getTemplate(organisationId, kind, document.language);
  const openAmount =
    kind === 'invoice' ? ((await findOutstanding(organisationId, [id])).get(id)?.open.toFixed() ?? null) : null;
  const own = { subject: input.subject ?? template.subject, text: input.text ?? template.text };
  return { document, formats, recipients, openAmount, own };
}

/**
 * Queues an e-mail with an issued document. It is sent once by the delivery pool, however often the worker restarts, as far
 * as SMTP allows.
 * @throws AppError 404; 409 `invoice_not_issued`, `already_void`, `email_not_configured` or `einvoice_unfit`; 400 without an
 * address
 */
export async function sendDocument(
  platform: Platform,
  caller: BusinessCaller,
  reference: { kind: PrintedKind; id: number },
  input: SendInput,
  use: IdempotentUse | undefined,
): Promise<MessageRecord> {
  const { organisationId } = caller;
  const { kind, id } = reference;
  rejectUnknownPlaceholders(input);
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      const { document, formats, recipients, openAmount, own } = await prepareDocumentMessage(
        organisationId,
        reference,
        input,
      );
      return runTransaction(platform, async (unit) => {
        const linkInput = { organisationId, invoiceId: id, createdBy: caller.id, days: DEFAULT_LINK_DAYS };
        const link = kind === 'invoice' ? buildLinkUrl(platform, await insertLink(unit, linkInput)) : null;
        const { subject, text } = composeAboutDocument(own, { document, openAmount, link, reminder: null });
        const message = await queueMessage(unit, {
          organisationId,
          kind,
          documentKind: kind,
          documentId: id,
          customerId: document.buyer.customerId,
          level: null,
          language: document.language,
          recipients,
          subject,
          text,
          formats,
          createdBy: caller.id,
        });
        await claim(unit, message._id, 202);
        return message;
      });
    },
    (messageId) => getMessage(organisationId, messageId),
  );
}

/** Queues a message without a document, to see whether the settings work. @throws AppError 409 `email_not_configured` */
export async function sendTestMessage(
  platform: Platform,
  caller: BusinessCaller,
  to: string,
  use: IdempotentUse | undefined,
): Promise<MessageRecord> {
  const { organisationId, company } = caller;
  const language: DocumentLanguage = company.language;
  const kind: MessageKind = 'test';
  const about = { documentKind: null, documentId: null, customerId: null, level: null, formats: [] };
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      await requireEmailSettings(organisationId);
      return runTransaction(platform, async (unit) => {
        const content = composeTestMessage(language, company.legalName);
        const message = await queueMessage(unit, {
          organisationId,
          kind,
          ...about,
          language,
          recipients: listSingleRecipient(to),
          ...content,
          createdBy: caller.id,
        });
        await claim(unit, message._id, 202);
        return message;
      });
    },
    (messageId) => getMessage(organisationId, messageId),
  );
}

/** The messages about a document, newest first. @throws AppError 404 */
export async function listDocumentMessages(
  organisationId: string,
  { kind, id }: { kind: PrintedKind; id: number },
): Promise<MessageRecord[]> {
  await getIssuedRecord({ organisationId, kind, id });
  return Message.find({ organisationId, documentKind: kind, documentId: id })
    .sort({ _id: -1 })
    .limit(100)
    .lean<MessageRecord[]>();
}
