import { DEFAULT_DEFINITION, pickSettings } from '../../domain/identity/sessions/session-template';
import { SESSION_STATUSES } from '../../domain/identity/sessions/session';
import type { SessionStatus } from '../../domain/identity/sessions/session';
import { newId } from '../../lib/ids';
import type { SessionRecord } from '../../models/identity/sessions/session';
import type { SessionIndex } from '../../services/identity/sessions/session-index';

/** `createdBy` of sample sessions. */
export const SAMPLE_CREATOR = 'sample';

const COUNTRIES = ['FRA', 'DEU', 'ESP', 'ITA', 'NLD'];

const pickCyclic = <T>(values: readonly T[], index: number, fallback: T): T =>
  values[index % values.length] ?? fallback;

const DECIDED: ReadonlySet<SessionStatus> = new Set(['approved', 'declined', 'in_review', 'approval_expired']);

/** A decision after seconds to hours; every fifth is a reviewer's. */
const generateDecision = (status: SessionStatus, index: number, startedAt: Date): SessionRecord['decision'] =>
  DECIDED.has(status)
    ? {
        outcome: status,
        reasons: [],
        decidedBy: index % 5 === 0 ? 'reviewer' : 'rules',
        rule: null,
        at: new Date(startedAt.getTime() + 1000 * (5 + ((index * 7919) % 20_000))),
      }
    : null;

/** Sessions of one organisation at regular intervals. */
export interface SampleSessions {
  organisationId: string;
  sessionIndex: SessionIndex;
  /** Creation of the first session, in milliseconds. */
  from: number;
  intervalMs: number;
  /** Number of the first session. */
  firstNumber: number;
  /** Statuses in turn. @default every status */
  statuses?: readonly SessionStatus[];
}

/** The record of one session, as if its checks had been made; it has no evidence. */
export function buildSampleSession(sample: SampleSessions, index: number): SessionRecord {
  const { organisationId, sessionIndex, from, intervalMs, firstNumber, statuses = SESSION_STATUSES } = sample;
  const number = firstNumber + index;
  const createdAt = new Date(from + index * intervalMs);
  const status = pickCyclic(statuses, index, 'approved');
  const _id = newId('ses');
  const externalId = `customer-${index}`;
  return {
    _id,
    organisationId,
    mode: 'live',
    number,
    status,
    features: ['liveness'],
    templateId: null,
    templateVersion: null,
    externalId,
    ...sessionIndex.describe({ _id, number, externalId }),
    metadata: null,
    callbackUrl: null,
    language: null,
    expected: null,
    contact: null,
    country: pickCyclic(COUNTRIES, index, 'FRA'),
    settings: pickSettings(DEFAULT_DEFINITION),
    steps: [{ feature: 'liveness', attempts: [] }],
    decision: generateDecision(status, index, createdAt),
    reviews: [],
    opening: 1,
    imported: null,
    version: 1,
    createdBy: SAMPLE_CREATOR,
    createdAt,
    expiresAt: createdAt,
    startedAt: status === 'not_started' || status === 'expired' ? null : createdAt,
    lastActivityAt: createdAt,
    reviewSince: status === 'in_review' ? createdAt : null,
    finishedAt: null,
    approvalExpiresAt: null,
    retainUntil: null,
    deletedAt: null,
  };
}
