import { readFileSync } from 'node:fs';
import { promises as dns } from 'node:dns';
import type { RecordWithTtl } from 'node:dns';
import { egressError } from './failure';
import { HostsFile } from './hosts-file';
import { LookupSlots } from './lookup-slots';
import type { LookupLimits } from './lookup-slots';

/** Each server is asked twice: 1.5 s for the first response, 3 s for the second. */
const QUERY_TIMEOUT_MS = 1500;
const QUERY_TRIES = 2;

const LOOKUP_LIMITS: LookupLimits = { perTenant: 8, total: 512, maxWaitMs: 500 };

const MAX_TTL_SECONDS = 300;
/** A name that does not exist is not asked for again for this long. */
const ABSENT_SECONDS = 30;
/** A name whose servers do not respond is not asked for again for this long. */
const FAILED_SECONDS = 10;
const MAX_CACHED_NAMES = 10_000;

/** Responses that there is no such name, or no address of this family. */
const ABSENT_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
/** The DNS server itself is away, which says nothing about the name. */
const UNREACHABLE_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECANCELLED', 'EDESTRUCTION']);

export interface NameResolverOptions {
  /** DNS servers as `address` or `address:port`. @default those of the system */
  servers?: readonly string[];
  /** @default /etc/hosts */
  hostsFile?: string;
  /** @default eight lookups of a tenant, which wait half a second */
  limits?: LookupLimits;
}

interface CachedName {
  /** Empty for a name that does not resolve. */
  addresses: readonly string[];
  expiresAt: number;
}

/** The `search` domains of the system, which c-ares does not append. */
function readSearchDomains(): string[] {
  try {
    const lines = readFileSync('/etc/resolv.conf', 'utf8').matchAll(/^(?:search|domain)[ \t]+(.*)$/gm);
    return ([...lines].at(-1)?.[1] ?? '').split(/\s+/).filter((domain) => domain !== '');
  } catch {
    return [];
  }
}

const getCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** The outcomes of both queries as one cache entry, or null if no server could be reached. */
function combineOutcomes(outcomes: readonly PromiseSettledResult<RecordWithTtl[]>[]): CachedName | null {
  const records = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const keep = (addresses: readonly string[], seconds: number): CachedName => ({
    addresses,
    expiresAt: performance.now() + seconds * 1000,
  });
  if (records.length > 0) {
    const ttl = Math.min(MAX_TTL_SECONDS, ...records.map((record) => record.ttl));
    return keep([...new Set(records.map((record) => record.address))], ttl);
  }
  const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? getCode(outcome.reason) : 'ENODATA'));
  if (codes.some((code) => UNREACHABLE_CODES.has(code))) return null;
  return keep([], codes.every((code) => ABSENT_CODES.has(code)) ? ABSENT_SECONDS : FAILED_SECONDS);
}

/**
 * Resolves host names with c-ares. `getaddrinfo` would occupy one of the four threads of the process for each name whose
 * servers do not respond, and file and crypto work of the process needs the same threads. The hosts file takes precedence,
 * names without a dot are also tried with the search domains of the system, and results are kept for their TTL.
 */
export class NameResolver {
  private readonly resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  private readonly hosts: HostsFile;
  private readonly slots: LookupSlots;
  private readonly searchDomains = readSearchDomains();
  private readonly cache = new Map<string, CachedName>();
  private readonly queries = new Map<string, Promise<readonly string[]>>();

  constructor(options: NameResolverOptions = {}) {
    if (options.servers !== undefined && options.servers.length > 0) this.resolver.setServers(options.servers);
    this.hosts = new HostsFile(options.hostsFile);
    this.slots = new LookupSlots(options.limits ?? LOOKUP_LIMITS);
  }

  /**
   * All addresses of a host name, IPv4 first.
   * @param tenant on whose behalf; its lookups are limited
   * @throws AppError `egress_failed` (`dns_failed`) if there are none, `egress_busy` above the limits
   */
  async resolve(host: string, tenant: string): Promise<readonly string[]> {
    const name = host.toLowerCase().replace(/\.$/, '');
    const fixed = await this.hosts.find(name);
    if (fixed.length > 0) return fixed;
    // RFC 6761: never a question for a DNS server.
    if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1'];
    const addresses = this.findCached(name) ?? (await this.slots.run(tenant, () => this.shareQuery(name)));
    if (addresses.length === 0) throw egressError('dns_failed');
    return addresses;
  }

  /** Ends running queries. */
  close(): void {
    this.resolver.cancel();
  }

  private findCached(name: string): readonly string[] | undefined {
    const cached = this.cache.get(name);
    return cached !== undefined && cached.expiresAt > performance.now() ? cached.addresses : undefined;
  }

  /** Requests that need the same name at the same time share one query. */
  private shareQuery(name: string): Promise<readonly string[]> {
    const known = this.findCached(name);
    if (known !== undefined) return Promise.resolve(known);
    const running = this.queries.get(name);
    if (running !== undefined) return running;
    const started = this.query(name).finally(() => this.queries.delete(name));
    this.queries.set(name, started);
    return started;
  }

  private async query(name: string): Promise<readonly string[]> {
    const suffixes = name.includes('.') ? [] : this.searchDomains;
    let outcome: CachedName | null = null;
    for (const candidate of [name, ...suffixes.map((domain) => `${name}.${domain}`)]) {
      outcome = combineOutcomes(
        await Promise.allSettled([
          this.resolver.resolve4(candidate, { ttl: true }),
          this.resolver.resolve6(candidate, { ttl: true }),
        ]),
      );
      if (outcome !== null && outcome.addresses.length > 0) break;
    }
    if (outcome !== null) this.keep(name, outcome);
    return outcome?.addresses ?? [];
  }

  private keep(name: string, outcome: CachedName): void {
    this.cache.delete(name);
    this.cache.set(name, outcome);
    if (this.cache.size <= MAX_CACHED_NAMES) return;
    const [oldest] = this.cache.keys();
    if (oldest !== undefined) this.cache.delete(oldest);
  }
}
