import { checkStageChange, OPPORTUNITY_STAGES } from '../../../domain/business/crm/opportunity-stages';
import { isPossible, listTargets, needsReason, STAGES, toReasons } from '../../../web/console/business/crm/stages';

/** What the API says about a change of stage with the fields that the console sends. */
const check = (change: { from: (typeof STAGES)[number]; to: (typeof STAGES)[number] }, byAdministrator: boolean) => {
  const { reason = null, lostReason = null } = needsReason(change) ? toReasons(change, 'Because') : {};
  return checkStageChange(change.from, { to: change.to, reason, lostReason, byAdministrator });
};

test('the stages are those of the API', () => {
  expect(STAGES).toEqual(OPPORTUNITY_STAGES);
});

test.each([false, true])(
  'every move that the board offers is accepted, and no other (administrator: %s)',
  (canReopen) => {
    for (const from of STAGES)
      for (const to of STAGES.filter((stage) => stage !== from)) {
        const rejection = check({ from, to }, canReopen);
        expect([from, to, isPossible({ from, to }, canReopen)]).toEqual([from, to, rejection === null]);
      }
  },
);

test.each([false, true])('a reason is asked for only where the API needs one (administrator: %s)', (canReopen) => {
  for (const from of STAGES)
    for (const to of listTargets(from, canReopen)) {
      const bare = checkStageChange(from, { to, reason: null, lostReason: null, byAdministrator: canReopen });
      expect([from, to, needsReason({ from, to })]).toEqual([from, to, bare?.kind === 'missing']);
    }
});

test('losing a won opportunity needs both reasons', () => {
  expect(toReasons({ from: 'won', to: 'lost' }, 'Cancelled')).toEqual({ reason: 'Cancelled', lostReason: 'Cancelled' });
});
