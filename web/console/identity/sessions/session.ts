import { useQueryClient } from '@tanstack/react-query';
import type { Body, OperationResponse } from '../../../../clients/typescript/src/calls';

export type Session = OperationResponse<'getSession'>['session'];
export type SessionStatus = Session['status'];
export type Feature = Session['features'][number];
export type ReviewDecision = Body<'decideSession'>['decision'];
export type Risk = Session['risks'][number];
export type DocumentResult = NonNullable<Session['results']['document']>;
export type FaceMatchResult = NonNullable<Session['results']['faceMatch']>;

export const FEATURES: readonly Feature[] = ['id', 'liveness', 'face_match', 'poa', 'age', 'database', 'aml'];

const DECIDED: readonly SessionStatus[] = ['approved', 'declined', 'approval_expired'];

/** Whether a decision would replace an earlier one, which needs a reason. */
export const isDecided = ({ status }: Pick<Session, 'status'>): boolean => DECIDED.includes(status);

/** The decisions that a reviewer can make, by the status of the session. */
const DECISIONS: Readonly<Record<SessionStatus, readonly ReviewDecision[]>> = {
  not_started: [],
  in_progress: ['decline'],
  in_review: ['approve', 'decline', 'resubmit'],
  approved: ['review', 'decline'],
  declined: ['review', 'approve'],
  resubmission_requested: [],
  expired: [],
  abandoned: [],
  cancelled: [],
  approval_expired: [],
};

export const listDecisions = ({ status }: Pick<Session, 'status'>): readonly ReviewDecision[] => DECISIONS[status];

const OPEN: readonly SessionStatus[] = ['not_started', 'in_progress', 'resubmission_requested'];

/** Interval at which a session is read again while the person can capture something. */
export const FOLLOW_MS = 5000;

/** Whether the person can still capture something. */
export const isOpen = ({ status }: Pick<Session, 'status'>): boolean => OPEN.includes(status);

/** Whether a session can be ended without a decision. */
export const isCancellable = (session: Pick<Session, 'status'>): boolean =>
  isOpen(session) || session.status === 'in_review';

/** Whether another organisation can be given the result. */
export const isShareable = ({ status }: Pick<Session, 'status'>): boolean => DECIDED.includes(status);

/** Reads everything about sessions again after a change of one. */
export function useRefreshSessions(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const operations = ['getSession', 'listSessions', 'listPendingSessions', 'listChecks', 'listShares'] as const;
    await Promise.all(operations.map((name) => queries.invalidateQueries({ queryKey: ['identity', name] })));
  };
}
