import { toCanonicalJson } from '../../domain/canonical-json';
import { invalidRequestError } from '../../domain/errors';

export { buildEtagHeader, parseIfMatch } from '../http/versions';

/**
 * The body of a PUT without its read-only fields, which a client may send back as it read them.
 * @param current the record as its GET returns it.
 * @throws AppError 400 naming each read-only field that differs from the record.
 */
export function stripReadOnlyFields<T extends object, K extends keyof T & string>(
  sent: T,
  current: Record<string, unknown>,
  readOnly: readonly K[],
): T {
  const changed = readOnly.filter(
    (name) => sent[name] !== undefined && toCanonicalJson(sent[name]) !== toCanonicalJson(current[name]),
  );
  if (changed.length > 0)
    throw invalidRequestError(changed.map((field) => ({ field, problem: 'is read-only and differs from the record' })));
  return omitFields(sent, readOnly);
}

/** A copy without the fields. */
export function omitFields<T extends object, K extends keyof T>(sent: T, names: readonly K[]): T {
  const writable = { ...sent };
  for (const name of names) delete writable[name];
  return writable;
}

/**
 * The same for the lines of a document, which are matched by `lineId`.
 * @throws AppError 400 naming each field that differs from its line
 */
export function stripReadOnlyLineFields<T extends { lineId?: number | undefined }, K extends keyof T & string>(
  lines: readonly T[],
  current: readonly Record<string, unknown>[],
  readOnly: readonly K[],
): Omit<T, K>[] {
  const problems = lines.flatMap((sent, index) => {
    const currentLine = current.find((each) => each['lineId'] === sent.lineId) ?? {};
    return readOnly
      .filter(
        (name) =>
          sent[name] !== undefined && toCanonicalJson(sent[name]) !== toCanonicalJson(currentLine[name] ?? null),
      )
      .map((name) => ({
        field: `lines[${index}].${name}`,
        problem: 'is read-only and differs from the line of lineId',
      }));
  });
  if (problems.length > 0) throw invalidRequestError(problems);
  return lines.map((line) => omitFields(line, readOnly));
}
