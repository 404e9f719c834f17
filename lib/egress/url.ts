import { getAddressFamily, isPublicAddress } from './address';

/** Why an address may not be called; each is a stable code. */
export type UrlProblem =
  'not_a_url' | 'scheme_not_allowed' | 'https_required' | 'credentials_in_url' | 'address_not_public';

export interface UrlRules {
  /** Exact `host:port` pairs that may be private and plain http: the operator's exceptions. */
  allow: ReadonlySet<string>;
  /** Refuse plain http for all but the exceptions. */
  requireHttps: boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** `host:port` with the port spelt out, the form in which exceptions are written; IPv6 hosts keep their brackets. */
export const formatHostPort = (url: URL): string =>
  `${url.hostname}:${url.port || (DEFAULT_PORTS[url.protocol] ?? '')}`;

/** The host as a resolver or a socket wants it: IPv6 without its brackets. */
export const getUnbracketedHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** RFC 6761: these names mean this machine, whatever a resolver says. */
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** The parser also mends `https:host`, backslashes, tabs and line breaks; what is not written out is refused instead. */
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:[^\s\\]+$/i;
const WITH_AUTHORITY = /^https?:\/\/[^/]/i;

/**
 * Judges an address as far as it can be without a name server: syntax, scheme, credentials, and hosts written as
 * addresses. The WHATWG parser turns decimal, octal, hexadecimal and shortened IPv4 hosts into four decimal parts, so
 * that `http://2130706433/` is judged as 127.0.0.1.
 *
 * A name may still resolve to a private address: that is judged when a connection is made.
 */
export const inspectUrl = (text: string, rules: UrlRules): { url: URL } | { problem: UrlProblem } => {
  if (!ABSOLUTE_URL.test(text) || !URL.canParse(text)) return { problem: 'not_a_url' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'scheme_not_allowed' };
  if (!WITH_AUTHORITY.test(text)) return { problem: 'not_a_url' };
  if (url.username !== '' || url.password !== '') return { problem: 'credentials_in_url' };
  if (rules.allow.has(formatHostPort(url))) return { url };
  if (rules.requireHttps && url.protocol !== 'https:') return { problem: 'https_required' };
  const host = getUnbracketedHost(url);
  if (isLocalName(host)) return { problem: 'address_not_public' };
  if (getAddressFamily(host) !== 0 && !isPublicAddress(host)) return { problem: 'address_not_public' };
  return { url };
};

/** The set of exceptions as {@link formatHostPort} spells hosts: lower case, IPv6 compressed. */
export const parseAllowList = (pairs: readonly string[]): ReadonlySet<string> =>
  new Set(
    pairs.map((pair) => {
      // Parsed as http and as https, since either drops its own default port.
      const url = new URL(`http://${pair}`);
      return `${url.hostname}:${url.port || '80'}`;
    }),
  );
