import type en from '../../locales/en/webhooks.json';

declare module '../../../shared/i18n' {
  interface Texts {
    webhooks: typeof en;
  }
}
