import { useTranslation } from 'react-i18next';
import { InvalidRequestError, VouchError } from '../../../clients/typescript/src/errors';
import type en from '../locales/en/failures.json';

declare module '../../shared/i18n' {
  interface Texts {
    failures: typeof en;
  }
}

/** Whether the id in the address of a page is not one that a record can have; no page has a field for it. */
export const isMalformedId = (error: unknown): boolean =>
  error instanceof InvalidRequestError && error.fields.length > 0 && error.fields.every(({ field }) => field === 'id');

/**
 * The text of a failure by its error code, in the language of the console and for its users: messages of the API name
 * requests and fields. Undefined for a code without one.
 */
export function useFailureText(): (error: unknown) => string | undefined {
  // Waiting for the texts would remove the page around the failure, with an open dialog.
  const { t } = useTranslation('failures', { useSuspense: false });
  return (error) => {
    if (!(error instanceof VouchError)) return undefined;
    const code = isMalformedId(error) ? 'not_found' : error.code;
    const text = t(code as keyof typeof en, { seconds: error.retryAfterSeconds ?? '', defaultValue: '' });
    return text === '' ? undefined : text;
  };
}
