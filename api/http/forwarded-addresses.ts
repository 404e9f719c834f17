import type { NextFunction, Request, Response } from 'express';

const HEADER = 'x-forwarded-for';
/** `192.0.2.1:4711`, `[2001:db8::1]:4711` or `[2001:db8::1]`. */
const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([0-9a-f:.]+)\](?::\d{1,5})?)$/i;

const removePort = (entry: string): string => {
  const match = WITH_PORT.exec(entry);
  return match?.[1] ?? match?.[2] ?? entry;
};

/**
 * Removes ports from the addresses of `X-Forwarded-For`, with which some proxies write them (Azure Application Gateway).
 * Otherwise they are no addresses: all clients would count as one, and no key with `allowedIps` could be used.
 */
export function normaliseForwardedAddresses(request: Request, _response: Response, next: NextFunction): void {
  const sent = request.headers[HEADER];
  if (typeof sent === 'string')
    request.headers[HEADER] = sent
      .split(',')
      .map((entry) => removePort(entry.trim()))
      .join(', ');
  next();
}
