import { readFile } from 'node:fs/promises';

export interface ProcessStat {
  parent: number;
  /** When the process started, in clock ticks since the machine started. */
  startedAt: number;
  residentPages: number;
}

/** Reads `/proc/<pid>/stat`; null if there is no such process, or no `/proc`. The name in parentheses may contain spaces. */
export async function readProcessStat(pid: number | string): Promise<ProcessStat | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), startedAt: Number(fields[19]), residentPages: Number(fields[21]) };
  } catch {
    return null;
  }
}
