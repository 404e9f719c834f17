import type en from './locales/en/common.json';

/** Languages of the console; the first is used when the browser prefers none of them. */
export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Whether the console is translated into a language, by its tag without a region. */
export const isLanguage = (text: string): text is Language => LANGUAGES.some((language) => language === text);

/** A short text in every language of the console. */
export type Label = Readonly<Record<Language, string>>;

declare module '../shared/i18n' {
  interface Texts {
    common: typeof en;
  }
}
