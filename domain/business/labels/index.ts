import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import type { InvoiceLabels } from './labels';

export type { InvoiceLabels } from './labels';

const LABELS = { en, es, de, fr } as const satisfies Record<string, InvoiceLabels>;

/** Languages an invoice can be printed in (ISO 639-1). */
export type InvoiceLanguage = keyof typeof LABELS;

export const INVOICE_LANGUAGES: readonly InvoiceLanguage[] = ['en', 'es', 'de', 'fr'];

export const labelsFor = (language: InvoiceLanguage): InvoiceLabels => LABELS[language];

/**
 * The invoice language of a BCP 47 tag: `de-AT` → `de`. A language we cannot print is printed in English, which every
 * trading partner's accountant can be expected to read.
 */
export function invoiceLanguageOf(locale: string): InvoiceLanguage {
  const primary = locale.split(/[-_]/)[0]?.toLowerCase();
  return INVOICE_LANGUAGES.find((language) => language === primary) ?? 'en';
}

/** Replaces every `{name}` for which a value is given. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
