import type en from '../../locales/en/home.json';

declare module '../../../shared/i18n' {
  interface Texts {
    home: typeof en;
  }
}
