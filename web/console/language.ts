import i18next from 'i18next';
import { isLanguage } from './texts';
import type { Label, Language } from './texts';

const STORAGE_KEY = 'vouch-console-language';

/** The language that the user chose in this browser; null without a choice. */
export function readLanguage(): Language | null {
  const stored = window.localStorage.getItem(STORAGE_KEY);
  return stored !== null && isLanguage(stored) ? stored : null;
}

/** Shows the console in another language, also after a reload. */
export async function setLanguage(language: Language): Promise<void> {
  window.localStorage.setItem(STORAGE_KEY, language);
  await i18next.changeLanguage(language);
}

/** A label in the current language. */
export const readLabel = (label: Label): string => label[isLanguage(i18next.language) ? i18next.language : 'en'];
