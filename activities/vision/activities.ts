import type { RiskCode, Verdict } from '../../domain/identity/risks';

/** How a check ended, in codes: everything else of its result stays in MongoDB. */
export interface CheckSummary {
  status: 'completed' | 'failed' | 'erased';
  verdict: Verdict | null;
  risks: RiskCode[];
}

export interface VisionActivities {
  /** Runs the engine on a check's evidence and records the result, once, however often it is called. */
  runCheck: (input: { checkId: string }) => Promise<CheckSummary>;
}
