import type en from '../../locales/en/branding.json';

declare module '../../../shared/i18n' {
  interface Texts {
    branding: typeof en;
  }
}
