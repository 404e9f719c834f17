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
  /** what a risk does instead of the catalogue's default */
  actions: RiskActions;
}

/** @default what every session is started with until workflows can say otherwise */
export const DEFAULT_SETTINGS: SessionSettings = {
  maxAttempts: 3,
  attemptWindowDays: 7,
  linkTtlHours: 7 * 24,
  abandonAfterHours: 24,
  actions: {},
};
