import {
  isClosedStage,
  checkStageChange,
  OPPORTUNITY_STAGES,
} from '../../../../domain/business/crm/opportunity-stages';
import type { OpportunityStage, StageChange } from '../../../../domain/business/crm/opportunity-stages';

const buildChange = (to: OpportunityStage, over: Partial<StageChange> = {}): StageChange => ({
  to,
  reason: null,
  lostReason: null,
  byAdministrator: false,
  ...over,
});

/** What a change from each stage (rows) to each stage (columns) needs, for everybody but administrators. */
const TABLE: Readonly<Record<OpportunityStage, readonly string[]>> = {
  prospecting: ['same', 'free', 'free', 'free', 'free', 'lostReason'],
  qualified: ['reason', 'same', 'free', 'free', 'free', 'lostReason'],
  proposal: ['never', 'reason', 'same', 'free', 'free', 'lostReason'],
  negotiation: ['never', 'never', 'reason', 'same', 'free', 'lostReason'],
  won: ['closed', 'closed', 'closed', 'closed', 'same', 'closed'],
  lost: ['closed', 'closed', 'closed', 'closed', 'closed', 'same'],
};

function getRequirement(from: OpportunityStage, to: OpportunityStage): string {
  const bare = checkStageChange(from, buildChange(to));
  if (bare === null) return from === to ? 'same' : 'free';
  if (bare.kind === 'closed') return 'closed';
  if (bare.kind === 'too_far_back') return 'never';
  expect(checkStageChange(from, buildChange(to, { [bare.field]: 'Because' }))).toBeNull();
  return bare.field;
}

test.each(OPPORTUNITY_STAGES)('from %s to each stage', (from) => {
  expect(OPPORTUNITY_STAGES.map((to) => getRequirement(from, to))).toEqual(TABLE[from]);
});

test('an administrator reopens a closed opportunity at any stage with a reason; losing it requires a lost reason', () => {
  for (const from of OPPORTUNITY_STAGES.filter(isClosedStage))
    for (const to of OPPORTUNITY_STAGES.filter((stage) => stage !== from)) {
      const providedFields = to === 'lost' ? { lostReason: 'Because' } : {};
      const silent = checkStageChange(from, buildChange(to, { byAdministrator: true, ...providedFields }));
      expect(silent).toMatchObject({ kind: 'missing', field: 'reason' });
      expect(
        checkStageChange(from, buildChange(to, { byAdministrator: true, reason: 'Because', ...providedFields })),
      ).toBeNull();
    }
});

test('an administrator moves an open opportunity back no further than other users', () => {
  const far = checkStageChange('negotiation', buildChange('prospecting', { byAdministrator: true, reason: 'Because' }));
  expect(far).toMatchObject({ kind: 'too_far_back', problem: expect.stringContaining('proposal') as string });
});
