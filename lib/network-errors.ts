/** Codes of Node about a connection that could not be opened, was lost, or on which nothing was transferred. */
const NETWORK_CODES =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|UND_ERR_(SOCKET|\w*TIMEOUT))$/;

/** Whether an operation failed because a connection could not be opened or was lost. */
export function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && NETWORK_CODES.test(error.code)) return true;
  return error.cause !== undefined && isNetworkError(error.cause);
}

/** Whether a stream ended before its end, as when the connection that it reads from is closed. */
export const isCutOff = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
