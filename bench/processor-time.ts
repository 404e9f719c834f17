import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { runningService } from '../scripts/demo/running-service';
import { rounded } from './report';

/** Ticks of a second in /proc, the same on every Linux that Node runs on. */
const TICKS = 100;

/** Processor seconds a process has used so far; null where /proc does not tell. */
function processorSeconds(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name stands in brackets and may hold blanks; user and system time are the 12th and 13th after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return null;
  }
}

/**
 * Starts counting the processor time of parts of the running service, which other work on the machine does not change
 * as it does the time on the clock.
 * @returns a function that gives, for each role, the milliseconds used for each of `count` pieces of work
 */
export function processorMeter(roles: readonly string[]): (count: number) => Record<string, number> {
  const pids = runningService().pids ?? {};
  const known = roles.flatMap((role) => {
    const pid = pids[role] ?? null;
    const before = pid === null ? null : processorSeconds(pid);
    return pid === null || before === null ? [] : [{ role, pid, before }];
  });
  return (count) =>
    Object.fromEntries(
      known.map(({ role, pid, before }) => {
        const used = (processorSeconds(pid) ?? before) - before;
        return [`${role}CpuMs`, rounded((used * 1000) / count, 2)];
      }),
    );
}

/**
 * Starts watching the most memory that the processes of the running service's workers hold.
 * @returns a function that gives it in MB, and what they held before; null where /proc does not tell
 */
export function memoryMeter(): () => { before: number; peak: number } | null {
  const pids = Object.entries(runningService().pids ?? {}).flatMap(([role, pid]) =>
    role.startsWith('worker') && pid !== null ? [pid] : [],
  );
  const sum = (field: string): number | null => {
    try {
      const kilobytes = pids.map((pid) => {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
      });
      return rounded(kilobytes.reduce((total, each) => total + each, 0) / 1024, 0);
    } catch {
      return null;
    }
  };
  try {
    // The mark of the most that was ever held falls to what is held now.
    for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    return () => null;
  }
  const before = sum('VmRSS');
  return () => {
    const peak = sum('VmHWM');
    return before === null || peak === null ? null : { before, peak };
  };
}

/** The load of the machine over the last minute. */
export const load = (): number => rounded(loadavg()[0] ?? 0, 1);
