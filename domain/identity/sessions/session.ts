import { conflictError } from '../../errors';
import type { AppError } from '../../errors';

/**
 * The status of a session. `expired`: never started in time. `abandoned`: started, then left idle. `cancelled`: ended by
 * the client without a decision.
 */
export const SESSION_STATUSES = [
  'not_started',
  'in_progress',
  'in_review',
  'approved',
  'declined',
  'resubmission_requested',
  'expired',
  'abandoned',
  'cancelled',
  'approval_expired',
] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Transitions of the regular flow: the person's steps, the rules, the timers, a reviewer's first decision. */
const TRANSITIONS: Record<SessionStatus, readonly SessionStatus[]> = {
  not_started: ['in_progress', 'expired', 'cancelled'],
  in_progress: ['in_review', 'approved', 'declined', 'resubmission_requested', 'abandoned', 'cancelled'],
  in_review: ['approved', 'declined', 'resubmission_requested', 'cancelled'],
  resubmission_requested: ['in_progress', 'abandoned', 'cancelled'],
  approved: ['approval_expired'],
  declined: [],
  expired: [],
  abandoned: [],
  cancelled: [],
  approval_expired: [],
};

/**
 * Transitions that reverse a final decision: a reviewer must request an override explicitly, and each one is audited.
 */
const OVERRIDES: Partial<Record<SessionStatus, readonly SessionStatus[]>> = {
  approved: ['declined', 'in_review'],
  declined: ['approved', 'in_review'],
};

/** Statuses in which an imported session may start; every other session starts in `not_started`. */
export const IMPORT_STATUSES: readonly SessionStatus[] = ['in_review', 'approved'];

/** Statuses in which the person captures and uploads are accepted. The first check starts a session in `not_started`. */
const CAPTURE_STATUSES: readonly SessionStatus[] = ['not_started', 'in_progress', 'resubmission_requested'];

/** Statuses at which the session's workflow ends; only an override leads out of them, and an approval expires. */
const FINAL_STATUSES: readonly SessionStatus[] = [
  'approved',
  'declined',
  'expired',
  'abandoned',
  'cancelled',
  'approval_expired',
];

/** Whether a session accepts further checks. */
export const acceptsChecks = (status: SessionStatus): boolean => CAPTURE_STATUSES.includes(status);

/** Rejects a check, or access for one, of a session that accepts none. */
export const sessionClosedError = (status: SessionStatus): AppError =>
  conflictError('session_closed', `The session is ${status} and accepts no more checks.`, { status });

/** Whether a session has ended: its status changes by an override only, and when an approval expires. */
export const isFinalStatus = (status: SessionStatus): boolean => FINAL_STATUSES.includes(status);

/** Statuses at which the session's workflow runs, with those in which a reviewer must decide. */
export const UNFINISHED_STATUSES: readonly SessionStatus[] = SESSION_STATUSES.filter(
  (status) => !isFinalStatus(status),
);

export interface TransitionOptions {
  /** True adds the transitions that reverse a final decision. @default false */
  override?: boolean;
}

/** Every status that `from` can move to, in the order of the API. */
export function listAllowedTransitions(
  from: SessionStatus,
  { override = false }: TransitionOptions = {},
): SessionStatus[] {
  return override ? [...TRANSITIONS[from], ...(OVERRIDES[from] ?? [])] : [...TRANSITIONS[from]];
}

/** True if the transition is legal only as an override. */
export const isOverride = (from: SessionStatus, to: SessionStatus): boolean => OVERRIDES[from]?.includes(to) ?? false;

/** The error of an illegal transition: 409 `invalid_transition` with the allowed ones. */
export function invalidSessionTransitionError(
  from: SessionStatus,
  to: SessionStatus,
  options: TransitionOptions = {},
): AppError {
  const allowed = listAllowedTransitions(from, options);
  const list = allowed.length === 0 ? 'none' : allowed.join(', ');
  const hint = !options.override && isOverride(from, to) ? ' This one needs override: true.' : '';
  return conflictError(
    'invalid_transition',
    `A session cannot move from ${from} to ${to}. Allowed moves: ${list}.${hint}`,
    {
      from,
      to,
      allowed,
      ...(hint === '' ? {} : { overrideRequired: true }),
    },
  );
}

/** @throws AppError 409 `invalid_transition` naming the allowed transitions */
export function requireSessionTransition(
  from: SessionStatus,
  to: SessionStatus,
  options: TransitionOptions = {},
): void {
  if (!listAllowedTransitions(from, options).includes(to)) throw invalidSessionTransitionError(from, to, options);
}

/** The decisions of a reviewer. `review` reopens a final decision and therefore always requires an override. */
export const REVIEW_DECISIONS = ['approve', 'decline', 'resubmit', 'review'] as const;

export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

const STATUS_BY_DECISION: Record<ReviewDecision, SessionStatus> = {
  approve: 'approved',
  decline: 'declined',
  resubmit: 'resubmission_requested',
  review: 'in_review',
};

/** The status of a session after a reviewer's decision. */
export const getStatusAfter = (decision: ReviewDecision): SessionStatus => STATUS_BY_DECISION[decision];

/** The event that a transition to each status emits. */
export const EVENT_BY_STATUS = {
  not_started: 'session.created',
  in_progress: 'session.started',
  in_review: 'session.review',
  approved: 'session.completed',
  declined: 'session.declined',
  resubmission_requested: 'session.resubmission_requested',
  expired: 'session.expired',
  abandoned: 'session.abandoned',
  cancelled: 'session.cancelled',
  approval_expired: 'session.approval_expired',
} as const satisfies Record<SessionStatus, string>;
