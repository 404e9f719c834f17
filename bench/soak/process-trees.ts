import { readdirSync, readFileSync } from 'node:fs';
import { readProcessUsage } from '../../lib/process-usage';
import { roundTo } from '../report';

/** What a process and the processes that it started use. */
export interface TreeUsage {
  /** Resident memory in MB. */
  megabytes: number;
  /** Open files and sockets. */
  handles: number;
  /** Processor time of the living processes in seconds. */
  cpuSeconds: number;
}

/** Process ids by parent. */
function listChildren(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
    } catch {
      // The process has ended in the meantime.
    }
  }
  return children;
}

/** The ids of a process and of all processes below it. */
export function listProcessTree(pid: number, children = listChildren()): number[] {
  return [pid, ...(children.get(pid) ?? []).flatMap((child) => listProcessTree(child, children))];
}

const countHandles = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};

/** Usage of each process with those below it, by role. */
export function readTreeUsage(pids: Record<string, number | null>): Record<string, TreeUsage> {
  const children = listChildren();
  return Object.fromEntries(
    Object.entries(pids).flatMap(([role, pid]) => {
      if (pid === null || role === 'launcher') return [];
      const tree = listProcessTree(pid, children);
      const usage = tree.map((each) => readProcessUsage(each));
      const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
      return [
        [
          role,
          {
            megabytes: roundTo(sum(usage.map((each) => each?.bytes ?? 0)) / 1024 / 1024, 1),
            handles: sum(tree.map(countHandles)),
            cpuSeconds: roundTo(sum(usage.map((each) => each?.seconds ?? 0)), 2),
          },
        ],
      ];
    }),
  );
}
