import ipaddr from 'ipaddr.js';

/** IPv6 addresses the internet routes to are all within 2000::/3 (IANA); the rest is special or unassigned. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses that look public and are not: they answer from the host a virtual machine runs on.
 * 168.63.129.16 is Azure's platform address (DNS, DHCP, agent).
 */
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** ISATAP (RFC 5214) hides an IPv4 address behind this interface identifier, with or without the universal bit. */
const isIsatap = (address: ipaddr.IPv6): boolean => {
  const [high = 0, low = 0] = address.parts.slice(4, 6);
  return low === 0x5efe && (high & ~0x0200) === 0;
};

/**
 * Whether an IP address is one of the public internet. Private, loopback, link-local (with the metadata services of
 * the clouds), carrier-grade NAT, multicast, benchmarking, documentation and reserved ranges are not, nor is any IPv6
 * form that carries an IPv4 address within it (mapped, compatible, NAT64, 6to4, Teredo, ISATAP): those would smuggle a
 * private one past the check. What is not an address at all is not public either.
 *
 * Ranges: the IANA special-purpose registries, by way of ipaddr.js.
 */
export const isPublicAddress = (text: string): boolean => {
  // Four decimal parts only: `ipaddr.js` also reads octal, hexadecimal and shortened forms, which no resolver returns.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text).range() === 'unicast' && !PLATFORM_ADDRESSES.has(text);
  }
  if (!ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  if (address.zoneId !== undefined) return false;
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST_V6) && !isIsatap(address);
};

/** 4 or 6 for an address, 0 for a name. */
export const getAddressFamily = (text: string): 0 | 4 | 6 => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 4;
  return ipaddr.IPv6.isValid(text) ? 6 : 0;
};
