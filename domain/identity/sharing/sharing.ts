import type { CheckKind, CheckStatus, Finding } from '../checks/checks';
import type { DecidedBy } from '../sessions/decision';
import type { Feature } from '../sessions/features';
import type { Risk, RiskCode, Verdict } from '../checks/risks';
import type { SessionStatus } from '../sessions/session';
import type { Attempt, AttemptOrigin, Step } from '../sessions/steps';
import { DAY_SECONDS } from '../../durations';

/** Content that a share may include in addition to the results, if its consent covers it. */
export const SHARE_INCLUDES = ['images', 'contact'] as const;

export type ShareInclude = (typeof SHARE_INCLUDES)[number];

/** Validity of a share, in seconds. */
export const SHARE_TTL_SECONDS = { min: 60, max: DAY_SECONDS, default: 3600 } as const;

/** Statuses in which there is an outcome to share. */
export const SHAREABLE_STATUSES: readonly SessionStatus[] = ['approved', 'declined', 'approval_expired'];

/** Version of the bundle format, increased with every change; an importer rejects versions that it does not know. */
export const SHARE_VERSION = 1;

export interface SharedFile {
  evidenceId: string;
  checkId: string;
  field: string;
  contentType: string;
  /** SHA-256 of the file as uploaded, hex. */
  sha256: string;
}

export interface SharedCheck {
  id: string;
  kind: CheckKind;
  origin: AttemptOrigin;
  supplementary: boolean;
  inputs: { field: string; evidenceId: string }[];
  status: Exclude<CheckStatus, 'processing'>;
  verdict: Verdict | null;
  risks: Risk[];
  result: Finding | null;
  failure: string | null;
  /** ISO 8601, like every instant below. */
  createdAt: string;
  completedAt: string | null;
}

/** A step whose attempts have their instants as text. */
export type SharedStep = Omit<Step, 'attempts'> & { attempts: (Omit<Attempt, 'at'> & { at: string })[] };

/**
 * A finished session as another organisation receives it: the results, but nothing about how its owner uses it, nor what
 * the owner claimed about the person beforehand.
 */
export interface SharedSession {
  version: typeof SHARE_VERSION;
  mode: 'live' | 'test';
  sessionId: string;
  status: SessionStatus;
  features: Feature[];
  language: string | null;
  /** Issuing country of the document, ISO 3166-1 alpha-3; null without a document that states it. */
  country: string | null;
  /** Contact details; null if the share does not include them. */
  contact: { email?: string | undefined; phone?: string | undefined } | null;
  decision: { outcome: SessionStatus; reasons: RiskCode[]; decidedBy: DecidedBy; at: string } | null;
  startedAt: string | null;
  finishedAt: string | null;
  steps: SharedStep[];
  checks: SharedCheck[];
  /** Files of the session; empty if the share does not include images. */
  files: SharedFile[];
  consent: { text: string; at: string };
}
