import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** Base URL without a trailing slash. */
export const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

/** An address as it is written; `localhost:9000` would otherwise be one with the scheme `localhost`. */
export const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'accepts an address that begins with http:// or https://',
});

const HOST_PORT = /^(\[[0-9a-fA-F:]+\]|[^:\s/]+):\d{1,5}$/;

/** Whether a text is a host with a port that exists, such as `127.0.0.1:3999` or `[::1]:3999`. */
export const isHostPort = (text: string): boolean => HOST_PORT.test(text) && URL.canParse(`http://${text}`);

/** Names of ranges that Express knows. */
const NAMED_RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** A part of IPv4 is not enough: `1` would be 0.0.0.1. */
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && ipaddr.IPv6.isValid(text));

function isPrefix(text: string, address: string): boolean {
  const isV6 = address.includes(':');
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= (isV6 ? 128 : 32);
  if (isV6 || !ipaddr.IPv4.isValidFourPartDecimal(text)) return false;
  return (ipaddr.IPv4.parse(text).prefixLengthFromSubnetMask() ?? 0) >= 1;
}

/** Whether a text names proxies in a form that Express accepts: an address, a CIDR range of addresses, or a named range. */
export function isProxyRange(text: string): boolean {
  if (NAMED_RANGES.includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  return isAddress(address) && rest.length === 0 && (prefix === undefined || isPrefix(prefix, address));
}
