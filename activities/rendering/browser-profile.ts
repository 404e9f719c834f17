import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { sha256Hex } from '../../lib/crypto/secrets';
import { readProcessStat } from './process-stat';

/**
 * `<host>-<process id>-<start of the process>-<random>`. Short, because Chromium makes sockets in its temporary folder,
 * and a system limits the length of their paths.
 */
const NAME = /^([0-9a-f]{4})-(\d+)-([0-9a-z]+)-\w{6}$/;

/** Process ids of another container say nothing here, so that its folders are left alone. */
const getHost = (): string => sha256Hex(hostname()).slice(0, 4);

/** A process id is assigned again after its process has ended; the start distinguishes the two. */
async function readStart(pid: number): Promise<string> {
  const stat = await readProcessStat(pid);
  return (stat?.startedAt ?? 0).toString(36);
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function isAbandoned(name: string): Promise<boolean> {
  const [, host, pid, start] = NAME.exec(name) ?? [];
  if (host !== getHost()) return false;
  return !exists(Number(pid)) || (await readStart(Number(pid))) !== start;
}

/** Creates a folder for the profile and the temporary files of one browser, which belongs to this process. */
export async function createBrowserProfile(workFolder: string): Promise<string> {
  return mkdtemp(path.join(workFolder, `${getHost()}-${process.pid}-${await readStart(process.pid)}-`));
}

/** Removes the folder of a browser that has ended. What cannot be removed is removed after the end of this process. */
export async function removeBrowserProfile(folder: string): Promise<void> {
  // Child processes of a browser that was killed write for a moment longer.
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
}

/** Removes the folders of processes that were killed before they could do so. */
export async function removeAbandonedProfiles(workFolder: string): Promise<void> {
  for (const name of await readdir(workFolder))
    if (await isAbandoned(name)) await removeBrowserProfile(path.join(workFolder, name));
}
