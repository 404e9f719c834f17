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
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { requireVersion } from '../../platform/transactions/versions';
import type { BusinessCaller } from '../access/caller';

/** The text of one kind of message in one language. */
export interface CurrentTemplate extends MessageTemplate {
  kind: TemplateKind;
  language: DocumentLanguage;
  /** Whether the company has changed it. */
  changed: boolean;
  /** Time of the change in milliseconds; 0 for the default. */
  version: number;
}

interface TemplateKey {
  kind: TemplateKind;
  language: DocumentLanguage;
}

/** The text of a company, else the default. */
function toCurrent({ kind, language }: TemplateKey, own: EmailTemplateRecord | null): CurrentTemplate {
  const { subject, text } = own ?? DEFAULT_TEMPLATES[language][kind];
  return { kind, language, subject, text, changed: own !== null, version: own?.updatedAt.getTime() ?? 0 };
}

async function readTemplate(organisationId: string, key: TemplateKey, unit?: UnitOfWork): Promise<CurrentTemplate> {
  const { kind, language } = key;
  const query = EmailTemplate.findOne({ organisationId, kind, language });
  const own = await (unit === undefined ? query : query.session(unit.mongoSession)).lean<EmailTemplateRecord>();
  return toCurrent(key, own);
}

/** The text of a message: that of the company, else the default. */
export const getTemplate = (
  organisationId: string,
  kind: TemplateKind,
  language: DocumentLanguage,
): Promise<CurrentTemplate> => readTemplate(organisationId, { kind, language });

/** All texts, by kind and language. */
export async function listTemplates({ organisationId }: BusinessCaller): Promise<CurrentTemplate[]> {
  const changed = await EmailTemplate.find({ organisationId }).lean<EmailTemplateRecord[]>();
  return TEMPLATE_KINDS.flatMap((kind) =>
    DOCUMENT_LANGUAGES.map((language) => {
      const own = changed.find((each) => each.kind === kind && each.language === language);
      return toCurrent({ kind, language }, own ?? null);
    }),
  );
}

const buildSubject = (kind: TemplateKind, language: DocumentLanguage): string => `email_template:${kind}.${language}`;

/**
 * Changes a text. Messages that are already queued keep theirs.
 * @param ifMatch version of the text that the client has read; undefined: any
 * @throws AppError 400 for an unknown placeholder, naming those that are accepted; 412
 */
export async function setTemplate(
  platform: Platform,
  caller: BusinessCaller,
  key: TemplateKey,
  template: MessageTemplate,
  ifMatch: number | undefined,
): Promise<CurrentTemplate> {
  const problems = (['subject', 'text'] as const).flatMap((field) => {
    const problem = findTemplateProblem(template[field]);
    return problem === undefined ? [] : [{ field, problem }];
  });
  if (problems.length > 0) throw invalidRequestError(problems);
  const { organisationId } = caller;
  return runTransaction(platform, async (unit) => {
    const before = await readTemplate(organisationId, key, unit);
    requireVersion(before.version, ifMatch);
    // Two changes in one millisecond are two versions, too.
    const updatedAt = new Date(Math.max(platform.clock.now().getTime(), before.version + 1));
    await EmailTemplate.updateOne(
      { organisationId, ...key },
      { $set: { ...template, updatedAt } },
      { upsert: true, session: unit.mongoSession },
    );
    await unit.audit(caller, {
      actor: caller.id,
      action: 'email_template.updated',
      subject: buildSubject(key.kind, key.language),
      fields: ['subject', 'text'],
    });
    return { ...key, ...template, changed: true, version: updatedAt.getTime() };
  });
}

/** Returns to the default text. @throws AppError 412 */
export async function resetTemplate(
  platform: Platform,
  caller: BusinessCaller,
  key: TemplateKey,
  ifMatch: number | undefined,
): Promise<CurrentTemplate> {
  const { organisationId } = caller;
  await runTransaction(platform, async (unit) => {
    requireVersion((await readTemplate(organisationId, key, unit)).version, ifMatch);
    const removed = await EmailTemplate.deleteOne({ organisationId, ...key }, { session: unit.mongoSession });
    if (removed.deletedCount === 0) return;
    const subject = buildSubject(key.kind, key.language);
    await unit.audit(caller, { actor: caller.id, action: 'email_template.reset', subject });
  });
  return getTemplate(organisationId, key.kind, key.language);
}
