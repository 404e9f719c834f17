import { useTranslation } from 'react-i18next';
import type en from '../../locales/en/risks.json';
import type { Risk } from './session';

declare module '../../../shared/i18n' {
  interface Texts {
    risks: typeof en;
  }
}

/** The text of a risk in the language of the console; codes of a newer service have the message of the API. */
export function useRiskText(): (code: Risk['code'], message?: string) => string {
  const { t } = useTranslation('risks');
  return (code, message = code) => t(code, { defaultValue: message });
}
