import { readFileSync } from 'node:fs';
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

/** The load of the machine over the last minute. */
export const load = (): number => rounded(loadavg()[0] ?? 0, 1);
