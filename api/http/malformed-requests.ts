import { STATUS_CODES } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Refusal {
  status: number;
  code: string;
  message: string;
}

const MALFORMED: Refusal = { status: 400, code: 'invalid_request', message: 'The request is not well-formed HTTP.' };

/** By the code of the error of Node's parser. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'invalid_request', message: 'The headers accept at most 16 KB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' },
};

/** The whole response: it is written to the connection, since the parser has no request to answer. */
function buildResponse({ status, code, message }: Refusal): string {
  // The path may not be known: the body has the fields of an error of both APIs.
  const body = JSON.stringify({ ok: false, message, code, error: { code, message } });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/**
 * Answers requests that the HTTP parser rejects, such as one with headers that are too large, with a JSON body as every
 * other error; Node would answer without a body. A connection on which a response is on its way is closed instead.
 */
export function answerMalformedRequests(server: Server): Server {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }, response: ServerResponse) => latest.set(socket, response));
  return server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket);
    const isAnswering = response !== undefined && response.headersSent && !response.writableFinished;
    if (isAnswering || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    socket.end(buildResponse(REFUSALS[error.code ?? ''] ?? MALFORMED), () => socket.destroy());
  });
}
