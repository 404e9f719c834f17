import { createServer } from 'node:net';

/** Below the range from which systems take ports for outgoing connections, so that none is taken between choice and use. */
const FIRST = 20_000;
const LAST = 31_999;

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
 * @param {Set<number>} taken ports already promised to someone; the chosen ones are added
 * @returns {Promise<number[]>}
 */
export async function freePorts(count, taken = new Set()) {
  const chosen = [];
  let candidate = FIRST + Math.floor(Math.random() * (LAST - FIRST));
  for (let tries = 0; tries <= LAST - FIRST && chosen.length < count; tries += 1) {
    candidate = candidate >= LAST ? FIRST : candidate + 1;
    if (taken.has(candidate) || !(await isFree(candidate))) continue;
    taken.add(candidate);
    chosen.push(candidate);
  }
  if (chosen.length < count) throw new Error(`no ${count} free ports between ${FIRST} and ${LAST}`);
  return chosen;
}

/** The preferred port when it is free and not promised, else any free one. */
export async function preferredPort(preferred, taken) {
  if (preferred !== undefined && !taken.has(preferred) && (await isFree(preferred))) {
    taken.add(preferred);
    return preferred;
  }
  const [port] = await freePorts(1, taken);
  return port;
}
