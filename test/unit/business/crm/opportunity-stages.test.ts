import { isClosed, judgeStageChange, OPPORTUNITY_STAGES } from '../../../../domain/business/crm/opportunity-stages';
import type { OpportunityStage, StageChange } from '../../../../domain/business/crm/opportunity-stages';

const change = (to: OpportunityStage, over: Partial<StageChange> = {}): StageChange => ({
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

function needed(from: OpportunityStage, to: OpportunityStage): string {
  const bare = judgeStageChange(from, change(to));
  if (bare === null) return from === to ? 'same' : 'free';
  if (bare.kind === 'closed') return 'closed';
  if (bare.kind === 'too_far_back') return 'never';
  expect(judgeStageChange(from, change(to, { [bare.field]: 'Because' }))).toBeNull();
  return bare.field;
}

test.each(OPPORTUNITY_STAGES)('from %s to each stage', (from) => {
  expect(OPPORTUNITY_STAGES.map((to) => needed(from, to))).toEqual(TABLE[from]);
});

test('an administrator opens what was closed, to any stage, with a reason; losing needs its own', () => {
  for (const from of OPPORTUNITY_STAGES.filter(isClosed))
    for (const to of OPPORTUNITY_STAGES.filter((stage) => stage !== from)) {
      const given = to === 'lost' ? { lostReason: 'Because' } : {};
      const silent = judgeStageChange(from, change(to, { byAdministrator: true, ...given }));
      expect(silent).toMatchObject({ kind: 'missing', field: 'reason' });
      expect(judgeStageChange(from, change(to, { byAdministrator: true, reason: 'Because', ...given }))).toBeNull();
    }
});

test('an administrator goes back no further than anybody in an open one', () => {
  const far = judgeStageChange('negotiation', change('prospecting', { byAdministrator: true, reason: 'Because' }));
  expect(far).toMatchObject({ kind: 'too_far_back', problem: expect.stringContaining('proposal') as string });
});
