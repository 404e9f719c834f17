import type { BusinessResponse } from '../../../../clients/typescript/src/calls';

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

/** Whether the API asks why: a loss, a step back, or a closed opportunity that is opened again. */
export const needsReason = ({ from, to }: Move): boolean =>
  to === 'lost' || isFinal(from) || STAGES.indexOf(to) < STAGES.indexOf(from);
