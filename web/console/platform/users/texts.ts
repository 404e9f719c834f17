import type en from '../../locales/en/users.json';

declare module '../../../shared/i18n' {
  interface Texts {
    users: typeof en;
  }
}
