import type en from '../../locales/en/profile.json';

declare module '../../../shared/i18n' {
  interface Texts {
    profile: typeof en;
  }
}
