import ipaddr from 'ipaddr.js';

/** Key that counts a client address. IPv6 clients own at least a /64 network, which therefore counts as one client. */
export function toClientKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}
