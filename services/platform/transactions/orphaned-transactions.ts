import mongoose from 'mongoose';
import { startBackgroundLoop } from '../../../lib/background-loop';
import type { BackgroundLoop } from '../../../lib/background-loop';
import { summariseError } from '../../../lib/logger';
import { isSessionRunning } from '../../../lib/mongo';
import type { Platform } from '../platform';
import { findLivingProcesses, parseAppName } from './process-heartbeat';

const SWEEP_EVERY_MS = 1000;

/** The part of `$currentOp` that identifies an open transaction. */
interface IdleTransaction {
  appName?: unknown;
  lsid?: { id?: unknown };
}

interface OwnedTransaction {
  processId: string;
  sessionId: mongoose.mongo.BSON.Binary;
}

/**
 * The transactions that no process goes on with: its process has died, or this process has lost the connection and given
 * the session up.
 */
async function filterOrphaned(
  { processId }: Pick<Platform, 'processId'>,
  owned: readonly OwnedTransaction[],
): Promise<OwnedTransaction[]> {
  const ours = owned.filter((each) => each.processId === processId && !isSessionRunning(each.sessionId));
  const others = owned.filter((each) => each.processId !== processId);
  if (others.length === 0) return ours;
  const living = await findLivingProcesses(others.map((each) => each.processId));
  return [...ours, ...others.filter((each) => !living.has(each.processId))];
}

/**
 * Aborts the open transactions that no process goes on with. MongoDB keeps such a transaction, and with it the locks on
 * the records it wrote, until `transactionLifetimeLimitSeconds`. Aborting another one is harmless: its process repeats it.
 * Needs no privilege, since users may see and end their own sessions. Those of installations with other databases on the
 * same server are left alone.
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
    const processId = parseAppName(appName, mongoose.connection.name);
    return processId === null || !(lsid?.id instanceof mongoose.mongo.BSON.Binary)
      ? []
      : [{ processId, sessionId: lsid.id }];
  });
  const orphaned = await filterOrphaned(platform, owned);
  if (orphaned.length === 0) return 0;
  await admin.command({ killSessions: orphaned.map(({ sessionId }) => ({ id: sessionId })) });
  platform.logger.warn(
    { processes: [...new Set(orphaned.map(({ processId }) => processId))], transactions: orphaned.length },
    'Aborted transactions that no process goes on with',
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
