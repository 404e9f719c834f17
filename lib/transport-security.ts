import type { Config } from './config';
import { ConfigError } from './config-error';

/**
 * Rejects plain HTTP in production. Only the API needs this check.
 * @throws ConfigError
 */
export function requireTransportSecurity(config: Config): void {
  if (config.NODE_ENV !== 'production') return;
  if (config.TLS_CERT !== undefined || config.TRUSTED_PROXIES.length > 0) return;
  throw new ConfigError(
    'TLS_CERT and TLS_KEY, or TRUSTED_PROXIES: one is required in production, so that no key is sent unencrypted.',
  );
}

const isLoopback = (hostname: string): boolean =>
  /(^|\.)localhost$/.test(hostname) || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

/**
 * Rejects cookies over plain HTTP to other machines. Only the API needs this check.
 * @throws ConfigError
 */
export function requireSafeCookies(config: Config): void {
  const { protocol, hostname } = new URL(config.PUBLIC_URL);
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
  throw new ConfigError(
    'PUBLIC_URL: accepts an https address, or http on loopback only, so that no session cookie is sent unencrypted.',
  );
}
