import { useTranslation } from 'react-i18next';
import type en from '../locales/en/failure-reasons.json';

declare module '../../shared/i18n' {
  interface Texts {
    'failure-reasons': typeof en;
  }
}

/** The text of an error code in the language of the console; a code of a newer service stays as it is. */
export function useReasonText(): (code: string) => string {
  // Waiting for the texts would remove the page around the code, with an open dialog.
  const { t } = useTranslation('failure-reasons', { useSuspense: false });
  return (code) => t(code as keyof typeof en, { defaultValue: code });
}

/** Why something failed, in the language of the console. Its code, by which an operator finds it in the logs, is its title. */
export function FailureReason({ code }: { code: string }) {
  const describe = useReasonText();
  return <span title={code}>{describe(code)}</span>;
}
