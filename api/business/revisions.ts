import { toCanonicalJson } from '../../domain/canonical-json';
import { invalidRequestError, invalidFieldError } from '../../domain/errors';
import type { RouteContext } from '../http/route';

/** The ETag is the version of the record, followed by the version of derived figures such as stock or open amount. */
export const buildEtagHeader = (version: number, derived?: number): { ETag: string } => ({
  ETag: derived === undefined ? `"${version}"` : `"${version}.${derived}"`,
});

/**
 * The version in If-Match; undefined if the header is absent or `*`. A weak ETag (`W/"…"`) counts like a strong one,
 * because proxies that compress responses weaken the ETags that clients send back.
 * @throws AppError 400 if it is not an ETag of this API
 */
export function parseIfMatch(context: RouteContext): number | undefined {
  const sent = context.header('if-match')?.trim();
  if (sent === undefined || sent === '*') return undefined;
  const version = /^(?:W\/)?"(\d{1,15})(?:\.\d{1,15})?"$/.exec(sent)?.[1];
  if (version === undefined) throw invalidFieldError('If-Match', 'must be one ETag as it was received, or *');
  return Number(version);
}

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
