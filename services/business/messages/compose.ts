import { buildPlaceholderValues } from '../../../domain/business/messages/placeholder-values';
import type { DocumentFacts } from '../../../domain/business/messages/placeholder-values';
import { fillTemplate } from '../../../domain/business/messages/templates';
import type { MessageTemplate } from '../../../domain/business/messages/templates';
import { TEST_MESSAGES } from '../../../domain/business/messages/default-templates';
import { getFormats } from '../../../domain/business/documents/formats';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';

/** Fills a template with what is known about a document; numbers and dates are formatted as on its page. */
export function composeAboutDocument(template: MessageTemplate, facts: DocumentFacts): MessageTemplate {
  const { language, seller, currencyCode, currencyDecimals } = facts.document;
  const { country } = seller.address;
  const locale = country === null ? language : `${language}-${country}`;
  return fillTemplate(template, buildPlaceholderValues(facts, getFormats({ locale, currencyCode, currencyDecimals })));
}

/** The message that shows whether the settings work. */
export function composeTestMessage(language: DocumentLanguage, companyName: string): MessageTemplate {
  const { subject, text } = TEST_MESSAGES[language];
  const fill = (part: string): string => part.replaceAll('{{companyName}}', () => companyName);
  return { subject: fill(subject), text: `${fill(text)}\n` };
}
