import ipaddr from 'ipaddr.js';

/** All globally routed IPv6 addresses are within 2000::/3 (IANA); other ranges are special or unassigned. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses in public ranges that are served by the host of a virtual machine.
 * 168.63.129.16 is Azure's platform address (DNS, DHCP, agent).
 */
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** ISATAP (RFC 5214) embeds an IPv4 address after this interface identifier, with or without the universal bit. */
const isIsatap = (address: ipaddr.IPv6): boolean => {
  const [high = 0, low = 0] = address.parts.slice(4, 6);
  return low === 0x5efe && (high & ~0x0200) === 0;
};

/**
 * Whether an IP address belongs to the public internet. Not public are private, loopback, link-local (including cloud
 * metadata services), carrier-grade NAT, multicast, benchmarking, documentation and reserved ranges; all IPv6 forms that
 * embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo, ISATAP), since it could be private; and any text that
 * is not an address.
 *
 * Ranges: IANA special-purpose registries, from ipaddr.js.
 */
export const isPublicAddress = (text: string): boolean => {
  // Only four decimal parts: ipaddr.js also parses octal, hexadecimal and shortened forms, which resolvers do not return.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text).range() === 'unicast' && !PLATFORM_ADDRESSES.has(text);
  }
  if (!ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  if (address.zoneId !== undefined) return false;
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST_V6) && !isIsatap(address);
};

/** 4 or 6 for an IP address, 0 for a host name. */
export const getAddressFamily = (text: string): 0 | 4 | 6 => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 4;
  return ipaddr.IPv6.isValid(text) ? 6 : 0;
};
