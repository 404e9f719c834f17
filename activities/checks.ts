import { AppError } from '../domain/errors';
import type { CheckKind, CheckResults } from '../domain/identity/checks/checks';
import { isCheckOf } from '../models/identity/checks/check';
import type { CheckOf, CheckRecord } from '../models/identity/checks/check';
import { checkOfWorkflow, completeCheck, readInputs, summaryOf } from '../services/identity/checks/check-results';
import type { CheckSummary } from '../services/identity/checks/check-results';
import { completeInSandbox } from '../services/identity/checks/sandbox';
import type { Platform } from '../services/platform/platform';
import { withHeartbeat } from './heartbeat';

/** A third of the shortest heartbeat timeout of the pools that run checks. */
const HEARTBEAT_MS = 5000;

/** What every pool that runs checks offers to their workflow. */
export interface CheckActivities {
  /** Runs the engine on a check and records the result, once, however often it is called. */
  runCheck: (input: { checkId: string }) => Promise<CheckSummary>;
}

/** A check with its decrypted pictures, by the field they came in. */
export interface Examination<K extends CheckKind> {
  check: CheckOf<K>;
  pictures: ReadonlyMap<string, Buffer>;
}

/** How a pool examines each kind of check that it runs. */
export type Examiners = { [K in CheckKind]?: (examination: Examination<K>) => Promise<CheckResults[K]> };

/** @throws AppError 404 `evidence_missing` */
export function requiredPicture(pictures: ReadonlyMap<string, Buffer>, field: string): Buffer {
  const picture = pictures.get(field);
  if (picture === undefined) throw new AppError('evidence_missing', 404, `The check has no ${field}.`);
  return picture;
}

async function examine<K extends CheckKind>(
  platform: Platform,
  examiners: Examiners,
  kind: K,
  check: CheckRecord,
): Promise<CheckSummary> {
  const examiner = examiners[kind];
  if (examiner === undefined || !isCheckOf(check, kind)) {
    throw new AppError('check_not_runnable', 400, `This pool runs no ${kind} checks.`);
  }
  const result = await examiner({ check, pictures: await readInputs(platform, check) });
  return completeCheck(platform, kind, check, result);
}

/** The activities of a pool that runs the given kinds of checks. */
export const createCheckActivities = (platform: Platform, examiners: Examiners): CheckActivities => ({
  runCheck: ({ checkId }) =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      const check = await checkOfWorkflow(checkId);
      if (check === null) return { status: 'erased', verdict: null, risks: [] };
      if (check.status !== 'processing') return summaryOf(check);
      return (await completeInSandbox(platform, check)) ?? examine(platform, examiners, check.kind, check);
    }),
});
