import { expireApprovals } from '../../services/identity/sessions/approval-expiry';
import { failCheck } from '../../services/identity/checks/check-results';
import { advanceSession, endIdleSession } from '../../services/identity/sessions/session-flow';
import type { SessionWorkflowReference, SessionProgress } from '../../services/identity/sessions/session-flow';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

const HEARTBEAT_MS = 10_000;

export type { SessionProgress };

/** Short, idempotent writes of the identity records. */
export interface IdentityRecordsActivities {
  /** Creates the checks that follow and, when every step is done, decides. */
  advanceSession: (input: SessionWorkflowReference) => Promise<SessionProgress>;
  /** Ends a session whose time has run out, if it still has; else reports where it stands. */
  endIdleSession: (input: SessionWorkflowReference) => Promise<SessionProgress>;
  /** Lets approvals lapse whose time is over. @returns how many */
  expireApprovals: () => Promise<number>;
  /** Marks a check that could not be run to its end; `reason` is an error code. */
  failCheck: (input: { checkId: string; reason: string }) => Promise<void>;
}

export const createIdentityRecordsActivities = (platform: Platform): IdentityRecordsActivities => ({
  advanceSession: (input) => advanceSession(platform, input),
  endIdleSession: (input) => endIdleSession(platform, input),
  expireApprovals: () => withHeartbeat(HEARTBEAT_MS, () => expireApprovals(platform)),
  failCheck: ({ checkId, reason }) => failCheck(platform, checkId, reason),
});
