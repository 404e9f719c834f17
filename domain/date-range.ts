import { invalidFieldError } from './errors';

/** One end of a range of days or times. */
export interface RangeEnd<T extends Date | string> {
  /** The name of its field. */
  field: string;
  /** As it was sent, or a default. */
  sent: string | undefined;
  /** The first or the last day or time of the range; undefined without a limit. */
  value: T | undefined;
}

/**
 * Asserts that a range does not end before it begins: nothing can lie in it, and an empty list would hide the mistake.
 * @throws AppError 400 naming the field of its beginning
 */
export function requireRangeOrder<T extends Date | string>(first: RangeEnd<T>, last: RangeEnd<T>): void {
  if (first.value === undefined || last.value === undefined || first.value <= last.value) return;
  throw invalidFieldError(first.field, `must not be after ${last.field}, ${last.sent ?? ''}`);
}
