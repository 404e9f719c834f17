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

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);
