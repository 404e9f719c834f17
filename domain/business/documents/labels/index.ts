import type { DocumentLanguage } from '../../invoices/invoice';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import type { DocumentLabels } from './labels';

export type { DocumentLabels } from './labels';

const LABELS: Readonly<Record<DocumentLanguage, DocumentLabels>> = { en, es, de, fr };

/** The words of a document in the language frozen on it. */
export const getLabels = (language: DocumentLanguage): DocumentLabels => LABELS[language];

/** Replaces every `{name}` for which a value is given. */
export const interpolate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
