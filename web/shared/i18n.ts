import i18next from 'i18next';
import type { BackendModule, ResourceKey } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type en from './locales/en/shared.json';

/**
 * The texts by namespace. An application adds its own by declaration merging, from its English files, so that the keys of
 * `t` are checked:
 *
 * @example
 * import type en from '../locales/en/sessions.json';
 * declare module '../../shared/i18n' {
 *   interface Texts {
 *     sessions: typeof en;
 *   }
 * }
 */
export interface Texts {
  shared: typeof en;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: Texts;
    returnNull: false;
  }
}

const sharedFiles: TextFiles = import.meta.glob('./locales/*/*.json');

/** Files of texts as `import.meta.glob('./locales/*\/*.json')` lists them. */
export type TextFiles = Record<string, () => Promise<unknown>>;

const hasDefault = (module: unknown): module is { default: ResourceKey } =>
  typeof module === 'object' && module !== null && 'default' in module;

/** Loads the file of a namespace when a component first needs it. */
const createBackend = (files: TextFiles): BackendModule => ({
  type: 'backend',
  init: () => undefined,
  read(language, namespace, callback) {
    const file = `./locales/${language}/${namespace}.json`;
    const load = files[file] ?? sharedFiles[file] ?? (() => Promise.resolve({ default: {} }));
    load().then(
      (module) => callback(null, hasDefault(module) ? module.default : {}),
      (error: unknown) => callback(error instanceof Error ? error : String(error), null),
    );
  },
});

interface TranslationOptions {
  languages: readonly string[];
  files: TextFiles;
  /** Namespaces that are loaded before the first page is shown. */
  namespaces: readonly string[];
  /** Takes precedence over the languages that the browser prefers. */
  language?: string | null;
}

/** The first of these languages that the user prefers; the first at all if none is. */
function chooseLanguage({ languages, language }: TranslationOptions): string {
  const preferred = [...(language ? [language] : []), ...navigator.languages].map((tag) => tag.split('-')[0]);
  return preferred.find((tag) => tag !== undefined && languages.includes(tag)) ?? languages[0] ?? 'en';
}

/** Prepares translations; components call `useTranslation`, which waits for its namespace. */
export async function startTranslations(options: TranslationOptions): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
    document.documentElement.dir = i18next.dir(language);
  });
  await i18next
    .use(initReactI18next)
    .use(createBackend(options.files))
    .init({
      lng: chooseLanguage(options),
      fallbackLng: options.languages[0] ?? 'en',
      supportedLngs: [...options.languages],
      ns: [...options.namespaces, 'shared'],
      defaultNS: options.namespaces[0] ?? 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    });
}
