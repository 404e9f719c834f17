import type { SessionRecord } from '../../../models/identity/sessions/session';
import { workflowIds } from '../../../workflows/contracts';
import type { SessionChanged } from '../../../workflows/contracts';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** Starts the Temporal workflow that follows a session in its present opening. */
export const startSessionWorkflow = (unit: UnitOfWork, session: SessionRecord): void =>
  unit.start(session.organisationId, {
    workflow: 'session',
    workflowId: workflowIds.session(session._id, session.opening),
    argument: {
      sessionId: session._id,
      opening: session.opening,
      linkTtlSeconds: session.settings.linkTtlHours * 3600,
      abandonAfterSeconds: session.settings.abandonAfterHours * 3600,
    },
    summary: `Session ${session.number} (${session.mode}): ${session.features.join(', ')}`,
    searchAttributes: { status: session.status, features: session.features },
  });

/** Signals the session's Temporal workflow that its record changed. */
export const signalSessionWorkflow = (
  unit: UnitOfWork,
  session: Pick<SessionRecord, '_id' | 'organisationId' | 'opening'>,
  kind: SessionChanged['kind'],
): void =>
  unit.signal(session.organisationId, workflowIds.session(session._id, session.opening), 'sessionChanged', { kind });
