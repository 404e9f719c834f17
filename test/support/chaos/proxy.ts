import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/**
 * What a proxy does to its connections:
 * - `forward`: nothing.
 * - `refuse`: closes every connection at once, as a host that is down.
 * - `stall`: holds every byte and passes it on later, as a network whose packets are sent again.
 * - `lose`: connections that exist now never transfer a byte again and are not closed; new ones are refused.
 * - `delay`: passes each part on after {@link DELAY_MS}.
 * - `duplicate`: sends what a client sends to the server a second time, on another connection.
 */
export type ProxyMode = 'forward' | 'refuse' | 'stall' | 'lose' | 'delay' | 'duplicate';

/** One way, for every part. */
export const DELAY_MS = 100;

interface Link {
  client: Socket;
  server: Socket;
  /** Receives the same bytes as `server`; what it answers is dropped. */
  copy: Socket | null;
  lost: boolean;
}

/** A TCP proxy in front of an engine or of the API, whose connections can be disturbed. */
export class Proxy {
  private mode: ProxyMode = 'forward';
  private readonly links = new Set<Link>();
  /** Parts that wait, in the order in which they arrived. */
  private readonly held = new Set<() => void>();
  /** Receivers that are not ready for more. */
  private readonly full = new WeakSet<Socket>();

  private constructor(
    private readonly listener: Server,
    private readonly findTarget: () => number,
  ) {}

  /**
   * @param findTarget the port of the server on loopback; read for every connection
   * @param port 0 for any
   */
  static async listen(findTarget: () => number, port = 0): Promise<Proxy> {
    const listener = createServer({ noDelay: true });
    const proxy = new Proxy(listener, findTarget);
    listener.on('connection', (client) => proxy.accept(client));
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    // The proxy ends with its process.
    listener.unref();
    return proxy;
  }

  /** The port on loopback at which clients reach the target. */
  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** Number of parts that are held back. */
  get waiting(): number {
    return this.held.size;
  }

  /** Applies a mode to present and future connections. */
  disturb(mode: ProxyMode): void {
    this.mode = mode;
    for (const link of this.links) {
      if (mode === 'refuse') [link.client, link.server].forEach((socket) => socket.destroy());
      if (mode === 'lose') link.lost = true;
    }
    if (mode !== 'stall') this.releaseAll();
  }

  private releaseAll(): void {
    const parts = [...this.held];
    this.held.clear();
    for (const release of parts) release();
  }

  private accept(client: Socket): void {
    if (this.mode === 'refuse' || this.mode === 'lose') {
      client.on('error', () => undefined).destroy();
      return;
    }
    const open = (): Socket => connect({ port: this.findTarget(), host: '127.0.0.1', noDelay: true });
    const copy =
      this.mode === 'duplicate'
        ? open()
            .on('error', () => undefined)
            .resume()
        : null;
    const link: Link = { client, server: open(), copy, lost: false };
    this.links.add(link);
    // Connections do not keep the process alive.
    for (const socket of [client, link.server, copy]) socket?.unref();
    this.forward(link, client, [link.server, ...(copy === null ? [] : [copy])]);
    this.forward(link, link.server, [client]);
  }

  private forward(link: Link, from: Socket, targets: readonly Socket[]): void {
    from.on('data', (bytes: Buffer) => {
      if (link.lost) return;
      this.pass(() => {
        for (const to of targets) if (!to.destroyed && !to.write(bytes)) this.awaitDrain(from, to);
      });
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      if (!link.lost) this.pass(() => this.close(link));
      this.links.delete(link);
    });
  }

  private awaitDrain(from: Socket, to: Socket): void {
    from.pause();
    // Held parts are written at once: each would add listeners.
    if (this.full.has(to)) return;
    this.full.add(to);
    const resume = (): void => {
      to.off('drain', resume).off('close', resume);
      this.full.delete(to);
      from.resume();
    };
    to.on('drain', resume).on('close', resume);
  }

  /** Runs `action` when the mode lets a part through; the order of parts is kept. */
  private pass(action: () => void): void {
    if (this.mode !== 'stall' && this.mode !== 'delay') {
      action();
      return;
    }
    this.held.add(action);
    if (this.mode === 'stall') return;
    // What arrives after the end of the delay must not overtake this part, so the end lets it through earlier.
    setTimeout(() => {
      if (this.held.delete(action)) action();
    }, DELAY_MS).unref();
  }

  private close({ client, server, copy }: Link): void {
    client.end();
    server.end();
    // What a copied request does must be complete, too.
    copy?.end();
    setTimeout(() => [client, server].forEach((socket) => socket.destroy()), 1000).unref();
  }

  /** Closes every connection and the port. */
  async stop(): Promise<void> {
    for (const { client, server, copy } of this.links) for (const socket of [client, server, copy]) socket?.destroy();
    this.listener.close();
    await once(this.listener, 'close');
  }
}
