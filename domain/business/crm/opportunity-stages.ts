/** The stages in order; the last two are final. */
export const OPPORTUNITY_STAGES = ['prospecting', 'qualified', 'proposal', 'negotiation', 'won', 'lost'] as const;
export type OpportunityStage = (typeof OPPORTUNITY_STAGES)[number];

const CLOSED_STAGES: ReadonlySet<OpportunityStage> = new Set(['won', 'lost']);

/** Whether an opportunity is won or lost. */
export const isClosedStage = (stage: OpportunityStage): boolean => CLOSED_STAGES.has(stage);

/** The reasons of a change of stage, and who requests it. */
export interface StageChange {
  to: OpportunityStage;
  /** Reason for moving back. */
  reason: string | null;
  /** Reason for losing the opportunity. */
  lostReason: string | null;
  /** Whether the caller is an administrator; only administrators can reopen an opportunity. */
  byAdministrator: boolean;
}

/** Why a change is rejected: a field is missing, or the change is not allowed. */
export type StageRejection =
  | { kind: 'missing'; field: 'reason' | 'lostReason'; problem: string }
  | { kind: 'closed'; problem: string }
  | { kind: 'too_far_back'; problem: string };

/**
 * Checks a change of stage. From an open stage, an opportunity can move forward by one or more stages, to lost, or
 * back by one stage with a reason. Only an administrator can reopen a won or lost opportunity, with a reason.
 * @returns null if the change is allowed
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
      problem: `an opportunity moves back one stage at a time, from ${from} to ${getPreviousStage(from)}`,
    };
  return reason === null ? missing('reason', 'is required to move back a stage') : null;
}

const getPreviousStage = (stage: OpportunityStage): OpportunityStage =>
  OPPORTUNITY_STAGES[Math.max(0, OPPORTUNITY_STAGES.indexOf(stage) - 1)] ?? stage;
