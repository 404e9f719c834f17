import { STATUS_CODES } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Refusal {
  status: number;
  code: string;
  message: string;
}

const MALFORMED: Refusal = { status: 400, code: 'invalid_request', message: 'The request is not well-formed HTTP.' };

const WITHOUT_HOST: Refusal = { ...MALFORMED, message: 'The request has no Host header, which HTTP/1.1 requires.' };

/** By the code of the error of Node's parser. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'invalid_request', message: 'The headers accept at most 16 KB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' },
};

/** The body of a refusal for which no API is known: it has the fields of an error of both. */
export const buildRefusalBody = ({ code, message }: Pick<Refusal, 'code' | 'message'>) => ({
  ok: false,
  message,
  code,
  error: { code, message },
});

/** Headers and body of a refusal. */
function buildContent(refusal: Refusal): {
  headers: Readonly<Record<string, string | number>>;
  body: string;
} {
  const body = JSON.stringify(buildRefusalBody(refusal));
  const headers = {
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  };
  return { headers, body };
}

/** The whole response: it is written to the connection, since the parser has no request to answer. */
function buildResponse(refusal: Refusal): string {
  const { status } = refusal;
  const { headers, body } = buildContent(refusal);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...fields, '', body].join('\r\n');
}

/** A listener of requests of HTTP/1.1 that have a `Host` (RFC 9112, 3.2); others are refused. */
export const requireHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (request.httpVersion !== '1.1' || request.headers.host !== undefined) return void listener(request, response);
    const { headers, body } = buildContent(WITHOUT_HOST);
    response.writeHead(WITHOUT_HOST.status, headers).end(body);
  };

/**
 * Answers requests that the HTTP parser rejects, such as one with headers that are too large, with a JSON body as every
 * other error; Node would answer without a body, as it would an unknown `Expect`. A connection on which a response is on
 * its way is closed instead.
 */
export function answerMalformedRequests(server: Server): Server {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }, response: ServerResponse) => latest.set(socket, response));
  // An expectation that the server does not know is ignored, as RFC 9110, 10.1.1 permits.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket);
    const isAnswering = response !== undefined && response.headersSent && !response.writableEnded;
    if (isAnswering || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // The client asked for no further response on this connection, which ends after this one.
    if (response?.writableEnded === true && !response.shouldKeepAlive) return;
    const refuse = (): void => {
      if (socket.writable) socket.end(buildResponse(REFUSALS[error.code ?? ''] ?? MALFORMED), () => socket.destroy());
    };
    // The end of the response before may still be in memory, if both requests arrived together.
    if (response?.writableEnded === true && !response.writableFinished) response.once('finish', refuse);
    else refuse();
  });
}
