import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';

/**
 * Identifies a process reliably: the system reuses process ids, so the start time and the command line are compared too.
 * @typedef {{pid: number, startedAt: string, command: string}} ProcessIdentity
 */

/** The identity of a running process, or null if no process has this id (a zombie counts as ended). */
export async function identify(pid) {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** Whether the recorded process is still running. */
export async function isSame(recorded) {
  const current = await identify(recorded.pid);
  return current !== null && current.startedAt === recorded.startedAt && current.command === recorded.command;
}

/**
 * Whether a record was written in this home: a copied home has records of processes that belong to the original. A record
 * without a home is that of a launcher of an earlier version.
 */
export async function isOfHome(record, home) {
  return record.home === undefined || record.home === (await realpath(home).catch(() => home));
}

async function fromProc(pid) {
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in brackets and may contain spaces, so fields are counted after the last bracket.
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
