import type en from '../../locales/en/kyb.json';

declare module '../../../shared/i18n' {
  interface Texts {
    kyb: typeof en;
  }
}
