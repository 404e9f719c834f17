import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  /** Processor time since the process started. */
  seconds: number;
  /** Resident memory. */
  bytes: number;
}

/** Linux counts processor time in hundredths of a second and memory in pages, on every platform that Node.js supports. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** What a process has used so far; null if it has ended, or if the system has no `/proc`. */
export function readProcessUsage(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      bytes: Number(fields[21]) * PAGE_BYTES,
    };
  } catch {
    return null;
  }
}
