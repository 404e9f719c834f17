import { isRiskCode } from './risks';
import { RISK_CODES, RISKS } from './risks';
import type { RiskAction, RiskCode, RiskSource } from './risks';

/** Sandbox values that decide a check of any kind; every risk code is a sandbox value too. */
export const SANDBOX_OUTCOMES = ['approve', 'review', 'decline', 'fail'] as const;

type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

/** A simulated risk. `action` null stands for its default. */
export interface SandboxRisk {
  code: RiskCode;
  action: RiskAction | null;
}

/** The simulated outcome of a sandbox check: risks, or `fails` if it cannot be run. */
export type SandboxVerdict = { fails: true } | { fails: false; risks: SandboxRisk[] };

const isOutcome = (text: string): text is SandboxOutcome => SANDBOX_OUTCOMES.some((outcome) => outcome === text);

const splitValue = (value: string): string[] => value.split(',').map((part) => part.trim());

/** Whether a text is a sandbox value: one of the outcomes, or risk codes separated by commas. */
export const isSandboxValue = (value: string): boolean => isOutcome(value) || splitValue(value).every(isRiskCode);

/** Whether checks of a feature can raise a risk. `minimum_age_not_met` is raised by documents and by age estimates. */
const canRaise = (feature: RiskSource, code: RiskCode): boolean =>
  RISKS[code].source === feature || (feature === 'age' && code === 'minimum_age_not_met');

/**
 * The risk by which a check of a feature ends with an outcome: the first in the catalogue with that action, otherwise
 * the first of the feature, which then has that action as if a threshold had set it.
 */
function findOutcomeRisk(feature: RiskSource, action: 'review' | 'decline'): SandboxRisk[] {
  const codes = RISK_CODES.filter((code) => canRaise(feature, code));
  const code = codes.find((each) => RISKS[each].action === action) ?? codes[0];
  return code === undefined ? [] : [{ code, action }];
}

/**
 * The outcome that a sandbox value causes in a check of one feature. Risk codes of other features leave it approved,
 * so that one value for a session can name the risks of several steps.
 */
export function getSandboxVerdict(value: string, feature: RiskSource): SandboxVerdict {
  if (value === 'fail') return { fails: true };
  if (value === 'approve') return { fails: false, risks: [] };
  if (value === 'review' || value === 'decline') return { fails: false, risks: findOutcomeRisk(feature, value) };
  return {
    fails: false,
    risks: splitValue(value)
      .filter(isRiskCode)
      .filter((code) => canRaise(feature, code))
      .map((code) => ({ code, action: null })),
  };
}

/** National numbers that are sandbox values for the database validation. */
export const SANDBOX_NUMBERS: Readonly<Record<string, string>> = {
  'SANDBOX-FULL': 'approve',
  'SANDBOX-PARTIAL': 'database_partial_match',
  'SANDBOX-NONE': 'database_no_match',
  'SANDBOX-UNAVAILABLE': 'database_not_available',
  'SANDBOX-FAIL': 'fail',
};

/** The sandbox value that a national number stands for; undefined for any other number. */
export const findSandboxValueByNumber = (idNumber: string): string | undefined =>
  SANDBOX_NUMBERS[idNumber.trim().toUpperCase()];
