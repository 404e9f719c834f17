import { AppError } from '../domain/errors';
import type { CheckKind, CheckPool, CheckResults, CHECKS } from '../domain/identity/checks/checks';
import type { StoredFile } from '../lib/files/stored-file';
import { isCheckOfKind } from '../models/identity/checks/check';
import type { CheckOfKind, CheckRecord } from '../models/identity/checks/check';
import {
  completeCheck,
  ERASED_CHECK,
  readCheckInputs,
  summariseEndedCheck,
} from '../services/identity/checks/check-results';
import type { CheckSummary, ResultWrite } from '../services/identity/checks/check-results';
import { findCheckForWorkflow } from '../services/identity/checks/check-store';
import { completeInSandbox } from '../services/identity/checks/sandbox';
import type { Platform } from '../services/platform/platform';
import { withHeartbeat } from './heartbeat';

/** One third of the shortest heartbeat timeout of the pools that run checks. */
/** The activities that every pool which runs checks provides to their workflow. */
export interface CheckActivities {
  /** Runs the engine of a check and records the result; repeated calls change nothing. */
  runCheck: (input: { checkId: string }) => Promise<CheckSummary>;
}

/** A check with its decrypted images, by the field in which they were sent. */
export interface CheckTask<K extends CheckKind> {
  check: CheckOfKind<K>;
  images: ReadonlyMap<string, StoredFile>;
  /** Adds a write to the transaction that records the result. */
  writeWithResult: (write: ResultWrite) => void;
}

type CheckHandler<K extends CheckKind> = (task: CheckTask<K>) => Promise<CheckResults[K]>;

/** The kinds of checks that a pool runs. */
type KindOf<P extends CheckPool> = { [K in CheckKind]: (typeof CHECKS)[K]['pool'] extends P ? K : never }[CheckKind];

/** The engines of a pool: one for every kind of check that it runs. */
export type CheckHandlers<P extends CheckPool> = { [K in KindOf<P>]: CheckHandler<K> };

/** @throws AppError 404 `evidence_missing` */
export function requireImage(images: ReadonlyMap<string, StoredFile>, field: string): StoredFile {
  const image = images.get(field);
  if (image === undefined) throw new AppError('evidence_missing', 404, `The check has no ${field}.`);
  return image;
}

async function executeCheck<K extends CheckKind>(
  platform: Platform,
  handlers: { [K in CheckKind]?: CheckHandler<K> },
  kind: K,
  check: CheckRecord,
): Promise<CheckSummary> {
  const handler = handlers[kind];
  if (handler === undefined || !isCheckOfKind(check, kind)) {
    // Sent to another task queue than that of its pool; attempted again, possibly by a worker of another version.
    throw new Error(`This pool runs no ${kind} checks.`);
  }
  const writes: ResultWrite[] = [];
  const images = await readCheckInputs(platform, check);
  const result = await handler({ check, images, writeWithResult: (write) => void writes.push(write) });
  return completeCheck(platform, kind, check, result, writes);
}

/** The activities of a pool that runs checks. */
export const createCheckActivities = <P extends CheckPool>(
  platform: Platform,
  handlers: CheckHandlers<P>,
): CheckActivities => ({
  runCheck: ({ checkId }) =>
    withHeartbeat(async () => {
      const check = await findCheckForWorkflow(checkId);
      if (check === null) return ERASED_CHECK;
      if (check.status !== 'processing') return summariseEndedCheck(platform, check);
      return (await completeInSandbox(platform, check)) ?? executeCheck(platform, handlers, check.kind, check);
    }),
});
