import { setImmediate as nextIteration, setTimeout as delay } from 'node:timers/promises';
import type { Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { Server as NetServer } from 'node:net';

/** An idle connection stays open for this long, so that a request that is on its way is still answered. */
const IDLE_MS = 1000;
const POLL_MS = 50;

/** How the connections of a server ended. */
export interface DrainOutcome {
  /** Requests that were not answered in time and whose connections were cut. */
  cut: number;
}

/** Ends a server without losing a request that it accepted or that was sent on an open connection. */
export class DrainingServer {
  private readonly responses = new Set<ServerResponse>();
  private draining = false;

  constructor(
    private readonly server: Server | HttpsServer,
    private readonly idleMs = IDLE_MS,
  ) {
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.responses.add(response);
      response.once('close', () => this.responses.delete(response));
      if (this.draining) response.shouldKeepAlive = false;
    });
  }

  /** True once the server ends: load balancers should send requests elsewhere. */
  get isDraining(): boolean {
    return this.draining;
  }

  /**
   * Stops accepting connections, answers the requests that run or arrive on open connections with `Connection: close`,
   * and closes connections that stay idle.
   * @param graceMs time after which connections with unanswered requests are cut
   */
  async drain(graceMs: number): Promise<DrainOutcome> {
    const startedAt = performance.now();
    this.draining = true;
    for (const response of this.responses) response.shouldKeepAlive = false;
    // Connections that clients have opened by now are accepted before the port is closed; closing it would reset them.
    await nextIteration();
    const closed = this.closePort();
    await Promise.race([closed, delay(Math.min(this.idleMs, graceMs), undefined, { ref: false })]);
    while (!(await this.hasClosed(closed))) {
      if (performance.now() - startedAt > graceMs) return this.cutConnections();
      this.server.closeIdleConnections();
    }
    return { cut: 0 };
  }

  /** `close` of an HTTP server would also close idle connections at once, on which a request may be on its way. */
  private closePort(): Promise<void> {
    return new Promise((resolve) => NetServer.prototype.close.call(this.server, () => resolve()));
  }

  private hasClosed(closed: Promise<void>): Promise<boolean> {
    return Promise.race([closed.then(() => true), delay(POLL_MS, false)]);
  }

  private cutConnections(): DrainOutcome {
    const cut = this.responses.size;
    this.server.closeAllConnections();
    return { cut };
  }
}
