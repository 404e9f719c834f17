import type en from '../../locales/en/faces.json';

declare module '../../../shared/i18n' {
  interface Texts {
    faces: typeof en;
  }
}
