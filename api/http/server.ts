import { createServer as createHttpServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { readPem } from '../../lib/pem-file';
import type { Config } from '../../lib/config';
import { KEEP_ALIVE_MS } from '../../lib/http-keep-alive';
import { answerMalformedRequests, requireHost } from './malformed-requests';

const MAX_HEADERS_MS = 20_000;
const MAX_CHECKING_INTERVAL_MS = 5000;
type ServerSettings = Pick<Config, 'TLS_CERT' | 'TLS_KEY' | 'REQUEST_TIMEOUT_SECONDS'>;

/**
 * Closes a connection on which nothing was sent in time. Node would answer it with 408, which a client that begins its
 * request at that moment takes for the response to it.
 */
function closeUnused(socket: Socket, timeoutMs: number): void {
  const timer = setTimeout(() => {
    if (socket.bytesRead === 0) socket.destroy();
  }, timeoutMs);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * The HTTP server of the API. It closes connections whose request does not arrive in time; responses may take any time.
 * A body that is being read gets 408 from its reader first (`transfer-limits.ts`), which is why the server waits longer.
 * @throws ConfigError if a file of TLS cannot be read
 */
export function createServer(
  { TLS_CERT, TLS_KEY, REQUEST_TIMEOUT_SECONDS }: ServerSettings,
  listener: RequestListener,
): Server {
  const timeoutMs = REQUEST_TIMEOUT_SECONDS * 1000;
  const checkingMs = Math.min(MAX_CHECKING_INTERVAL_MS, timeoutMs / 4);
  const headersTimeout = Math.min(MAX_HEADERS_MS, timeoutMs);
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout,
    requestTimeout: timeoutMs + checkingMs,
    connectionsCheckingInterval: checkingMs,
    // Instead of by `requireHost`, Node would refuse a request without a body.
    requireHostHeader: false,
  };
  const requestListener = requireHost(listener);
  const server =
    TLS_CERT === undefined || TLS_KEY === undefined
      ? createHttpServer(options, requestListener)
      : createHttpsServer(
          { ...options, cert: readPem('TLS_CERT', TLS_CERT), key: readPem('TLS_KEY', TLS_KEY), minVersion: 'TLSv1.2' },
          requestListener,
        );
  // Before the server looks for connections whose headers have not arrived.
  answerMalformedRequests(server);
  return server.on('connection', (socket: Socket) => closeUnused(socket, headersTimeout - checkingMs));
}
