import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { readRunningService } from '../scripts/demo/running-service';
import { roundTo } from './report';

/** Ticks of a second in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Processor seconds a process has used so far; null where /proc does not tell. */
function readProcessorSeconds(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name stands in brackets and may hold blanks; user and system time are the 12th and 13th after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/**
 * Starts counting the processor time of parts of the running service, which other work on the machine does not change
 * as it does the time on the clock.
 * @returns a function that gives, for each role, the milliseconds used for each of `count` pieces of work
 */
export function startProcessorMeter(roles: readonly string[]): (count: number) => Record<string, number> {
  const pids = readRunningService().pids ?? {};
  const measured = roles.flatMap((role) => {
    const pid = pids[role] ?? null;
    const before = pid === null ? null : readProcessorSeconds(pid);
    return pid === null || before === null ? [] : [{ role, pid, before }];
  });
  return (count) =>
    Object.fromEntries(
      measured.map(({ role, pid, before }) => {
        const used = (readProcessorSeconds(pid) ?? before) - before;
        return [`${role}CpuMs`, roundTo((used * 1000) / count, 2)];
      }),
    );
}

/**
 * Starts watching the most memory that the processes of the running service's workers hold.
 * @returns a function that gives it in MB, and what they held before; null where /proc does not tell
 */
export function startMemoryMeter(): () => { before: number; peak: number } | null {
  const pids = Object.entries(readRunningService().pids ?? {}).flatMap(([role, pid]) =>
    role.startsWith('worker') && pid !== null ? [pid] : [],
  );
  const sumStatusField = (field: string): number | null => {
    try {
      const kilobytes = pids.map((pid) => {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
      });
      return roundTo(kilobytes.reduce((total, each) => total + each, 0) / 1024, 0);
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
  const before = sumStatusField('VmRSS');
  return () => {
    const peak = sumStatusField('VmHWM');
    return before === null || peak === null ? null : { before, peak };
  };
}

/** The load of the machine over the last minute. */
export const readLoadAverage = (): number => roundTo(loadavg()[0] ?? 0, 1);
