import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';
import {
  ATTEMPT_RESULTS,
  MESSAGE_KINDS,
  MESSAGE_REASONS,
  MESSAGE_STATUSES,
} from '../../../domain/business/messages/message';
import type {
  AttemptResult,
  MessageKind,
  MessageReason,
  MessageStatus,
} from '../../../domain/business/messages/message';
import { RECIPIENT_FIELDS } from '../../../domain/business/messages/recipients';
import type { MessageRecipient } from '../../../domain/business/messages/recipients';
import { DOCUMENT_FORMATS, PRINTED_KINDS } from '../documents/rendition';

/** What a message can be about. */
export const MESSAGE_DOCUMENT_KINDS = [...PRINTED_KINDS, 'statement'] as const;
export type MessageDocumentKind = (typeof MESSAGE_DOCUMENT_KINDS)[number];

/** Files that can be attached: those of documents, and of statements. */
export const MESSAGE_FORMATS = [...DOCUMENT_FORMATS, 'csv'] as const;
export type MessageFormat = (typeof MESSAGE_FORMATS)[number];

/** One transmission to the server of the company. */
export interface MessageAttempt {
  /** 1 for the first. */
  number: number;
  at: Date;
  result: AttemptResult;
  /** Time until the outcome was known; null while it is not. */
  durationMs: number | null;
  /** Reply code of SMTP. */
  replyCode: number | null;
  /** Enhanced status code (RFC 3463). */
  enhancedCode: string | null;
  /** Code of lib/mail/smtp.ts. */
  error: string | null;
}

/** A delivery report about the message (RFC 3464), once it was sent. */
export interface MessageReport {
  at: Date;
  action: string;
  /** Enhanced status code (RFC 3463). */
  status: string | null;
  /** Identifies the report, so that a repeated one has no effect. */
  hash: string;
}

/**
 * A message. Its content is fixed when the request is accepted, so that a repeated transmission is equal. `to`, `subject`,
 * `text` and the addresses of `recipients` are null once they were erased.
 */
export interface MessageRecord {
  /** `msg_…` */
  _id: string;
  organisationId: string;
  kind: MessageKind;
  documentKind: MessageDocumentKind | null;
  documentId: number | null;
  customerId: number | null;
  /** Level of a reminder. */
  level: number | null;
  /** `<invoice>.<level>` of a reminder that was sent or waits: each is sent once. */
  reminderKey?: string | undefined;
  /** What the text of a reminder says is open; absent in other messages and in those from before it was stored. */
  openAmount?: Types.Decimal128 | undefined;
  language: DocumentLanguage;
  /** The first recipient. */
  to: string | null;
  /** All recipients; absent in messages from before there could be several. */
  recipients?: MessageRecipient[];
  subject: string | null;
  text: string | null;
  /** Files of the document that are attached. */
  formats: MessageFormat[];
  status: MessageStatus;
  reason: MessageReason | null;
  attempts: MessageAttempt[];
  reports: MessageReport[];
  /** Null unless the message is queued. */
  nextAttemptAt: Date | null;
  createdBy: string;
  createdAt: Date;
  sentAt: Date | null;
  completedAt: Date | null;
  erasedAt: Date | null;
}

const nullableText = { type: String, default: null } as const;
const nullableDate = { type: Date, default: null } as const;

const attemptSchema = new Schema<MessageAttempt>(
  {
    number: { type: Number, required: true },
    at: { type: Date, required: true },
    result: { type: String, enum: ATTEMPT_RESULTS, required: true },
    durationMs: { type: Number, default: null },
    replyCode: { type: Number, default: null },
    enhancedCode: nullableText,
    error: nullableText,
  },
  { _id: false, strict: 'throw' },
);

const recipientSchema = new Schema<MessageRecipient>(
  {
    address: nullableText,
    field: { type: String, enum: RECIPIENT_FIELDS, required: true },
    status: { type: String, enum: MESSAGE_STATUSES, required: true },
    replyCode: { type: Number, default: null },
    enhancedCode: nullableText,
  },
  { _id: false, strict: 'throw' },
);

const reportSchema = new Schema<MessageReport>(
  {
    at: { type: Date, required: true },
    action: { type: String, required: true },
    status: nullableText,
    hash: { type: String, required: true },
  },
  { _id: false, strict: 'throw' },
);

const messageSchema = new Schema<MessageRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    kind: { type: String, enum: MESSAGE_KINDS, required: true },
    documentKind: { type: String, enum: [...MESSAGE_DOCUMENT_KINDS, null], default: null },
    documentId: { type: Number, default: null },
    customerId: { type: Number, default: null },
    level: { type: Number, default: null },
    reminderKey: { type: String },
    openAmount: { type: Schema.Types.Decimal128 },
    language: { type: String, enum: DOCUMENT_LANGUAGES, required: true },
    to: nullableText,
    recipients: { type: [recipientSchema] },
    subject: nullableText,
    text: nullableText,
    formats: { type: [{ type: String, enum: MESSAGE_FORMATS }], required: true },
    status: { type: String, enum: MESSAGE_STATUSES, required: true },
    reason: { type: String, enum: [...MESSAGE_REASONS, null], default: null },
    attempts: { type: [attemptSchema], required: true },
    reports: { type: [reportSchema], required: true },
    nextAttemptAt: nullableDate,
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    sentAt: nullableDate,
    completedAt: nullableDate,
    erasedAt: nullableDate,
  },
  { collection: 'messages', versionKey: false, strict: 'throw' },
);
messageSchema.index({ organisationId: 1, documentKind: 1, documentId: 1, _id: -1 });
messageSchema.index({ organisationId: 1, customerId: 1, _id: -1 });
messageSchema.index({ organisationId: 1, nextAttemptAt: 1 }, { partialFilterExpression: { status: 'queued' } });
// For the diagnosis, over all organisations.
messageSchema.index({ nextAttemptAt: 1 }, { partialFilterExpression: { status: 'queued' } });
messageSchema.index({ completedAt: 1 }, { partialFilterExpression: { status: 'failed' } });
messageSchema.index(
  { organisationId: 1, reminderKey: 1 },
  { unique: true, partialFilterExpression: { reminderKey: { $type: 'string' } } },
);

export const Message = model<MessageRecord>('Message', messageSchema);
