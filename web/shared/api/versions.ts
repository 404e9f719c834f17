import type { CallOptions } from '../../../clients/typescript/src/calls';
import { VouchError } from '../../../clients/typescript/src/errors';

/** A record with the ETag that the API sent with it; null if it sent none. */
export interface Versioned<T> {
  record: T;
  etag: string | null;
}

/** Reads a record with its ETag. */
export async function readVersion<T>(
  read: (options: CallOptions) => Promise<{ data: T }>,
  options: CallOptions = {},
): Promise<Versioned<T>> {
  let etag: string | null = null;
  const { data } = await read({ ...options, onResponse: ({ headers }) => (etag = headers.get('etag')) });
  return { record: data, etag };
}

/** Options of a change that the API rejects (412) if the record is not at this version any more. */
export const ifMatch = (etag: string | null): CallOptions => (etag === null ? {} : { headers: { 'if-match': etag } });

/**
 * Changes a record that is shown without its ETag, as in a list, only while it is as the user sees it.
 *
 * @param isAsSeen whether the current record has the values on which the change is based
 * @throws VouchError 412, as the API does, if another user has changed it
 */
export async function changeAsSeen<T, R>(
  read: (options: CallOptions) => Promise<{ data: T }>,
  isAsSeen: (current: T) => boolean,
  change: (options: CallOptions) => Promise<R>,
): Promise<R> {
  const { record, etag } = await readVersion(read);
  if (!isAsSeen(record))
    throw new VouchError({
      status: 412,
      code: 'version_mismatch',
      message: 'The record has changed.',
      details: {},
      requestId: null,
      retryAfterSeconds: null,
    });
  return change(ifMatch(etag));
}

/** Whether a change was rejected because the record has changed since it was read. */
export const isVersionConflict = (error: unknown): boolean => error instanceof VouchError && error.status === 412;
