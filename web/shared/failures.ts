import type { TFunction } from 'i18next';
import { InvalidRequestError, VouchError } from '../../clients/typescript/src/errors';
import type { FieldProblem } from '../../clients/typescript/src/errors';

/** A failure in the user's words. Messages of the API name the field and what is accepted, so they are shown as they are. */
export function describeFailure(error: unknown, t: TFunction<'shared'>): string {
  if (!(error instanceof VouchError)) return t('unexpectedHere');
  if (error.status === 0) return t('noConnection');
  if (error.status === 503) return t('unavailable');
  if (error.status === 412) return t('changedMeanwhile');
  if (error.status >= 500 && error.requestId !== null) return t('unexpected', { requestId: error.requestId });
  if (error.status >= 500) return t('unexpectedHere');
  return error.message;
}

/** Problems of a request by the path of the form field, such as `lines.0.quantity`. */
export function listFieldProblems(error: unknown): Record<string, FieldProblem> {
  if (!(error instanceof InvalidRequestError)) return {};
  return Object.fromEntries(error.fields.map((each) => [each.field.replace(/\[(\d+)\]/g, '.$1'), each]));
}

/**
 * The problems of a failure that consists of problems with codes alone, which can be written in the user's language
 * instead of its message; empty for any other failure.
 */
export function listCodedProblems(error: unknown): FieldProblem[] {
  if (!(error instanceof VouchError) || error.status >= 500 || error.status === 412) return [];
  const fields = Array.isArray(error.details['fields']) ? (error.details['fields'] as FieldProblem[]) : [];
  return fields.every(({ code }) => code !== undefined) ? fields : [];
}

/**
 * Problems that the text of a failure does not contain, such as the rules that a document violates, one line each.
 * A failure of the service itself has none.
 * @param text the text with which the failure is shown
 */
export function listProblems(error: unknown, text: string): string[] {
  if (!(error instanceof VouchError) || error.status >= 500 || error.status === 412) return [];
  const { fields } = error.details;
  if (!Array.isArray(fields)) return [];
  return (fields as FieldProblem[])
    .filter(({ problem }) => !text.includes(problem))
    .map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`));
}

/**
 * A failure whose problems name the elements of a list by their positions in the form, of which only some were sent. A
 * conflict that names fields, such as more than was received, is shown at them like a field that is not valid.
 *
 * @param positions position in the form of each element that was sent
 */
export function restorePositions(error: unknown, list: string, positions: readonly number[]): unknown {
  if (!(error instanceof VouchError) || !Array.isArray(error.details['fields'])) return error;
  const { status, code, message, requestId, retryAfterSeconds, details } = error;
  const fields = (details['fields'] as FieldProblem[]).map((each) => {
    const { field } = each;
    const [path = '', name, sent] = /^([^[\].]+)\[(\d+)\]/.exec(field) ?? [];
    const position = name === list ? positions[Number(sent)] : undefined;
    return { ...each, field: position === undefined ? field : `${list}[${position}]${field.slice(path.length)}` };
  });
  return new InvalidRequestError(
    { status, code, message, requestId, retryAfterSeconds, details: { ...details, fields } },
    { cause: error },
  );
}
