import type { MessageKind } from './message';

/** Kinds of messages whose text a company can change. */
export const TEMPLATE_KINDS = [
  'invoice',
  'credit_note',
  'reminder',
  'statement',
] as const satisfies readonly MessageKind[];
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

export interface MessageTemplate {
  subject: string;
  text: string;
}

/** What a placeholder stands for, by name. */
export const PLACEHOLDERS = {
  companyName: 'Name of the company.',
  customerName: 'Name of the customer.',
  documentNumber: 'Number of the invoice or credit note; empty for a statement.',
  issueDate: 'Date of the document.',
  dueDate: 'Due date; of invoices.',
  total: 'Total with tax and currency; empty for a statement.',
  openAmount: 'What is open, with currency; of a statement, its closing balances; empty for a credit note.',
  periodFrom: 'First day of the period; of statements.',
  periodTo: 'Last day of the period; of statements.',
  link: 'Address of the page where the invoice can be viewed and downloaded; of invoices.',
  daysOverdue: 'Days since the due date; of reminders.',
  level: 'Number of the reminder, from 1; of reminders.',
  fee: 'Fee of the reminder, with currency; empty without one.',
  interestText: 'What the settings say about interest; empty without a text.',
} as const;
export type PlaceholderName = keyof typeof PLACEHOLDERS;
export type PlaceholderValues = Readonly<Record<PlaceholderName, string>>;

export const PLACEHOLDER_NAMES = Object.keys(PLACEHOLDERS);

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

const isPlaceholder = (name: string): name is PlaceholderName => Object.hasOwn(PLACEHOLDERS, name);

/** Finds what is wrong with a template text. @returns the problem, which says what is accepted; undefined if nothing is */
export function findTemplateProblem(text: string): string | undefined {
  const unknown = [...text.matchAll(PLACEHOLDER)]
    .map(([, name = '']) => name.trim())
    .find((name) => !isPlaceholder(name));
  const isUnclosed = /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''));
  if (unknown === undefined && !isUnclosed) return undefined;
  return `accepts the placeholders ${PLACEHOLDER_NAMES.map((name) => `{{${name}}}`).join(', ')}`;
}

/**
 * Replaces each placeholder by its value, once: a value with the form of a placeholder is not replaced again. A line
 * whose only content is placeholders without a value is left out.
 */
function substitute(text: string, values: PlaceholderValues): string {
  const replace = (line: string): string =>
    line.replace(PLACEHOLDER, (whole, name: string) => {
      const trimmed = name.trim();
      return isPlaceholder(trimmed) ? values[trimmed] : whole;
    });
  const isLeftOut = (line: string): boolean => line.includes('{{') && replace(line).trim() === '';
  return text
    .split('\n')
    .filter((line) => !isLeftOut(line))
    .map(replace)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** The message of a template: plain text, and a subject of one line. */
export const fillTemplate = ({ subject, text }: MessageTemplate, values: PlaceholderValues): MessageTemplate => ({
  subject: substitute(subject, values).replace(/\s+/gu, ' ').trim(),
  text: `${substitute(text, values).trim()}\n`,
});
