import type { LookupFunction } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'undici';
import type { Dispatcher } from 'undici';
import { INSTALLATION } from '../../domain/platform/installation';
import { getAddressFamily, isPublicAddress } from './address';
import { egressError, classifyEgressFailure } from './failure';
import { KeptConnections } from './kept-connections';
import { NameResolver } from './name-resolver';
import { parseAllowList, getUnbracketedHost, formatHostPort, inspectUrl } from './url';
import type { UrlProblem } from './url';

/** Resolves a host name to all its addresses, on behalf of a tenant; rejects if there are none. */
export type HostResolver = (host: string, tenant: string) => Promise<readonly string[]>;

export interface EgressOptions {
  /** Exact `host:port` pairs (EGRESS_ALLOW) that may have private addresses and use plain HTTP. */
  allow: readonly string[];
  /** DNS servers (DNS_SERVERS). @default those of the system */
  dnsServers?: readonly string[];
  /** @default a `NameResolver` */
  resolve?: HostResolver;
}

export interface EgressRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Limit for the whole request: DNS lookup, connection, response and body. */
  timeoutMs: number;
  /** The response body is truncated at this size and the connection closed. */
  maxBodyBytes: number;
  /** Rejects plain HTTP except for the exceptions. @default false */
  requireHttps?: boolean;
  /** Additional `host:port` exceptions for this request, such as those of an organisation. */
  additionalAllow?: readonly string[];
  /** Organisation on whose behalf the request is sent; limits its DNS lookups. @default the installation */
  tenant?: string;
  /**
   * Keeps the connection for further requests of the tenant with the same value, such as the id of a webhook, to the same
   * server at the same checked addresses. Requests with other values have connections of their own, so that none waits
   * for theirs. If the server closes a kept connection instead of responding, the request is sent again over a new one:
   * only for requests that may arrive twice. @default the connection is not kept
   */
  keepConnectionFor?: string;
  /** Receives the body of a 200 response of any size instead of memory; ended at the end of the body. */
  saveTo?: Writable;
}

export interface EgressResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The first `maxBodyBytes` of the body; empty if it was written to `saveTo`. */
  bodyStart: Buffer;
  truncated: boolean;
}

/** A server that a connection of another protocol than HTTP is opened to. */
export interface EgressTarget {
  /** Host name or address; IPv6 without brackets. */
  host: string;
  port: number;
  /** As in {@link EgressRequest}. */
  additionalAllow?: readonly string[];
  tenant?: string;
}

/** The checked addresses of a server. */
export interface CheckedTarget {
  /** At least one. */
  addresses: readonly string[];
  /** Whether the operator allows this `host:port` explicitly; it may then be private, and need not encrypt. */
  isException: boolean;
}

/** The only client for outbound requests; see {@link createEgress}. */
export interface Egress {
  /**
   * Sends one request. Every status is a result; redirects are not followed.
   * @throws AppError `egress_refused` (400), `egress_failed` (503) or `egress_busy` (503, nothing was sent), with the reason
   * in `details.reason`
   */
  request(request: EgressRequest): Promise<EgressResponse>;
  /**
   * Resolves a server for a connection of another protocol, which has to use one of the returned addresses.
   * @throws AppError `egress_refused` (400), `egress_failed` or `egress_busy` (503), as for requests
   */
  resolveTarget(target: EgressTarget): Promise<CheckedTarget>;
  /** Checks a URL without a DNS query. @returns the problem, or undefined if there is none */
  findUrlProblem(url: string, rules?: { requireHttps?: boolean }): UrlProblem | undefined;
  /** Aborts running requests. */
  close(): Promise<void>;
}

/** A lookup function that returns the checked addresses, so that no second DNS query can return others. */
const createPinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const entries = addresses.map((address) => ({ address, family: getAddressFamily(address) }));
    const usable = entries.filter((entry) => !options.family || entry.family === Number(options.family));
    const first = usable[0];
    if (first === undefined)
      callback(Object.assign(new Error('No address of this family.'), { code: 'ENOTFOUND' }), '', 0);
    else if (options.all === true) callback(null, usable);
    else callback(null, first.address, first.family);
  };

async function readBodyStart(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<{ bodyStart: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop destroys the stream, so the rest is not read.
    if (length > maxBytes) break;
  }
  return { bodyStart: Buffer.concat(chunks).subarray(0, maxBytes), truncated: length > maxBytes };
}

/** Reads at most `maxBytes` of the body. */
async function saveBody(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  to: Writable,
): Promise<{ bodyStart: Buffer; truncated: boolean }> {
  let length = 0;
  const limited = async function* (): AsyncIterable<Buffer> {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > maxBytes) return;
      yield chunk;
    }
  };
  await pipeline(limited, to);
  return { bodyStart: Buffer.alloc(0), truncated: length > maxBytes };
}

/** A connection that has served earlier requests was closed instead of serving this one. */
class KeptConnectionClosedError extends Error {}

/** Sends one request over a connection to one of the checked addresses. */
async function sendRequest(
  dispatcher: Dispatcher,
  { url, request }: PreparedRequest,
  options: { signal?: AbortSignal; wasClosed?: (error: unknown) => boolean } = {},
): Promise<EgressResponse> {
  const { signal, wasClosed } = options;
  const { statusCode, headers, body } = await dispatcher
    .request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: request.headers ?? {},
      headersTimeout: request.timeoutMs,
      bodyTimeout: request.timeoutMs,
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(signal === undefined ? {} : { signal }),
    })
    .catch((error: unknown) => {
      throw wasClosed?.(error) === true ? new KeptConnectionClosedError() : error;
    });
  const { saveTo, maxBodyBytes } = request;
  const read =
    statusCode === 200 && saveTo !== undefined
      ? await saveBody(body, maxBodyBytes, saveTo)
      : await readBodyStart(body, maxBodyBytes);
  return { status: statusCode, headers, ...read };
}

