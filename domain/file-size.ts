import { AppError } from './errors';

export const MEGABYTE = 1024 * 1024;

const MAX_FILE_MEGABYTES = 15;

/** Largest file that a request may contain. */
export const MAX_FILE_BYTES = MAX_FILE_MEGABYTES * MEGABYTE;

/** The limit of a file in texts. */
export const MAX_FILE_SIZE = `${MAX_FILE_MEGABYTES} MB`;

/** 413 for a file above the limit, naming its field. */
export function fileTooLargeError(field: string): AppError {
  const problem = `accepts at most ${MAX_FILE_SIZE}`;
  return new AppError('file_too_large', 413, `${field}: ${problem}.`, { fields: [{ field, problem }] });
}
