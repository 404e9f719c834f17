import pino from 'pino';
import type { Logger } from 'pino';
import { getLogContext } from './context';

export type { Logger };

/** Fields that can contain credentials or personal data are removed from log lines. */
const REDACTED_PATHS = [
  'authorization',
  'cookie',
  '["x-api-key"]',
  '["set-cookie"]',
  'password',
  'token',
  'refreshToken',
  'secret',
  'shareToken',
].flatMap((name) => {
  const suffix = name.startsWith('[') ? name : `.${name}`;
  const top = name.startsWith('[') ? name : name;
  return [top, `*${suffix}`, `req.headers${suffix}`, `res.headers${suffix}`];
});

/** Writes JSON logs to standard output. Every line contains the request id of its context. */
export function createLogger(options: { level: string; name: string }): Logger {
  return pino({
    name: options.name,
    level: options.level,
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    mixin: () => ({ ...getLogContext() }),
    serializers: { err: pino.stdSerializers.err },
  });
}
