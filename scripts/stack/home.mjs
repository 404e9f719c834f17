import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top folder of this clone. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** VOUCH_HOME, else `.vouch` in the clone: run.json, state, logs, and, unless the stack is ephemeral, data and secrets. */
export function homeFolder(env = process.env) {
  return env.VOUCH_HOME ? path.resolve(env.VOUCH_HOME) : path.join(root, '.vouch');
}

/**
 * The folders of one stack, made where they are missing.
 * @param {string} home
 * @param {boolean} ephemeral data and secrets go to a temporary folder that the stack removes when it ends
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

/** Reads a JSON file; null when it is missing or was cut short. */
export async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Writes a JSON file that only its owner may read, in one step: a reader sees the old one or the new one. */
export async function writePrivateJson(file, value) {
  const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

/** A secret kept in a 0600 file; made on first use, never replaced. */
async function keptSecret(file, make) {
  const present = await readFile(file, 'utf8').catch(() => null);
  if (present !== null && present.trim() !== '') return present.trim();
  const value = make();
  await rm(file, { force: true });
  await writeFile(file, `${value}\n`, { mode: 0o600, flag: 'wx' });
  return value;
}

/**
 * The keys of this installation: the one that wraps evidence keys, the one that signs tokens, the S3 root credential.
 * The first two are handed to the service as files, so that they stand in no process's environment.
 */
export async function openSecrets(folder) {
  const masterKeyFile = path.join(folder, 'master.key');
  const jwtSecretFile = path.join(folder, 'jwt.secret');
  await keptSecret(masterKeyFile, () => `k1:${randomBytes(32).toString('base64')}`);
  await keptSecret(jwtSecretFile, () => randomBytes(48).toString('base64url'));
  const s3 = await keptSecret(
    path.join(folder, 's3.key'),
    () => `vouch-${randomBytes(8).toString('hex')}:${randomBytes(24).toString('base64url')}`,
  );
  const [s3AccessKey, s3SecretKey] = s3.split(':');
  return { masterKeyFile, jwtSecretFile, s3AccessKey, s3SecretKey };
}
