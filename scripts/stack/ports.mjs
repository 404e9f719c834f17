import { mkdir, open, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { readJson } from './home.mjs';
import { identify, isSame } from './identity.mjs';

/** Below the range that systems use for outgoing connections, so that a chosen port stays free until it is used. */
const FIRST = 20_000;
const LAST = 31_999;

/**
 * Ports that launchers of this user have reserved, one file each. Without it, two launchers that start at the same time
 * could choose the same port and mistake each other's engine for their own.
 */
const claims = path.join(tmpdir(), `vouch-ports-${userInfo().uid}`);
const claimFile = (port) => path.join(claims, String(port));

async function claim(port) {
  await mkdir(claims, { recursive: true, mode: 0o700 });
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const file = await open(claimFile(port), 'wx', 0o600);
      await file.writeFile(JSON.stringify(await identify(process.pid)));
      await file.close();
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = await readJson(claimFile(port));
    if (holder === null || holder.pid === process.pid || (await isSame(holder))) return false;
    await rm(claimFile(port), { force: true });
  }
  return false;
}

/** Releases ports that this launcher has claimed. */
export async function releasePorts(ports) {
  await Promise.all([...ports].map((port) => rm(claimFile(port), { force: true })));
}

/** Whether a server could listen on this loopback port now. */
export function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Chooses distinct free ports.
 * @param {number} count
 * @param {Set<number>} taken ports that are already reserved; the chosen ports are added
 * @returns {Promise<number[]>}
 */
export async function freePorts(count, taken = new Set()) {
  const chosen = [];
  let candidate = FIRST + Math.floor(Math.random() * (LAST - FIRST));
  for (let tries = 0; tries <= LAST - FIRST && chosen.length < count; tries += 1) {
    candidate = candidate >= LAST ? FIRST : candidate + 1;
    if (taken.has(candidate) || !(await isFree(candidate)) || !(await claim(candidate))) continue;
    taken.add(candidate);
    chosen.push(candidate);
  }
  if (chosen.length < count) throw new Error(`no ${count} free ports between ${FIRST} and ${LAST}`);
  return chosen;
}

/** The preferred port if it is free and not reserved, else any free port. */
export async function preferredPort(preferred, taken) {
  if (preferred !== undefined && !taken.has(preferred) && (await isFree(preferred)) && (await claim(preferred))) {
    taken.add(preferred);
    return preferred;
  }
  const [port] = await freePorts(1, taken);
  return port;
}
