import { AppError } from '../../../domain/errors';

/**
 * Rejects a change that is based on an earlier version.
 * @param seen version in If-Match; undefined if the header was not sent
 * @throws AppError 412
 */
export function requireVersion(current: number, seen: number | undefined): void {
  if (seen === undefined || seen === current) return;
  throw new AppError('version_mismatch', 412, 'If-Match: the record has changed since it was read; read it again.', {
    fields: [{ field: 'If-Match', problem: `is version ${seen}, the record is at ${current}` }],
  });
}
