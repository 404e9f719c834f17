import type { RiskActions } from './risks';

/** What a session was started with and keeps: later changes of an organisation's defaults do not reach it. */
export interface SessionSettings {
  /** attempts at each step within the window before the session goes to review */
  maxAttempts: number;
  /** days in which attempts are counted together */
  attemptWindowDays: number;
  /** hours until a session that was never opened expires */
  linkTtlHours: number;
  /** hours without any activity until an opened session counts as abandoned */
  abandonAfterHours: number;
  thresholds: DecisionThresholds;
  /** what a risk does instead of the catalogue's default */
  actions: RiskActions;
}

/** Scores are 0–100. Below `decline` a check is declined, below `review` a person looks at it. */
export interface ScoreThresholds {
  decline: number;
  review: number;
}

export interface DecisionThresholds {
  liveness: ScoreThresholds;
  faceMatch: ScoreThresholds;
}

/** Limits of the flow; the thresholds of the engines stand in domain/identity/biometrics. */
export const DEFAULT_LIMITS = {
  maxAttempts: 3,
  attemptWindowDays: 7,
  linkTtlHours: 7 * 24,
  abandonAfterHours: 24,
} as const satisfies Omit<SessionSettings, 'thresholds' | 'actions'>;
