import type en from '../../locales/en/session-workflows.json';

declare module '../../../shared/i18n' {
  interface Texts {
    'session-workflows': typeof en;
  }
}
