import type en from '../../locales/en/audit.json';

declare module '../../../shared/i18n' {
  interface Texts {
    audit: typeof en;
  }
}
