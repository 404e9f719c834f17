/** Environment variables that child processes need; none contains keys, addresses or credentials. */
const INHERITED_VARIABLES = [
  'PATH',
  'LANG',
  'TZ',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'NODE_ENV',
  'NODE_OPTIONS',
  'MALLOC_ARENA_MAX',
  'UV_THREADPOOL_SIZE',
] as const;

/** The environment of a child process that handles untrusted files. It contains no secrets. */
export const buildChildEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(INHERITED_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
