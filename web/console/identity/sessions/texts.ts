import type en from '../../locales/en/sessions.json';

declare module '../../../shared/i18n' {
  interface Texts {
    sessions: typeof en;
  }
}
