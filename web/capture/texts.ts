import type en from './locales/en/capture.json';

declare module '../shared/i18n' {
  interface Texts {
    capture: typeof en;
  }
}

/** The languages of the page, each with its own name. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ar: 'العربية',
} as const;

export type Language = keyof typeof LANGUAGES;

/** Whether the page is translated into a language, by its tag without a region. */
export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);
