import { DEFAULT_TEMPLATES } from '../../../domain/business/messages/default-templates';
import { findTemplateProblem, TEMPLATE_KINDS } from '../../../domain/business/messages/templates';
import type { MessageTemplate, TemplateKind } from '../../../domain/business/messages/templates';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';
import { invalidRequestError } from '../../../domain/errors';
import { EmailTemplate } from '../../../models/business/messages/email-template';
import type { EmailTemplateRecord } from '../../../models/business/messages/email-template';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';

/** The text of one kind of message in one language. */
export interface CurrentTemplate extends MessageTemplate {
  kind: TemplateKind;
  language: DocumentLanguage;
  /** Whether the company has changed it. */
  changed: boolean;
}

/** The text of a message: that of the company, else the default. */
export async function getTemplate(
  organisationId: string,
  kind: TemplateKind,
  language: DocumentLanguage,
): Promise<CurrentTemplate> {
  const changed = await EmailTemplate.findOne({ organisationId, kind, language }).lean<EmailTemplateRecord>();
  const { subject, text } = changed ?? DEFAULT_TEMPLATES[language][kind];
  return { kind, language, subject, text, changed: changed !== null };
}

/** All texts, by kind and language. */
export async function listTemplates({ organisationId }: BusinessCaller): Promise<CurrentTemplate[]> {
  const changed = await EmailTemplate.find({ organisationId }).lean<EmailTemplateRecord[]>();
  return TEMPLATE_KINDS.flatMap((kind) =>
    DOCUMENT_LANGUAGES.map((language) => {
      const own = changed.find((each) => each.kind === kind && each.language === language);
      const { subject, text } = own ?? DEFAULT_TEMPLATES[language][kind];
      return { kind, language, subject, text, changed: own !== undefined };
    }),
  );
}

const buildSubject = (kind: TemplateKind, language: DocumentLanguage): string => `email_template:${kind}.${language}`;

/**
 * Changes a text. Messages that are already queued keep theirs.
 * @throws AppError 400 for an unknown placeholder, naming those that are accepted
 */
export async function setTemplate(
  platform: Platform,
  caller: BusinessCaller,
  key: { kind: TemplateKind; language: DocumentLanguage },
  template: MessageTemplate,
): Promise<CurrentTemplate> {
  const problems = (['subject', 'text'] as const).flatMap((field) => {
    const problem = findTemplateProblem(template[field]);
    return problem === undefined ? [] : [{ field, problem }];
  });
  if (problems.length > 0) throw invalidRequestError(problems);
  const { organisationId } = caller;
  return runTransaction(platform, async (unit) => {
    await EmailTemplate.updateOne(
      { organisationId, ...key },
      { $set: { ...template, updatedAt: platform.clock.now() } },
      { upsert: true, session: unit.mongoSession },
    );
    await unit.audit(caller, {
      actor: caller.id,
      action: 'email_template.updated',
      subject: buildSubject(key.kind, key.language),
      fields: ['subject', 'text'],
    });
    return { ...key, ...template, changed: true };
  });
}

/** Returns to the default text. */
export async function resetTemplate(
  platform: Platform,
  caller: BusinessCaller,
  key: { kind: TemplateKind; language: DocumentLanguage },
): Promise<CurrentTemplate> {
  const { organisationId } = caller;
  await runTransaction(platform, async (unit) => {
    const removed = await EmailTemplate.deleteOne({ organisationId, ...key }, { session: unit.mongoSession });
    if (removed.deletedCount === 0) return;
    const subject = buildSubject(key.kind, key.language);
    await unit.audit(caller, { actor: caller.id, action: 'email_template.reset', subject });
  });
  return getTemplate(organisationId, key.kind, key.language);
}
