import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';

export type Opportunity = BusinessResponse<'listOpportunities'>['data'][number];
export type Stage = Opportunity['stage'];

/** The stages in their order; won and lost are final. */
export const STAGES = [
  'prospecting',
  'qualified',
  'proposal',
  'negotiation',
  'won',
  'lost',
] as const satisfies readonly Stage[];

/** A card that was dropped on another stage. */
export interface Move {
  id: string;
  from: Stage;
  to: Stage;
}

const isFinal = (stage: Stage): boolean => stage === 'won' || stage === 'lost';

/** A change from one stage to another. */
type StageChange = Pick<Move, 'from' | 'to'>;

/**
 * Whether the API accepts a change of stage: an open opportunity moves forward, back by one stage, or to lost.
 *
 * @param canReopen whether the user is an administrator, who can also change a closed opportunity
 */
export function isPossible({ from, to }: StageChange, canReopen: boolean): boolean {
  if (from === to) return false;
  if (isFinal(from)) return canReopen;
  return STAGES.indexOf(to) >= STAGES.indexOf(from) - 1;
}

/** The stages to which an opportunity can be moved. */
export const listTargets = (from: Stage, canReopen: boolean): Stage[] =>
  STAGES.filter((to) => isPossible({ from, to }, canReopen));

/** Whether the API asks why a closed opportunity is opened again, or an open one moved back. */
const needsMoveReason = ({ from, to }: StageChange): boolean =>
  isFinal(from) || STAGES.indexOf(to) < STAGES.indexOf(from);

/** Whether the API asks why: a loss, a step back, or a closed opportunity that is opened again. */
export const needsReason = (change: StageChange): boolean => change.to === 'lost' || needsMoveReason(change);

/** The fields in which the API expects the reason of a change. */
export const toReasons = (
  change: StageChange,
  reason: string,
): Omit<BusinessBody<'changeOpportunityStage'>, 'stage'> => ({
  ...(change.to === 'lost' ? { lostReason: reason } : {}),
  ...(needsMoveReason(change) ? { reason } : {}),
});
