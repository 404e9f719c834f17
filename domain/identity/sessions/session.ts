import { conflictError } from '../../errors';
import type { AppError } from '../../errors';

/** Where a session stands. `expired`: never opened in time. `abandoned`: opened, then left idle. */
export const SESSION_STATUSES = [
  'not_started',
  'in_progress',
  'in_review',
  'approved',
  'declined',
  'resubmission_requested',
  'expired',
  'abandoned',
  'approval_expired',
] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Moves open to the flow itself: the person's steps, the rules, the timers, a reviewer's first decision. */
const TRANSITIONS: Record<SessionStatus, readonly SessionStatus[]> = {
  not_started: ['in_progress', 'expired'],
  in_progress: ['in_review', 'approved', 'declined', 'resubmission_requested', 'abandoned'],
  in_review: ['approved', 'declined', 'resubmission_requested'],
  resubmission_requested: ['in_progress', 'abandoned'],
  approved: ['approval_expired'],
  declined: [],
  expired: [],
  abandoned: [],
  approval_expired: [],
};

/** Moves that reverse a final decision: a reviewer must ask for them by name, and each is audited. */
const OVERRIDES: Partial<Record<SessionStatus, readonly SessionStatus[]>> = {
  approved: ['declined', 'in_review'],
  declined: ['approved', 'in_review'],
};

/** Statuses an imported session may begin in; every other session begins in `not_started`. */
export const IMPORT_STATUSES: readonly SessionStatus[] = ['in_review', 'approved'];

/** Statuses in which uploads are taken. The first check opens a session that was not started. */
const OPEN_STATUSES: readonly SessionStatus[] = ['not_started', 'in_progress', 'resubmission_requested'];

/** Statuses at which the session's workflow ends; only an override leads on from them. */
const FINAL_STATUSES: readonly SessionStatus[] = ['approved', 'declined', 'expired', 'abandoned', 'approval_expired'];

export const isOpenStatus = (status: SessionStatus): boolean => OPEN_STATUSES.includes(status);

export const isFinalStatus = (status: SessionStatus): boolean => FINAL_STATUSES.includes(status);

export interface TransitionOptions {
  /** @default false; true adds the moves that reverse a final decision */
  override?: boolean;
}

/** Every status a session may move to from `from`, in the order of the contract. */
export function listAllowedTransitions(
  from: SessionStatus,
  { override = false }: TransitionOptions = {},
): SessionStatus[] {
  return override ? [...TRANSITIONS[from], ...(OVERRIDES[from] ?? [])] : [...TRANSITIONS[from]];
}

/** True where the move is legal only as an override. */
export const isOverride = (from: SessionStatus, to: SessionStatus): boolean => OVERRIDES[from]?.includes(to) ?? false;

/** The error of an illegal move: 409 `invalid_transition` with the moves that are allowed. */
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

/** @throws AppError 409 `invalid_transition` naming the allowed moves */
export function assertSessionTransition(from: SessionStatus, to: SessionStatus, options: TransitionOptions = {}): void {
  if (!listAllowedTransitions(from, options).includes(to)) throw invalidSessionTransitionError(from, to, options);
}

/** What a reviewer may decide. `review` reopens a final decision and therefore always needs an override. */
export const REVIEW_DECISIONS = ['approve', 'decline', 'resubmit', 'review'] as const;

export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

const STATUS_BY_DECISION: Record<ReviewDecision, SessionStatus> = {
  approve: 'approved',
  decline: 'declined',
  resubmit: 'resubmission_requested',
  review: 'in_review',
};

export const getStatusAfter = (decision: ReviewDecision): SessionStatus => STATUS_BY_DECISION[decision];

/** The event each status tells, none where the move is nobody's news. */
export const EVENT_BY_STATUS = {
  not_started: 'session.created',
  in_progress: 'session.started',
  in_review: 'session.review',
  approved: 'session.completed',
  declined: 'session.declined',
  resubmission_requested: 'session.resubmission_requested',
  expired: 'session.expired',
  abandoned: 'session.abandoned',
  approval_expired: 'session.approval_expired',
} as const satisfies Record<SessionStatus, string>;
