import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { readRunningService } from '../scripts/demo/running-service';
import { roundTo } from './report';

/** Clock ticks per second in /proc; the same on every Linux that Node.js supports. */
const TICKS_PER_SECOND = 100;

/** Processor seconds used by a process so far; null if /proc is not available. */
export function readProcessorSeconds(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name is in parentheses and may contain spaces; user and system time are fields 12 and 13 after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/**
 * Starts measuring the processor time of processes of the running service. Unlike elapsed time, it hardly depends on
 * other load of the machine.
 *
 * @returns a function that returns, by role, the milliseconds used per item for `count` items
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
 * Starts measuring the peak memory of the worker processes of the running service.
 *
 * @returns a function that returns the memory before and the peak, in MB; null if /proc is not available
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
    // Resets the peak resident set size to the current one.
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

/** Load average of the machine over the last minute. */
export const readLoadAverage = (): number => roundTo(loadavg()[0] ?? 0, 1);
