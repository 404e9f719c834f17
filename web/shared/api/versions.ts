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

/** Whether a change was rejected because the record has changed since it was read. */
export const isVersionConflict = (error: unknown): boolean => error instanceof VouchError && error.status === 412;
