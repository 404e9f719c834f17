/** From first contact to the end of a deal, in order; the last two are the ways it ends. */
export const OPPORTUNITY_STAGES = ['prospecting', 'qualified', 'proposal', 'negotiation', 'won', 'lost'] as const;
export type OpportunityStage = (typeof OPPORTUNITY_STAGES)[number];

const CLOSED_STAGES: ReadonlySet<OpportunityStage> = new Set(['won', 'lost']);

export const isClosedStage = (stage: OpportunityStage): boolean => CLOSED_STAGES.has(stage);

/** What is said with a change of stage. */
export interface StageChange {
  to: OpportunityStage;
  /** Why it goes back. */
  reason: string | null;
  /** Why it was lost. */
  lostReason: string | null;
  /** Whether an administrator asks: only they open what has been closed. */
  byAdministrator: boolean;
}

/** Why a change is refused: something is missing from it, or it may not be at all. */
export type StageRejection =
  | { kind: 'missing'; field: 'reason' | 'lostReason'; problem: string }
  | { kind: 'closed'; problem: string }
  | { kind: 'too_far_back'; problem: string };

/**
 * Judges a change of stage. Forward by one step or more, and to lost, from any open stage; back by one step with a
 * reason; out of won or lost only by an administrator, with a reason.
 * @returns null when it is allowed.
 */
export function checkStageChange(from: OpportunityStage, change: StageChange): StageRejection | null {
  const { to, reason, lostReason, byAdministrator } = change;
  const missing = (field: 'reason' | 'lostReason', problem: string): StageRejection => ({
    kind: 'missing',
    field,
    problem,
  });
  if (from === to) return null;
  if (isClosedStage(from) && !byAdministrator)
    return { kind: 'closed', problem: `${from} is final; only an administrator can change it` };
  if (to === 'lost' && lostReason === null) return missing('lostReason', 'is required to lose an opportunity');
  if (isClosedStage(from)) return reason === null ? missing('reason', `is required to leave ${from}`) : null;
  const steps = OPPORTUNITY_STAGES.indexOf(to) - OPPORTUNITY_STAGES.indexOf(from);
  if (steps > 0) return null;
  if (steps < -1)
    return {
      kind: 'too_far_back',
      problem: `an opportunity goes back one stage at a time, from ${from} to ${getPreviousStage(from)}`,
    };
  return reason === null ? missing('reason', 'is required to go back a stage') : null;
}

const getPreviousStage = (stage: OpportunityStage): OpportunityStage =>
  OPPORTUNITY_STAGES[Math.max(0, OPPORTUNITY_STAGES.indexOf(stage) - 1)] ?? stage;
