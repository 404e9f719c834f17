import type en from '../../locales/en/aml.json';

declare module '../../../shared/i18n' {
  interface Texts {
    aml: typeof en;
  }
}
