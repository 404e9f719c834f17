import fc from 'fast-check';
import { AppError } from '../../../../domain/errors';
import {
  listAllowedTransitions,
  requireSessionTransition,
  EVENT_BY_STATUS,
  IMPORT_STATUSES,
  isFinalStatus,
  acceptsChecks,
  isOverride,
  REVIEW_DECISIONS,
  SESSION_STATUSES,
  getStatusAfter,
} from '../../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../../domain/identity/sessions/session';
import { EVENT_TYPES } from '../../../../domain/platform/webhooks/event-types';

/** Every transition of the design, repeated here so that an accidental change of the table fails. */
const DESIGNED: [SessionStatus, SessionStatus[], SessionStatus[]][] = [
  ['not_started', ['in_progress', 'expired', 'cancelled'], []],
  ['in_progress', ['in_review', 'approved', 'declined', 'resubmission_requested', 'abandoned', 'cancelled'], []],
  ['in_review', ['approved', 'declined', 'resubmission_requested', 'cancelled'], []],
  ['resubmission_requested', ['in_progress', 'abandoned', 'cancelled'], []],
  ['approved', ['approval_expired'], ['declined', 'in_review']],
  ['declined', [], ['approved', 'in_review']],
  ['expired', [], []],
  ['abandoned', [], []],
  ['cancelled', [], []],
  ['approval_expired', [], []],
];

const status = fc.constantFrom(...SESSION_STATUSES);

const catchError = (run: () => void): AppError => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
};

describe('transitions of a session', () => {
  test.each(DESIGNED)('from %s are those of the design', (from, regular, overrides) => {
    expect(listAllowedTransitions(from)).toEqual(regular);
    expect(listAllowedTransitions(from, { override: true })).toEqual([...regular, ...overrides]);
    for (const to of overrides) expect(isOverride(from, to)).toBe(true);
  });

  test('a transition is legal exactly if it is listed, and the error of an illegal one names the list', () => {
    fc.assert(
      fc.property(status, status, fc.boolean(), (from, to, override) => {
        const allowed = listAllowedTransitions(from, { override });
        if (allowed.includes(to)) return requireSessionTransition(from, to, { override });
        const error = catchError(() => requireSessionTransition(from, to, { override }));
        expect(error).toMatchObject({ code: 'invalid_transition', status: 409, details: { from, to, allowed } });
        for (const name of allowed) expect(error.message).toContain(name);
      }),
    );
  });

  test('only the expiry of an approval leads out of a final status without an override', () => {
    for (const from of SESSION_STATUSES.filter(isFinalStatus)) {
      expect(listAllowedTransitions(from)).toEqual(from === 'approved' ? ['approval_expired'] : []);
    }
  });

  test('no transition leads to the same status', () => {
    for (const from of SESSION_STATUSES) expect(listAllowedTransitions(from, { override: true })).not.toContain(from);
  });

  test('every status is reachable from not_started', () => {
    const reached = new Set<SessionStatus>(['not_started']);
    for (const from of reached) for (const to of listAllowedTransitions(from)) reached.add(to);
    expect([...reached].sort()).toEqual([...SESSION_STATUSES].sort());
    for (const start of IMPORT_STATUSES) expect(reached).toContain(start);
  });

  test('uploads are accepted only before the decision', () => {
    expect(SESSION_STATUSES.filter(acceptsChecks)).toEqual(['not_started', 'in_progress', 'resubmission_requested']);
  });

  test('the error of a reversal without override says that it needs one', () => {
    const error = catchError(() => requireSessionTransition('approved', 'declined'));
    expect(error.message).toContain('override');
    expect(error.details).toMatchObject({ overrideRequired: true });
  });
});

test('every decision leads to a status, and every status has an event', () => {
  expect(REVIEW_DECISIONS.map(getStatusAfter)).toEqual(['approved', 'declined', 'resubmission_requested', 'in_review']);
  for (const name of SESSION_STATUSES) expect(EVENT_TYPES).toContain(EVENT_BY_STATUS[name]);
});
