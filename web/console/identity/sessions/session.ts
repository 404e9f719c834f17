import { useQueryClient } from '@tanstack/react-query';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';

export type Session = OperationResponse<'getSession'>['session'];
export type SessionStatus = Session['status'];
export type Feature = Session['features'][number];
export type Risk = Session['risks'][number];
export type DocumentResult = NonNullable<Session['results']['document']>;
export type FaceMatchResult = NonNullable<Session['results']['faceMatch']>;

export const FEATURES: readonly Feature[] = ['id', 'liveness', 'face_match', 'poa', 'age', 'database', 'aml'];

const DECIDED: readonly SessionStatus[] = ['approved', 'declined', 'approval_expired'];

/** Whether a decision would replace an earlier one, which needs a reason. */
export const isDecided = ({ status }: Pick<Session, 'status'>): boolean => DECIDED.includes(status);

const OPEN: readonly SessionStatus[] = ['not_started', 'in_progress', 'resubmission_requested'];

/** Interval at which a session is read again while the person can capture something. */
export const FOLLOW_MS = 5000;

/** Whether the person can still capture something. */
export const isOpen = ({ status }: Pick<Session, 'status'>): boolean => OPEN.includes(status);

/** Reads everything about sessions again after a change of one. */
export function useRefreshSessions(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const operations = ['getSession', 'listSessions', 'listPendingSessions', 'listChecks', 'listShares'] as const;
    await Promise.all(operations.map((name) => queries.invalidateQueries({ queryKey: ['identity', name] })));
  };
}
