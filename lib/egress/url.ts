import { getAddressFamily, isPublicAddress } from './address';

/** Stable codes for URLs that may not be called. `not_a_url` includes relative addresses. */
export type UrlProblem =
  // Codes of the text itself.
  | 'not_a_url'
  | 'scheme_not_allowed'
  | 'https_required'
  | 'credentials_in_url'
  // Code of the address to which the host belongs.
  | 'address_not_public';

export interface UrlRules {
  /** Exact `host:port` pairs that may have private addresses and use plain HTTP; set by the operator. */
  allow: ReadonlySet<string>;
  /** Rejects plain HTTP except for the exceptions. */
  requireHttps: boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** `host:port` with an explicit port, the format of exceptions. IPv6 hosts keep their brackets. */
export const formatHostPort = (url: URL): string =>
  `${url.hostname}:${url.port || (DEFAULT_PORTS[url.protocol] ?? '')}`;

/** The host for a resolver or a socket: IPv6 without brackets. */
export const getUnbracketedHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** RFC 6761: these names always refer to the local machine. */
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/** Requires the complete form, since the URL parser accepts `https:host`, backslashes, tabs and line breaks. */
const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:[^\s\\]+$/i;
const WITH_AUTHORITY = /^https?:\/\/[^/]/i;

/** Names that DNS can have (RFC 1035, 2.3.4: labels of 1 to 63 octets), possibly with the dot of the root, and IPv6. */
const HOST = /^(?:\[.*\]|[^.]{1,63}(?:\.[^.]{1,63})*\.?)$/;

/** Whether a connection to host and port is possible at all: the URL parser accepts port 0 and empty labels. */
const canBeConnected = (url: URL): boolean => HOST.test(url.hostname) && url.port !== '0';

/**
 * Checks a URL without a DNS query: syntax, scheme, credentials, and IP addresses as hosts. The WHATWG parser converts
 * decimal, octal, hexadecimal and shortened IPv4 hosts into four decimal parts, so `http://2130706433/` is checked as
 * 127.0.0.1.
 *
 * A host name can still resolve to a private address; that is checked for each connection.
 */
export const inspectUrl = (text: string, rules: UrlRules): { url: URL } | { problem: UrlProblem } => {
  if (!ABSOLUTE_URL.test(text) || !URL.canParse(text)) return { problem: 'not_a_url' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'scheme_not_allowed' };
  if (!WITH_AUTHORITY.test(text) || !canBeConnected(url)) return { problem: 'not_a_url' };
  if (url.username !== '' || url.password !== '') return { problem: 'credentials_in_url' };
  if (rules.allow.has(formatHostPort(url))) return { url };
  const host = getUnbracketedHost(url);
  if (isLocalName(host)) return { problem: 'address_not_public' };
  if (getAddressFamily(host) !== 0 && !isPublicAddress(host)) return { problem: 'address_not_public' };
  if (rules.requireHttps && url.protocol !== 'https:') return { problem: 'https_required' };
  return { url };
};

/** Normalises exceptions like {@link formatHostPort}: lower case, compressed IPv6. */
export const parseAllowList = (pairs: readonly string[]): ReadonlySet<string> =>
  new Set(
    pairs.map((pair) => {
      // Parsed as http and as https, since each drops its default port.
      const url = new URL(`http://${pair}`);
      return `${url.hostname}:${url.port || '80'}`;
    }),
  );
