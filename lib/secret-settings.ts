import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error';
import secretSettings from './secret-names.json';

/**
 * Settings that are secrets. Each has a `<name>_FILE` with the path of a file that contains it: what is in the
 * environment of a process can be read from `/proc` for as long as the process runs, also after it is removed from
 * `process.env`, by every process of the same user, and so by a decoder or browser that a crafted file took over. The
 * launcher (scripts/stack/home.mjs) reads the same list.
 */
export const SECRET_SETTINGS: readonly string[] = secretSettings;

/** Reads a secret from a file. @throws ConfigError naming the variable of the path */
export function readSecretFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${name}_FILE: cannot be read; accepts the path of a file that contains the secret.`);
  }
}

/**
 * The environment with the values of secrets that are given as files. A value in the environment has precedence; a file
 * that is empty counts as not set, so that containers can mount every optional secret.
 * @param names the secrets to read
 */
export function readSecretFiles(env: NodeJS.ProcessEnv, names: readonly string[] = SECRET_SETTINGS): NodeJS.ProcessEnv {
  const found = names.flatMap((name) => {
    const file = env[`${name}_FILE`];
    const isRead = (env[name] ?? '') === '' && file !== undefined && file !== '';
    return isRead ? [[name, readSecretFile(name, file)] as const] : [];
  });
  return { ...env, ...Object.fromEntries<string>(found) };
}

/** Adds a password to a MongoDB URL that names a user without one. */
export const addMongoPassword = (url: string, password: string | undefined): string =>
  password === undefined
    ? url
    : url.replace(/^(mongodb(?:\+srv)?:\/\/[^:@/]+)@/, (_, user: string) => `${user}:${encodeURIComponent(password)}@`);

/** An address without a password, and the name of an access key, are no secrets. */
const isSecret = (name: string, value: string): boolean =>
  name !== 'S3_ACCESS_KEY' && (name !== 'MONGO_URL' || /^[^/]*\/\/[^/@]*:[^/@]*@/.test(value));

/**
 * Rejects secrets in the environment in production. A process cannot remove them: Node.js has no call that replaces the
 * initial environment which `/proc` shows, and none that forbids reading it (`PR_SET_DUMPABLE`).
 * @throws ConfigError naming every variable and what to set instead
 */
export function requireHiddenSecrets(env: NodeJS.ProcessEnv = process.env): void {
  if (env['NODE_ENV'] !== 'production') return;
  const shown = SECRET_SETTINGS.filter((name) => {
    const value = env[name];
    return value !== undefined && value !== '' && isSecret(name, value);
  });
  if (shown.length === 0) return;
  throw new ConfigError(
    `${shown.join(', ')}: not accepted in the environment in production, where every process of the same user can read ${shown.length === 1 ? 'it' : 'them'}; set ${shown.map((name) => `${name}_FILE`).join(', ')} to the path of a file that contains the secret.`,
  );
}
