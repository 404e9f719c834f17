import { model, Schema } from 'mongoose';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';
import { TEMPLATE_KINDS } from '../../../domain/business/messages/templates';
import type { MessageTemplate, TemplateKind } from '../../../domain/business/messages/templates';

/** A text that a company has changed; others have their default. */
export interface EmailTemplateRecord extends MessageTemplate {
  organisationId: string;
  kind: TemplateKind;
  language: DocumentLanguage;
  updatedAt: Date;
}

const emailTemplateSchema = new Schema<EmailTemplateRecord>(
  {
    organisationId: { type: String, required: true },
    kind: { type: String, enum: TEMPLATE_KINDS, required: true },
    language: { type: String, enum: DOCUMENT_LANGUAGES, required: true },
    subject: { type: String, required: true },
    text: { type: String, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'email_templates', versionKey: false, strict: 'throw' },
);
emailTemplateSchema.index({ organisationId: 1, kind: 1, language: 1 }, { unique: true });

export const EmailTemplate = model<EmailTemplateRecord>('EmailTemplate', emailTemplateSchema);
