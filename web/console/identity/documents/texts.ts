import type en from '../../locales/en/blocklist.json';

declare module '../../../shared/i18n' {
  interface Texts {
    blocklist: typeof en;
  }
}
