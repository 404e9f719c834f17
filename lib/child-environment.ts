/** What a helper process of ours needs to run. Keys, addresses and credentials are not among it. */
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

/** The environment of a child process that handles what strangers sent: if it is taken over, it knows no secret. */
export const buildChildEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(INHERITED_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
