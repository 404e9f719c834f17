import { AppError } from '../../../domain/errors';

/**
 * Refuses a change made on what is no longer there.
 * @param seen the version the client's If-Match names; undefined: it sent none.
 * @throws AppError 412
 */
export function requireVersion(current: number, seen: number | undefined): void {
  if (seen === undefined || seen === current) return;
  throw new AppError('version_mismatch', 412, 'If-Match: the record has changed since it was read; read it again.', {
    fields: [{ field: 'If-Match', problem: `is version ${seen}, the record is at ${current}` }],
  });
}
