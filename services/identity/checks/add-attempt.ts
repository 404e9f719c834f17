import { requireSessionTransition } from '../../../domain/identity/sessions/session';
import type { Attempt } from '../../../domain/identity/sessions/steps';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { changeSession } from '../sessions/session-store';
import { transitionSession } from '../sessions/session-transitions';

/**
 * Adds a check to its step as an attempt. The first check of a session, and the first one of a resubmission, moves the
 * session to `in_progress`.
 *
 * @param pair of a check that follows from others: the key of those others
 */
export async function addAttempt(
  unit: UnitOfWork,
  session: SessionRecord,
  check: CheckRecord,
  pair?: string,
): Promise<SessionRecord> {
  const attempt: Attempt = {
    checkId: check._id,
    at: check.createdAt,
    origin: check.origin,
    outcome: 'processing',
    risks: [],
    ...(pair === undefined ? {} : { pair }),
    superseded: false,
  };
  const steps = session.steps.map((step) =>
    step.feature === check.feature ? { ...step, attempts: [...step.attempts, attempt] } : step,
  );
  if (session.status === 'in_progress') {
    return changeSession(unit, session, { steps, lastActivityAt: check.createdAt });
  }
  requireSessionTransition(session.status, 'in_progress');
  return transitionSession(unit, session, 'in_progress', { steps });
}
