import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { MEGABYTE } from '../domain/file-size';

/** What this process may use of the machine. */
export interface Machine {
  /** Processor cores; a quota may allow a part of one. */
  cores: number;
  memoryMegabytes: number;
}

const readText = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
};

/**
 * The processor quota of the control group, in cores; null without one.
 * @param root folder of the control groups
 */
export function readCpuQuota(root = '/sys/fs/cgroup'): number | null {
  const [quota, period] = (
    readText(`${root}/cpu.max`) ??
    `${readText(`${root}/cpu/cpu.cfs_quota_us`) ?? ''} ${readText(`${root}/cpu/cpu.cfs_period_us`) ?? ''}`
  ).split(' ');
  const cores = Number(quota) / Number(period);
  return Number.isFinite(cores) && cores > 0 ? cores : null;
}

/** Cores and memory of the machine, or of the container if that has limits. */
export function readMachine(): Machine {
  const quota = readCpuQuota();
  const cores = availableParallelism();
  // 0 without a limit, and more than the machine has for a control group without one.
  const limit = process.constrainedMemory() || Infinity;
  return {
    cores: quota === null ? cores : Math.min(cores, quota),
    memoryMegabytes: Math.floor(Math.min(limit, totalmem()) / MEGABYTE),
  };
}
