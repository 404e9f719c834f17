import pino from 'pino';
import type { Logger } from 'pino';
import { getLogContext } from './context';

export type { Logger };

/** Anything that could carry a credential or a person's data is cut before it reaches a log. */
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

/** JSON logs on standard output; every line carries the request id of the context it was written in. */
export function createLogger(options: { level: string; name: string }): Logger {
  return pino({
    name: options.name,
    level: options.level,
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    mixin: () => ({ ...getLogContext() }),
    serializers: { err: pino.stdSerializers.err },
  });
}
