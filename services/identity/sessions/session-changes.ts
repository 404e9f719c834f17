import { requireSessionTransition } from '../../../domain/identity/sessions/session';
import { mergeMetadata } from '../../../domain/identity/sessions/metadata';
import type { Metadata } from '../../../domain/identity/sessions/metadata';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { requireVersion } from '../../platform/transactions/versions';
import { requireSandboxMetadata } from '../checks/sandbox-values';
import { changeSession, getSession, getShownVersion } from './session-store';
import { transitionSession } from './session-transitions';
import { signalSessionWorkflow } from './temporal-workflow';

/** A change that applies only to the version of the session in If-Match; undefined without the header. */
interface Conditional {
  ifMatch?: number | undefined;
}

/**
 * Changes the metadata of a session in any status; see {@link mergeMetadata}.
 * @throws AppError 400 if the result is too large, 404; 412 `version_mismatch`
 */
export const updateSessionMetadata = (
  platform: Platform,
  scope: Scope,
  actor: string,
  sessionId: string,
  { metadata: changes, ifMatch }: Conditional & { metadata: Metadata | null },
): Promise<SessionRecord> =>
  runTransaction(platform, async (unit) => {
    const session = await getSession(scope, sessionId, unit.mongoSession);
    requireVersion(getShownVersion(session), ifMatch);
    const metadata = mergeMetadata(session.metadata, changes);
    requireSandboxMetadata(scope, metadata ?? undefined);
    const changed = await changeSession(unit, session, { metadata });
    await unit.audit(scope, { actor, action: 'session.updated', subject: sessionId, fields: ['metadata'] });
    return changed;
  });

/**
 * Cancels a session that has no final decision: it accepts no more checks, and what it has collected is kept until its
 * retention period ends. Cancelling it again changes nothing.
 * @throws AppError 404; 409 `invalid_transition`; 412 `version_mismatch`
 */
export const cancelSession = (
  platform: Platform,
  scope: Scope,
  actor: string,
  sessionId: string,
  { reason, ifMatch }: Conditional & { reason?: string | undefined },
  use: IdempotentUse | undefined,
): Promise<SessionRecord> =>
  runIdempotently(
    platform,
    use,
    (claim) =>
      runTransaction(platform, async (unit) => {
        const session = await getSession(scope, sessionId, unit.mongoSession);
        requireVersion(getShownVersion(session), ifMatch);
        await claim(unit, sessionId, 200);
        if (session.status === 'cancelled') return session;
        requireSessionTransition(session.status, 'cancelled');
        const cancelled = await transitionSession(unit, session, 'cancelled');
        const why = reason === undefined ? {} : { reason };
        await unit.audit(scope, {
          actor,
          action: 'session.cancelled',
          subject: sessionId,
          fields: ['status'],
          ...why,
        });
        // The session's workflow ends at this signal, as at a reviewer's decision.
        signalSessionWorkflow(unit, cancelled, 'sessionCancelled');
        return cancelled;
      }),
    (id) => getSession(scope, id),
  );
