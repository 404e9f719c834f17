import { buildPlaceholderValues, buildStatementValues } from '../../../domain/business/messages/placeholder-values';
import type { DocumentFacts } from '../../../domain/business/messages/placeholder-values';
import { fillTemplate } from '../../../domain/business/messages/templates';
import type { MessageTemplate } from '../../../domain/business/messages/templates';
import { TEST_MESSAGES } from '../../../domain/business/messages/default-templates';
import { getFormats } from '../../../domain/business/documents/formats';
import { toDecimalString } from '../../../domain/business/documents/printable-document';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import type { DocumentLanguage, SellerSnapshot } from '../../../domain/business/invoices/invoice';
import type { StatementDocument } from '../../../domain/business/payments/statement';

const getLocale = (language: DocumentLanguage, { address: { country } }: SellerSnapshot): string =>
  country === null ? language : `${language}-${country}`;

/** Fills a template with what is known about a document; numbers and dates are formatted as on its page. */
export function composeAboutDocument(template: MessageTemplate, facts: DocumentFacts): MessageTemplate {
  const { language, seller, currencyCode, currencyDecimals } = facts.document;
  const locale = getLocale(language, seller);
  return fillTemplate(template, buildPlaceholderValues(facts, getFormats({ locale, currencyCode, currencyDecimals })));
}

/** Fills a template with what is known about a statement. @param currencyCode of the balance of an account without entries */
export function composeAboutStatement(
  template: MessageTemplate,
  statement: StatementDocument,
  currencyCode: string,
): MessageTemplate {
  const locale = getLocale(statement.language, statement.seller);
  const empty = { currencyCode, currencyDecimals: getCurrencyDecimals(currencyCode), closing: '0' };
  const accounts = statement.accounts.length === 0 ? [empty] : statement.accounts;
  const balances = accounts.map(({ closing, ...currency }) =>
    getFormats({ locale, ...currency }).money(toDecimalString(closing)),
  );
  const formats = getFormats({ locale, currencyCode, currencyDecimals: empty.currencyDecimals });
  return fillTemplate(template, buildStatementValues(statement, balances, formats));
}

/** The message that shows whether the settings work. */
export function composeTestMessage(language: DocumentLanguage, companyName: string): MessageTemplate {
  const { subject, text } = TEST_MESSAGES[language];
  const fill = (part: string): string => part.replaceAll('{{companyName}}', () => companyName);
  return { subject: fill(subject), text: `${fill(text)}\n` };
}
