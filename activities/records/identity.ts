import type { Feature } from '../../domain/identity/features';
import type { SessionStatus } from '../../domain/identity/session';
import type { StepStatus } from '../../domain/identity/steps';

/** What a workflow may know of a session: statuses, no personal data. `erased` once the session is deleted. */
export interface SessionProgress {
  status: SessionStatus | 'erased';
  /** true when nothing but a reviewer's override leads on, so that the workflow has nothing left to wait for */
  final: boolean;
  steps: { feature: Feature; status: StepStatus }[];
}

/** Short, idempotent writes of the identity records. */
export interface IdentityRecordsActivities {
  /** Creates the checks that follow and, when every step is done, decides. */
  advanceSession: (input: { sessionId: string }) => Promise<SessionProgress>;
  /** Ends a session whose time has run out, if it still has; else reports where it stands. */
  endIdleSession: (input: { sessionId: string }) => Promise<SessionProgress>;
  /** Marks a check that could not be run to its end; `reason` is an error code. */
  failCheck: (input: { checkId: string; reason: string }) => Promise<void>;
}
