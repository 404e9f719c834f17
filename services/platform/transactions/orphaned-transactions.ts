import mongoose from 'mongoose';
import { startBackgroundLoop } from '../../../lib/background-loop';
import type { BackgroundLoop } from '../../../lib/background-loop';
import { summariseError } from '../../../lib/logger';
import type { Platform } from '../platform';
import { findLivingProcesses, parseAppName } from './process-heartbeat';

const SWEEP_EVERY_MS = 1000;

/** The part of `$currentOp` that identifies an open transaction. */
interface IdleTransaction {
  appName?: unknown;
  lsid?: { id?: unknown };
}

/**
 * Aborts the open transactions of processes that have died. MongoDB keeps such a transaction, and with it the locks on
 * the records it wrote, until `transactionLifetimeLimitSeconds`. Aborting one of a living process is harmless: the
 * process repeats it. Needs no privilege, since a user may see and end the sessions of his own.
 * @returns the number of transactions aborted
 */
export async function abortOrphanedTransactions(platform: Pick<Platform, 'processId' | 'logger'>): Promise<number> {
  const admin = mongoose.connection.getClient().db('admin');
  const transactions = await admin
    .aggregate<IdleTransaction>(
      [
        { $currentOp: { allUsers: false, idleSessions: true } },
        { $match: { type: 'idleSession', transaction: { $exists: true } } },
        { $project: { appName: 1, 'lsid.id': 1 } },
      ],
      // The stage accepts no other level.
      { readConcern: { level: 'local' } },
    )
    .toArray();
  const owned = transactions.flatMap(({ appName, lsid }) => {
    const processId = parseAppName(appName);
    return processId === null || processId === platform.processId || lsid?.id === undefined
      ? []
      : [{ processId, sessionId: lsid.id }];
  });
  if (owned.length === 0) return 0;
  const living = await findLivingProcesses(owned.map(({ processId }) => processId));
  const orphaned = owned.filter(({ processId }) => !living.has(processId));
  if (orphaned.length === 0) return 0;
  await admin.command({ killSessions: orphaned.map(({ sessionId }) => ({ id: sessionId })) });
  platform.logger.warn(
    { processes: [...new Set(orphaned.map(({ processId }) => processId))], transactions: orphaned.length },
    'Aborted the transactions of processes that have died',
  );
  return orphaned.length;
}

/** Looks for orphaned transactions every second. */
export function startOrphanSweep(platform: Platform): BackgroundLoop {
  let wasReported = false;
  return startBackgroundLoop(SWEEP_EVERY_MS, async () => {
    try {
      await abortOrphanedTransactions(platform);
      wasReported = false;
    } catch (error) {
      // Some hosted databases refuse the command; then transactions end by the limit of the server.
      const level = wasReported ? 'debug' : 'warn';
      platform.logger[level]({ reason: summariseError(error) }, 'Orphaned transactions could not be listed');
      wasReported = true;
    }
  });
}
