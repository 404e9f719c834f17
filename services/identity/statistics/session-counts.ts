import type { DecidedBy } from '../../../domain/identity/sessions/decision';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { RANGES_PER_E } from '../../../domain/platform/statistics/durations';
import { Session, STATISTICS_INDEX } from '../../../models/identity/sessions/session';
import { defineCounts } from './counted-records';

export interface SessionDayGroup {
  status: SessionStatus;
}

export interface SessionTotalGroup {
  status: SessionStatus;
  decidedBy: DecidedBy | null;
  /** Range of the time to decision (domain/platform/statistics/durations.ts) of a decided session; else null. */
  range: number | null;
}

const SECONDS_TO_DECISION = { $divide: [{ $subtract: ['$decision.at', '$startedAt'] }, 1000] };

const IS_DECIDED = {
  $and: [{ $in: ['$status', ['approved', 'declined']] }, { $eq: [{ $type: '$startedAt' }, 'date'] }],
};

/** Sessions by status; over a period also by who decided and how long it took. */
export const SESSION_COUNTS = defineCounts<SessionDayGroup, SessionTotalGroup>('sessions', Session, STATISTICS_INDEX, {
  quarterGroup: { status: '$status' },
  totalGroup: {
    status: '$status',
    decidedBy: '$decision.decidedBy',
    range: {
      $cond: [IS_DECIDED, { $floor: { $multiply: [RANGES_PER_E, { $ln: { $max: [1, SECONDS_TO_DECISION] } }] } }, null],
    },
  },
});
