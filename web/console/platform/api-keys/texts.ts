import type en from '../../locales/en/api-keys.json';

declare module '../../../shared/i18n' {
  interface Texts {
    'api-keys': typeof en;
  }
}