/** A request whose server was checked. */
interface PreparedRequest {
  url: URL;
  request: EgressRequest;
  addresses: readonly string[];
  /** Rejects when the time of the request is over. */
  passed: Promise<never>;
}

/** Sends requests to checked addresses, over connections of their own or kept ones. */
class Sender {
  private readonly openClients = new Set<Client>();
  private readonly kept = new KeptConnections();

  async send(prepared: PreparedRequest): Promise<EgressResponse> {
    const { keepConnectionFor } = prepared.request;
    if (keepConnectionFor === undefined) return this.sendAlone(prepared);
    try {
      return await this.sendKept(prepared, keepConnectionFor);
    } catch (error) {
      if (error instanceof KeptConnectionClosedError) return this.sendAlone(prepared);
      throw error;
    }
  }

  /** Aborts running requests. */
  async close(): Promise<void> {
    await Promise.all([...this.openClients].map((client) => client.destroy()));
    await this.kept.close();
  }

  private async sendAlone(prepared: PreparedRequest): Promise<EgressResponse> {
    // No keep-alive: the connection is used for this request only.
    const client = new Client(prepared.url.origin, { connect: buildConnect(prepared), pipelining: 0 });
    this.openClients.add(client);
    try {
      return await Promise.race([sendRequest(client, prepared), prepared.passed]);
    } finally {
      this.openClients.delete(client);
      await client.destroy();
    }
  }

  private async sendKept(prepared: PreparedRequest, caller: string): Promise<EgressResponse> {
    const { url, request, addresses, passed } = prepared;
    // Requests of the installation itself, such as those to registers, have lookups of their own.
    const server = { tenant: request.tenant ?? INSTALLATION, caller, origin: url.origin, addresses };
    const connections = this.kept.get(server, buildConnect(prepared));
    const aborting = new AbortController();
    const options = { signal: aborting.signal, wasClosed: (error: unknown) => connections.wasClosed(error) };
    try {
      const response = await Promise.race([sendRequest(connections.pool, prepared, options), passed]);
      connections.hasServed = true;
      return response;
    } finally {
      aborting.abort();
    }
  }
}

const buildConnect = ({ addresses, request }: PreparedRequest) => ({
  lookup: createPinnedLookup(addresses),
  timeout: request.timeoutMs,
});

/** Rejects with `timeout` after `timeoutMs`; `cancel` clears the timer. */
function startDeadline(timeoutMs: number): { passed: Promise<never>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(egressError('timeout')), timeoutMs);
  });
  return { passed, cancel: () => clearTimeout(timer) };
}

/** All addresses of a host, each of which is public unless the operator allows an exception. */
async function resolveAddresses(
  resolve: HostResolver,
  host: string,
  isException: boolean,
  tenant: string,
): Promise<readonly string[]> {
  const addresses = getAddressFamily(host) === 0 ? await resolve(host, tenant) : [host];
  if (addresses.length === 0) throw egressError('dns_failed');
  if (!isException && !addresses.every(isPublicAddress)) throw egressError('address_not_public');
  return addresses;
}

/** `host:port` of a server, in the format of exceptions. */
const formatTarget = ({ host, port }: EgressTarget): string =>
  `${getAddressFamily(host) === 6 ? `[${host}]` : host.toLowerCase()}:${port}`;

/**
 * The HTTP client for URLs from customers or registers. It connects to public addresses only. All addresses of a host
 * name are checked for every request, and it uses a connection to one of these addresses, which prevents DNS rebinding: a
 * new one, or one that is kept for this tenant and exactly these addresses. Redirects are not followed, proxies of the
 * environment are not used, compressed bodies are not requested, and time and body size are limited.
 */
export function createEgress(options: EgressOptions): Egress {
  const allow = parseAllowList(options.allow);
  const names = new NameResolver({ servers: options.dnsServers ?? [] });
  const resolve: HostResolver = options.resolve ?? ((host, tenant) => names.resolve(host, tenant));
  const sender = new Sender();

  return {
    findUrlProblem(url, rules = {}) {
      const inspection = inspectUrl(url, { allow, requireHttps: rules.requireHttps ?? false });
      return 'problem' in inspection ? inspection.problem : undefined;
    },

    async resolveTarget(target) {
      const isException = new Set([...allow, ...parseAllowList(target.additionalAllow ?? [])]).has(
        formatTarget(target),
      );
      const { host, tenant = INSTALLATION } = target;
      return { addresses: await resolveAddresses(resolve, host, isException, tenant), isException };
    },

    async request(request) {
      const exceptions = new Set([...allow, ...parseAllowList(request.additionalAllow ?? [])]);
      const inspection = inspectUrl(request.url, { allow: exceptions, requireHttps: request.requireHttps ?? false });
      if ('problem' in inspection) throw egressError(inspection.problem);
      const { url } = inspection;
      const requestDeadline = startDeadline(request.timeoutMs);
      const tenant = request.tenant ?? INSTALLATION;
      const { passed } = requestDeadline;
      try {
        const isException = exceptions.has(formatHostPort(url));
        const addresses = await Promise.race([
          resolveAddresses(resolve, getUnbracketedHost(url), isException, tenant),
          passed,
        ]);
        return await sender.send({ url, request, addresses, passed });
      } catch (error) {
        throw egressError(classifyEgressFailure(error));
      } finally {
        requestDeadline.cancel();
      }
    },

    async close() {
      names.close();
      await sender.close();
    },
  };
}
