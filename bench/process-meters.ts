import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { readRunningService } from '../scripts/demo/running-service';
import { roundTo } from './report';

/** Clock ticks per second in /proc; the same on every Linux that Node.js supports. */
const TICKS_PER_SECOND = 100;

function readStatSeconds(file: string): number | null {
  try {
    const text = readFileSync(file, 'utf8');
    // The command name is in parentheses and may contain spaces; user and system time are fields 12 and 13 after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** Processor seconds used by a process so far; null if /proc is not available. */
export const readProcessorSeconds = (pid: number): number | null => readStatSeconds(`/proc/${pid}/stat`);

/** Processor seconds used so far by each thread of a process. */
function readThreadSeconds(pid: number): Map<string, number> {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return new Map(threads.map((tid) => [tid, readStatSeconds(`/proc/${pid}/task/${tid}/stat`) ?? 0]));
  } catch {
    return new Map();
  }
}

/** Processor seconds used so far by the child processes of a process, ended ones included. */
function readChildSeconds(pid: number): number {
  const sumChildren = (parent: number): number => {
    const children = readdirSync(`/proc/${parent}/task`).flatMap((tid) =>
      readFileSync(`/proc/${parent}/task/${tid}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return children.reduce((sum, child) => sum + (readProcessorSeconds(child) ?? 0) + readChildSeconds(child), 0);
  };
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // User and system time of ended children are fields 14 and 15 after the command name.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND + sumChildren(pid);
  } catch {
    return 0;
  }
}

/** Processor seconds used so far by a process and its child processes, ended ones included; 0 without /proc. */
export const readTreeSeconds = (pid: number): number => (readProcessorSeconds(pid) ?? 0) + readChildSeconds(pid);

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

/** Processor seconds by what they were used for, and the capacity of the machine in the same time. */
export interface ServiceUse {
  /** Inference threads and decoder processes of the workers. */
  models: number;
  /** The workers without their models: workflows, activities, encryption. */
  workers: number;
  temporal: number;
  mongodb: number;
  objects: number;
  api: number;
  /** Seconds of all processors, of which other programs of the machine may have used a part. */
  capacity: number;
}

const isWorker = (role: string): boolean => role.startsWith('worker');

/**
 * Starts measuring what the running service uses its processors for. The inference threads of a worker are those of its
 * threads that used most, as many as VISION_THREADS says or else as the machine has cores.
 * @returns a function that returns the use since the start
 */
export function startServiceMeter(): () => ServiceUse {
  const { pids = {}, environment = {} } = readRunningService();
  const running = Object.entries(pids).flatMap(([role, pid]) => (pid === null ? [] : [{ role, pid }]));
  const inferenceThreads = Number(environment['VISION_THREADS'] ?? cpus().length);
  const read = () => ({
    at: performance.now(),
    seconds: new Map(running.map(({ role, pid }) => [role, readProcessorSeconds(pid) ?? 0])),
    workers: running
      .filter(({ role }) => isWorker(role))
      .map(({ pid }) => ({ pid, threads: readThreadSeconds(pid), children: readChildSeconds(pid) })),
  });
  const before = read();
  return () => {
    const after = read();
    const sumRoles = (matches: (role: string) => boolean): number =>
      [...after.seconds].reduce(
        (sum, [role, value]) => (matches(role) ? sum + value - (before.seconds.get(role) ?? 0) : sum),
        0,
      );
    let inference = 0;
    let decoding = 0;
    for (const { pid, threads, children } of after.workers) {
      const earlier = before.workers.find((worker) => worker.pid === pid);
      const used = [...threads]
        .filter(([tid]) => Number(tid) !== pid)
        .map(([tid, value]) => value - (earlier?.threads.get(tid) ?? 0));
      used.sort((a, b) => b - a);
      inference += used.slice(0, inferenceThreads).reduce((sum, value) => sum + value, 0);
      decoding += children - (earlier?.children ?? 0);
    }
    return {
      models: inference + decoding,
      workers: sumRoles(isWorker) - inference,
      temporal: sumRoles((role) => role === 'temporal'),
      mongodb: sumRoles((role) => role === 'mongod'),
      objects: sumRoles((role) => role === 's3'),
      api: sumRoles((role) => role === 'api'),
      capacity: ((after.at - before.at) / 1000) * cpus().length,
    };
  };
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
