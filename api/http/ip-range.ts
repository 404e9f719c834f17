import { z } from 'zod';

/** What describes an IP address or a range of addresses in a request, next to its type. */
export const IP_RANGE = {
  anyOf: [
    { format: 'ipv4' },
    { format: 'ipv6' },
    { pattern: z.regexes.cidrv4.source },
    { pattern: z.regexes.cidrv6.source },
  ],
};
