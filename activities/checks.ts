import { AppError } from '../domain/errors';
import type { CheckKind, CheckResults } from '../domain/identity/checks/checks';
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
const HEARTBEAT_MS = 5000;

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

/** The engines of a pool, by the kind of check. */
export type CheckHandlers = { [K in CheckKind]?: (task: CheckTask<K>) => Promise<CheckResults[K]> };

/** @throws AppError 404 `evidence_missing` */
export function requireImage(images: ReadonlyMap<string, StoredFile>, field: string): StoredFile {
  const image = images.get(field);
  if (image === undefined) throw new AppError('evidence_missing', 404, `The check has no ${field}.`);
  return image;
}

async function executeCheck<K extends CheckKind>(
  platform: Platform,
  handlers: CheckHandlers,
  kind: K,
  check: CheckRecord,
): Promise<CheckSummary> {
  const handler = handlers[kind];
  if (handler === undefined || !isCheckOfKind(check, kind)) {
    throw new AppError('check_not_runnable', 400, `This pool runs no ${kind} checks.`);
  }
  const writes: ResultWrite[] = [];
  const images = await readCheckInputs(platform, check);
  const result = await handler({ check, images, writeWithResult: (write) => void writes.push(write) });
  return completeCheck(platform, kind, check, result, writes);
}

/** The activities of a pool that runs the given kinds of checks. */
export const createCheckActivities = (platform: Platform, handlers: CheckHandlers): CheckActivities => ({
  runCheck: ({ checkId }) =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      const check = await findCheckForWorkflow(checkId);
      if (check === null) return ERASED_CHECK;
      if (check.status !== 'processing') return summariseEndedCheck(platform, check);
      return (await completeInSandbox(platform, check)) ?? executeCheck(platform, handlers, check.kind, check);
    }),
});
