import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'undici';
import { getAddressFamily, isPublicAddress } from './address';
import { egressError, classifyEgressFailure } from './failure';
import { parseAllowList, getUnbracketedHost, formatHostPort, inspectUrl } from './url';
import type { UrlProblem } from './url';

/** All addresses of a host name; rejects when it has none. */
export type HostResolver = (host: string) => Promise<string[]>;

export interface EgressOptions {
  /** Exact `host:port` pairs (EGRESS_ALLOW) that may be private and plain http. */
  allow: readonly string[];
  /** @default the system's resolver */
  resolve?: HostResolver;
}

export interface EgressRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** For the whole of it: name look-up, connection, answer, body. */
  timeoutMs: number;
  /** The answer is read up to here and then cut; the connection is closed. */
  maxBodyBytes: number;
  /** Refuse plain http except to the exceptions. @default false */
  requireHttps?: boolean;
  /** More exact `host:port` exceptions, for this request alone: those of the organisation it is made for. */
  additionalAllow?: readonly string[];
  /** Takes the body of an answer 200, however long, instead of memory; it is ended with it. */
  saveTo?: Writable;
}

export interface EgressResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The body, or its first `maxBodyBytes`; empty where it was saved elsewhere. */
  bodyStart: Buffer;
  truncated: boolean;
}

/** The only door to the outside; see {@link createEgress}. */
export interface Egress {
  /**
   * Sends one request. Any status is an answer, a redirect too: none is followed.
   * @throws AppError `egress_refused` (400) or `egress_failed` (503), with the reason in `details.reason`.
   */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** What is wrong with an address as far as can be told without a name server; undefined when nothing is. */
  findUrlProblem(url: string, rules?: { requireHttps?: boolean }): UrlProblem | undefined;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

const resolveWithSystemDns: HostResolver = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map((entry) => entry.address);

/** Answers the socket's look-up with addresses already checked, so that no second look-up can answer differently. */
const createPinnedLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const entries = addresses.map((address) => ({ address, family: getAddressFamily(address) }));
    const usable = entries.filter((entry) => !options.family || entry.family === Number(options.family));
    const first = usable[0];
    if (first === undefined)
      callback(Object.assign(new Error('No address of that family.'), { code: 'ENOTFOUND' }), '', 0);
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
    // Leaving the loop destroys the stream: the rest is never read, however long it is.
    if (length > maxBytes) break;
  }
  return { bodyStart: Buffer.concat(chunks).subarray(0, maxBytes), truncated: length > maxBytes };
}

/** The body as far as `maxBytes`; the rest is never read. */
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

/** One request over one connection of its own, to one of the addresses that were checked. */
async function sendRequest(client: Client, url: URL, request: EgressRequest): Promise<EgressResponse> {
  const { statusCode, headers, body } = await client.request({
    path: url.pathname + url.search,
    method: request.method,
    headers: request.headers ?? {},
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const { saveTo, maxBodyBytes } = request;
  const read =
    statusCode === 200 && saveTo !== undefined
      ? await saveBody(body, maxBodyBytes, saveTo)
      : await readBodyStart(body, maxBodyBytes);
  return { status: statusCode, headers, ...read };
}

/** Rejects with `timeout` when `timeoutMs` have passed; `cancel` lets the process forget it. */
function startDeadline(timeoutMs: number): { passed: Promise<never>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(egressError('timeout')), timeoutMs);
  });
  return { passed, cancel: () => clearTimeout(timer) };
}

/**
 * The HTTP client for addresses that customers or registers name. It speaks to the public internet only: every address
 * a name resolves to is checked and the connection is made to a checked one, each request on a connection of its own,
 * so neither DNS rebinding nor a kept-alive connection leads elsewhere. Redirects are not followed, proxies of the
 * environment not used, compressed bodies not asked for, time and body capped.
 */
export function createEgress(options: EgressOptions): Egress {
  const allow = parseAllowList(options.allow);
  const resolve = options.resolve ?? resolveWithSystemDns;
  const openClients = new Set<Client>();

  const resolveAllowedAddresses = async (url: URL, exceptions: ReadonlySet<string>): Promise<string[]> => {
    const host = getUnbracketedHost(url);
    const addresses = getAddressFamily(host) === 0 ? await resolve(host) : [host];
    if (addresses.length === 0) throw egressError('dns_failed');
    if (!exceptions.has(formatHostPort(url)) && !addresses.every(isPublicAddress))
      throw egressError('address_not_public');
    return addresses;
  };

  return {
    findUrlProblem(url, rules = {}) {
      const inspection = inspectUrl(url, { allow, requireHttps: rules.requireHttps ?? false });
      return 'problem' in inspection ? inspection.problem : undefined;
    },

    async request(request) {
      const exceptions = new Set([...allow, ...parseAllowList(request.additionalAllow ?? [])]);
      const inspection = inspectUrl(request.url, { allow: exceptions, requireHttps: request.requireHttps ?? false });
      if ('problem' in inspection) throw egressError(inspection.problem);
      const { url } = inspection;
      const requestDeadline = startDeadline(request.timeoutMs);
      let client: Client | undefined;
      try {
        const addresses = await Promise.race([resolveAllowedAddresses(url, exceptions), requestDeadline.passed]);
        client = new Client(url.origin, {
          connect: { lookup: createPinnedLookup(addresses), timeout: request.timeoutMs },
          // Zero: the connection is for this request alone.
          pipelining: 0,
          headersTimeout: request.timeoutMs,
          bodyTimeout: request.timeoutMs,
        });
        openClients.add(client);
        return await Promise.race([sendRequest(client, url, request), requestDeadline.passed]);
      } catch (error) {
        throw egressError(classifyEgressFailure(error));
      } finally {
        requestDeadline.cancel();
        if (client !== undefined) {
          openClients.delete(client);
          await client.destroy();
        }
      }
    },

    async close() {
      await Promise.all([...openClients].map((client) => client.destroy()));
    },
  };
}
