import {
  getStatusAfter,
  isFinalStatus,
  listAllowedTransitions,
  REVIEW_DECISIONS,
  SESSION_STATUSES,
} from '../../../domain/identity/sessions/session';
import { SHAREABLE_STATUSES } from '../../../domain/identity/sharing/sharing';
import { isCancellable, isDecided, isShareable, listDecisions } from '../../../web/console/identity/sessions/session';

describe.each(SESSION_STATUSES)('the page of a session that is %s', (status) => {
  const allowed = listAllowedTransitions(status, { override: isDecided({ status }) });

  test('offers no decision that the service refuses', () => {
    expect(allowed).toEqual(expect.arrayContaining(listDecisions({ status }).map(getStatusAfter)));
  });

  test('offers every decision about a session that waits for a reviewer or was decided', () => {
    if (!isFinalStatus(status) && status !== 'in_review') return;
    const possible = REVIEW_DECISIONS.filter((decision) => allowed.includes(getStatusAfter(decision)));
    expect(listDecisions({ status }).toSorted()).toEqual(possible.toSorted());
  });

  test('offers to cancel and to share it exactly if the service permits that', () => {
    expect([isCancellable({ status }), isShareable({ status })]).toEqual([
      allowed.includes('cancelled'),
      SHAREABLE_STATUSES.includes(status),
    ]);
  });
});
