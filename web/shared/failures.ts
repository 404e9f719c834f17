import type { TFunction } from 'i18next';
import { InvalidRequestError, VouchError } from '../../clients/typescript/src/errors';

/** A failure in the user's words. Messages of the API name the field and what is accepted, so they are shown as they are. */
export function describeFailure(error: unknown, t: TFunction<'shared'>): string {
  if (!(error instanceof VouchError)) return t('unexpected', { requestId: '–' });
  if (error.status === 0) return t('noConnection');
  if (error.status === 503) return t('unavailable');
  if (error.status === 412) return t('changedMeanwhile');
  if (error.status >= 500) return t('unexpected', { requestId: error.requestId ?? '–' });
  return error.message;
}

/** Problems of a request by the path of the form field, such as `lines.0.quantity`. */
export function listFieldProblems(error: unknown): Record<string, string> {
  if (!(error instanceof InvalidRequestError)) return {};
  return Object.fromEntries(error.fields.map(({ field, problem }) => [field.replace(/\[(\d+)\]/g, '.$1'), problem]));
}
