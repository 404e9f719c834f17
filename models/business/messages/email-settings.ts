import { model, Schema } from 'mongoose';
import type { SealedSecret } from '../../../lib/crypto/master-key';
import { SMTP_SECURITIES } from '../../../lib/mail/smtp-server';
import type { SmtpSecurity } from '../../../lib/mail/smtp-server';
import { sealedSecretSchema } from '../../platform/keys/sealed-secret';
import { DOCUMENT_FORMATS } from '../documents/rendition';
import type { DocumentFormat } from '../documents/rendition';

/** How a company sends e-mail: its SMTP server, and what its messages have in common. */
export interface EmailSettingsRecord {
  /** Id of the organisation. */
  _id: string;
  /** As `_id`; sealed secrets are bound to it. */
  organisationId: string;
  host: string;
  port: number;
  security: SmtpSecurity;
  user: string | null;
  password: SealedSecret | null;
  /** Certificate of a private authority, PEM. */
  caCertificate: string | null;
  fromAddress: string;
  /** Null: the legal name of the company. */
  fromName: string | null;
  replyTo: string | null;
  /** Mailbox of delivery reports; each message has an address of its own in it. Null: the sender's. */
  bounceAddress: string | null;
  /** Files that are attached unless a request names others. */
  formats: DocumentFormat[];
  version: number;
  updatedAt: Date;
}

const nullableText = { type: String, default: null } as const;

const emailSettingsSchema = new Schema<EmailSettingsRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    host: { type: String, required: true },
    port: { type: Number, required: true },
    security: { type: String, enum: SMTP_SECURITIES, required: true },
    user: nullableText,
    password: { type: sealedSecretSchema, default: null },
    caCertificate: nullableText,
    fromAddress: { type: String, required: true },
    fromName: nullableText,
    replyTo: nullableText,
    bounceAddress: nullableText,
    formats: { type: [{ type: String, enum: DOCUMENT_FORMATS }], required: true },
    version: { type: Number, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'email_settings', versionKey: false, strict: 'throw' },
);

export const EmailSettings = model<EmailSettingsRecord>('EmailSettings', emailSettingsSchema);
