import { expireApprovals } from '../../services/identity/sessions/approval-expiry';
import type { SessionProgress } from '../../domain/identity/sessions/progress';
import { failCheck } from '../../services/identity/checks/check-results';
import type { CheckSummary } from '../../services/identity/checks/check-results';
import { advanceSession, endIdleSession } from '../../services/identity/sessions/session-flow';
import type { SessionWorkflowReference } from '../../services/identity/sessions/session-flow';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

/** Short, idempotent writes of identity records. */
export interface IdentityRecordsActivities {
  /** Creates the follow-on checks that are due and decides once every step is completed. */
  advanceSession: (input: SessionWorkflowReference) => Promise<SessionProgress>;
  /** Ends a session that is still idle beyond its time limit. @returns its progress in any case */
  endIdleSession: (input: SessionWorkflowReference) => Promise<SessionProgress>;
  /** Expires the approvals that are due. @returns how many */
  expireApprovals: () => Promise<number>;
  /** Marks a check that could not be run to its end; `reason` is an error code. */
  failCheck: (input: { checkId: string; reason: string }) => Promise<CheckSummary>;
}

/** The activities that write sessions and checks. */
export const createIdentityRecordsActivities = (platform: Platform): IdentityRecordsActivities => ({
  advanceSession: (input) => advanceSession(platform, input),
  endIdleSession: (input) => endIdleSession(platform, input),
  expireApprovals: () => withHeartbeat(() => expireApprovals(platform)),
  failCheck: ({ checkId, reason }) => failCheck(platform, checkId, reason),
});
