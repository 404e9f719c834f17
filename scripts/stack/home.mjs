import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top folder of this clone. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * The home of the stack that `npm start` runs: VOUCH_HOME, else `.vouch` in the clone. A home holds run.json, the state,
 * logs and, unless the stack is ephemeral, data and secrets.
 */
export function homeFolder(env = process.env) {
  return env.VOUCH_HOME ? path.resolve(env.VOUCH_HOME) : path.join(root, '.vouch');
}

/** The home of the stack that `npm run dev` runs. Its data is separate from that of `npm start`. */
export function devHomeFolder(env = process.env) {
  return path.join(homeFolder(env), 'dev');
}

/** The homes of test stacks, one subfolder each. */
export const testHomesFolder = path.join(root, '.vouch', 'tests');

/** The home of the stack that `npm test -- --keep-stack` leaves running. */
export const keptHomeFolder = path.join(testHomesFolder, 'kept');

/** The homes in which a stack may run, with the command that starts it. @returns {{home: string, command: string}[]} */
export function listHomes(env = process.env) {
  return [
    { home: homeFolder(env), command: 'npm start' },
    { home: devHomeFolder(env), command: 'npm run dev' },
    { home: keptHomeFolder, command: 'npm test -- --keep-stack' },
  ];
}

/**
 * Creates the folders of a stack that do not exist yet.
 * @param {string} home
 * @param {boolean} ephemeral data and secrets go to a temporary folder that the stack removes when it stops
 */
export async function openFolders(home, ephemeral) {
  const store = ephemeral ? await mkdtemp(path.join(tmpdir(), 'vouch-')) : home;
  const folders = {
    home,
    store,
    data: path.join(store, 'data'),
    secrets: path.join(store, 'secrets'),
    logs: path.join(home, 'logs'),
  };
  for (const folder of [home, folders.data, folders.secrets, folders.logs]) await mkdir(folder, { recursive: true });
  await chmod(folders.secrets, 0o700);
  return folders;
}

/** Reads a JSON file; null if it is missing or incomplete. */
export async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Writes a file that only its owner may read, atomically: a reader sees the old content or the new. */
async function writePrivateText(file, text) {
  const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  await writeFile(draft, `${text}\n`, { mode: 0o600 });
  await rename(draft, file);
}

/** Writes a JSON file as `writePrivateText` does. */
export const writePrivateJson = (file, value) => writePrivateText(file, JSON.stringify(value, null, 2));

/** Reads a secret from a file of mode 0600; generates it on first use and never replaces it. */
async function readOrCreateSecret(file, generate) {
  const present = await readFile(file, 'utf8').catch(() => null);
  if (present !== null && present.trim() !== '') return present.trim();
  const value = generate();
  await rm(file, { force: true });
  await writeFile(file, `${value}\n`, { mode: 0o600, flag: 'wx' });
  return value;
}

/**
 * The secrets of this installation: the master key that wraps evidence keys, the secret that signs tokens, and the S3
 * root credential. The service reads the first two from files, so that they are in no process's environment.
 */
export async function openSecrets(folder) {
  const masterKeyFile = path.join(folder, 'master.key');
  const jwtSecretFile = path.join(folder, 'jwt.secret');
  await readOrCreateSecret(masterKeyFile, () => `k1:${randomBytes(32).toString('base64')}`);
  await readOrCreateSecret(jwtSecretFile, () => randomBytes(48).toString('base64url'));
  const s3 = await readOrCreateSecret(
    path.join(folder, 's3.key'),
    () => `vouch-${randomBytes(8).toString('hex')}:${randomBytes(24).toString('base64url')}`,
  );
  const [s3AccessKey, s3SecretKey] = s3.split(':');
  return { masterKeyFile, jwtSecretFile, s3AccessKey, s3SecretKey };
}

/** Settings that are secrets (lib/secret-settings.ts). */
const SECRET_SETTINGS = JSON.parse(readFileSync(path.join(root, 'lib', 'secret-names.json'), 'utf8'));

/** An address without a password is no secret, and tools read it. */
const isSecret = (name, value) => name !== 'MONGO_URL' || /^[^/]*\/\/[^/@]*:[^/@]*@/.test(value);

/** The environment without secrets, for processes that need none. @param {NodeJS.ProcessEnv} env */
export const removeSecrets = (env) =>
  Object.fromEntries(
    Object.entries(env).filter(([name, value]) => !(SECRET_SETTINGS.includes(name) && isSecret(name, value))),
  );

/**
 * Moves secrets from an environment to files that only this user can read, because the environment of a process can be
 * read from `/proc` by the processes that read untrusted files.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function moveSecretsToFiles(env, folder) {
  const moved = removeSecrets(env);
  for (const name of SECRET_SETTINGS) {
    const value = env[name];
    if (!value || name in moved) continue;
    const file = path.join(folder, `${name.toLowerCase().replaceAll('_', '-')}.setting`);
    await writePrivateText(file, value);
    moved[`${name}_FILE`] = file;
  }
  return moved;
}

/**
 * The environment with the address of MongoDB from its file: whether there is one decides if the launcher starts MongoDB.
 * @param {NodeJS.ProcessEnv} env
 */
export async function readMongoUrlFile(env) {
  const { MONGO_URL, MONGO_URL_FILE } = env;
  if (MONGO_URL || !MONGO_URL_FILE) return env;
  const url = await readFile(MONGO_URL_FILE, 'utf8').catch(() => {
    throw new Error('MONGO_URL_FILE: cannot be read; accepts the path of a file that contains the address of MongoDB.');
  });
  return { ...env, MONGO_URL: url.trim() };
}
