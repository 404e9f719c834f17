import pino from 'pino';
import type { Logger } from 'pino';
import { getLogContext } from './context';
import { getTraceId } from './trace-context';

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
  return [name, `*${suffix}`, `req.headers${suffix}`, `res.headers${suffix}`];
});

/** An error in a log line. */
interface LoggedError {
  type: string;
  code?: string | number;
  message: string;
  stack?: string;
  cause?: LoggedError;
}

/** Causes of causes that are logged. */
const MAX_CAUSES = 3;

/** MongoDB repeats the values of a duplicate key, which can be personal. */
const removeValues = (text: string): string => text.replace(/dup key: \{[^\n]*/g, 'dup key');

const readCode = (error: object): { code?: string | number } => {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? { code } : {};
};

/** Other properties of errors are not logged: those of drivers contain queries and records. */
function describeError(error: unknown, withStack: boolean, causes = MAX_CAUSES): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: removeValues(String(error)) };
  return {
    type: error.name,
    ...readCode(error),
    message: removeValues(error.message),
    ...(withStack && error.stack !== undefined ? { stack: removeValues(error.stack) } : {}),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: describeError(error.cause, withStack, causes - 1) }),
  };
}

/**
 * The type, code and message of an error, on one line and without its stack: for what is expected or repeated. An
 * unexpected error is logged under the key `err`, with its stack.
 */
export function summariseError(error: unknown): string {
  const { type, code, message } = describeError(error, false, 0);
  return [type, code, message.replaceAll(/\s+/g, ' ')].filter((part) => part !== undefined && part !== '').join(' ');
}

interface LoggerOptions {
  level: string;
  name: string;
  /** Whether a line is written when the call returns, for a process that is killed right after. @default false */
  sync?: boolean;
}

const STANDARD_OUTPUT = 1;

/** Writes JSON logs to standard output. Every line contains the request id and trace id of its context. */
export function createLogger({ level, name, sync = false }: LoggerOptions): Logger {
  const options = {
    name,
    level,
    redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    mixin: () => ({ ...getLogContext(), traceId: getTraceId() }),
    serializers: { err: (error: unknown) => describeError(error, true) },
  };
  return sync ? pino(options, pino.destination({ dest: STANDARD_OUTPUT, sync: true })) : pino(options);
}
