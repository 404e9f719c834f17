import { VouchError } from '../../clients/typescript/src/errors';

/** Why the page cannot continue, as a key of the texts of errors. */
export interface Failure {
  code: string;
  requestId: string | null;
}

const isFailure = (error: unknown): error is Failure =>
  typeof error === 'object' && error !== null && !(error instanceof Error) && 'code' in error && 'requestId' in error;

/** Describes whatever a call has thrown; a failure is returned as it is. */
export function toFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  if (!(error instanceof VouchError)) return { code: 'unexpected', requestId: null };
  return { code: error.status === 0 ? 'connection' : error.code, requestId: error.requestId };
}
