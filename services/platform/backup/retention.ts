import type { BackupVault } from '../../../lib/backup/vault';
import { DAY_MS } from '../../../domain/durations';
import { buildBackupId, listBackups, listStartedBackups, removeBackup } from './manifest';

/** Which backups were removed. */
export interface RemovedBackups {
  /** Ids of complete backups. */
  removed: string[];
  /** Ids of interrupted backups. */
  removedInterrupted: string[];
}

/**
 * Another process may be writing a backup without a manifest. One that began this long ago is not: the snapshot of its
 * records was kept for a day, and another day is left for its objects.
 */
const INTERRUPTED_AFTER_MS = 2 * DAY_MS;

/**
 * Removes the oldest backups, and those that were interrupted and began more than two days ago.
 * @param keep number of complete backups that remain
 */
export async function removeOutdated(vault: BackupVault, keep: number, now: Date): Promise<RemovedBackups> {
  // Listed first, so that a backup that is completed meanwhile counts as complete.
  const started = await listStartedBackups(vault);
  const complete = await listBackups(vault);
  const removed = complete.slice(0, -keep);
  const limit = buildBackupId(new Date(now.getTime() - INTERRUPTED_AFTER_MS));
  const removedInterrupted = started.filter((id) => id < limit && !complete.includes(id));
  for (const id of [...removed, ...removedInterrupted]) await removeBackup(vault, id);
  return { removed, removedInterrupted };
}

/**
 * Removes what was written of a backup if it fails, so that a full disk does not stay full until it counts as interrupted.
 * @throws the error of `work`
 */
export async function removeIfFailed<T>(vault: BackupVault, id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Where the target cannot be reached either, the backup is removed with the interrupted ones.
    await removeBackup(vault, id).catch(() => undefined);
    throw error;
  }
}
