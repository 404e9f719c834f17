import type { CheckKind } from '../../domain/identity/checks/checks';
import type { SessionProgress } from '../../domain/identity/sessions/progress';

/** What happened to a session, with its progress since then: a repeated or late signal has no higher version. */
export interface SessionNews {
  outboxId: string;
  progress: SessionProgress;
}

/** The signal that reports a submitted check, by kind: what the person or the client has sent. */
export const SUBMISSION_SIGNALS = {
  id_verification: 'documentSubmitted',
  liveness: 'selfieSubmitted',
  face_match: 'facesSubmitted',
  age: 'agePhotoSubmitted',
  face_search: 'searchPhotoSubmitted',
  database_validation: 'personalDetailsSubmitted',
  proof_of_address: 'proofOfAddressSubmitted',
  aml_screening: 'screeningRequested',
} as const satisfies Record<CheckKind, string>;

/** The other signals of a session. */
export const SESSION_SIGNALS = ['reviewerDecided', 'sessionCancelled', 'hitsReviewed'] as const;

export type SessionSignal = (typeof SUBMISSION_SIGNALS)[CheckKind] | (typeof SESSION_SIGNALS)[number];

/** Signals that a session of version 0.1 changed; the workflow reads the change from MongoDB. */
export interface SessionChanged {
  outboxId: string;
  kind: 'opened' | 'check_completed' | 'decided' | 'deleted';
}

/** Notifies a workflow that works off pending rows of further ones. */
export interface BacklogAdded {
  outboxId: string;
}

/** Makes a webhook delivery of an earlier version attempt again without waiting for its retry delay. */
export interface AttemptNow {
  outboxId: string;
}

/** Arguments of each signal, by name. */
export interface SignalArguments extends Record<SessionSignal, SessionNews> {
  sessionChanged: SessionChanged;
  attemptNow: AttemptNow;
  backlogAdded: BacklogAdded;
}

export type SignalName = keyof SignalArguments;
