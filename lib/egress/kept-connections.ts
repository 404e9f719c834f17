import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import type { buildConnector } from 'undici';

/** The server of a request, with the addresses that were checked for it. */
export interface CheckedServer {
  tenant: string;
  /** Whose requests share the connections, such as the id of a webhook. */
  caller: string;
  /** Scheme, host and port. */
  origin: string;
  addresses: readonly string[];
}

/** An idle connection is closed after this time, before most servers do. */
const IDLE_MS = 1000;
/** The most attempts to one webhook at the same time: none waits for a connection while its timeout passes. */
export const MAX_CONNECTIONS = 32;
const MAX_SERVERS = 200;

/** Errors of a connection that the server has closed. */
const CLOSED_CODES: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** The connections to one server that stay open for the next request. */
class ServerConnections {
  /** Whether a request has been served, so that later ones may meet a connection that the server is about to close. */
  hasServed = false;

  constructor(readonly pool: Pool) {}

  /** Whether a request failed because its connection was closed, and may be served over a new one. */
  wasClosed(error: unknown): boolean {
    return this.hasServed && error instanceof Error && 'code' in error && CLOSED_CODES.has(error.code);
  }
}

/** Connections that stay open for the next request of a caller to the same server at the same checked addresses. */
export class KeptConnections {
  private readonly servers = new LRUCache<string, ServerConnections>({
    max: MAX_SERVERS,
    // Requests that are running end first.
    dispose: ({ pool }) => void pool.close(),
  });

  /** @param connect how new connections are opened */
  get({ tenant, caller, origin, addresses }: CheckedServer, connect: buildConnector.BuildOptions): ServerConnections {
    const key = JSON.stringify([tenant, caller, origin, ...[...addresses].sort()]);
    const known = this.servers.get(key);
    if (known !== undefined) return known;
    const pool = new Pool(origin, {
      connect,
      connections: MAX_CONNECTIONS,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    });
    const connections = new ServerConnections(pool);
    this.servers.set(key, connections);
    return connections;
  }

  /** Aborts running requests. */
  async close(): Promise<void> {
    await Promise.all([...this.servers.values()].map(({ pool }) => pool.destroy()));
  }
}
