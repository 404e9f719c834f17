import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/**
 * What makes a process the one we started, beyond its number, which the system gives to another one day: its start
 * time and its command line.
 * @typedef {{pid: number, startedAt: string, command: string}} ProcessIdentity
 */

/** The identity of a living process, or null when there is none of that number (a zombie counts as gone). */
export async function identify(pid) {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** Whether the process is still the very one that was noted. */
export async function isSame(noted) {
  const now = await identify(noted.pid);
  return now !== null && now.startedAt === noted.startedAt && now.command === noted.command;
}

async function fromProc(pid) {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program's name stands in brackets and may hold spaces: fields are counted from the last bracket on.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    return { pid, startedAt: fields[19], command };
  } catch {
    return null;
  }
}

function fromPs(pid) {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], (error, stdout) => {
      const match = /^(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(stdout?.trim() ?? '');
      if (error || match === null || match[1].startsWith('Z')) return resolve(null);
      resolve({ pid, startedAt: match[2], command: match[3] });
    });
  });
}
