import { DAY_MS } from '../../domain/durations';
import type { SessionStatus } from '../../domain/identity/sessions/session';
import { Session } from '../../models/identity/sessions/session';
import { DayCount } from '../../models/identity/statistics/day-count';
import { createSessionIndex } from '../../services/identity/sessions/session-index';
import type { Platform } from '../../services/platform/platform';
import { buildSampleSession, SAMPLE_CREATOR } from '../demo/sample-sessions';

const DAYS = 30;
const SESSIONS = 400;
/** Outcomes in turn, in proportions that occur. */
const STATUSES: readonly SessionStatus[] = [
  ...Array<SessionStatus>(13).fill('approved'),
  'declined',
  'approved',
  'expired',
  'in_review',
  'approved',
  'declined',
  'abandoned',
];

/** Far above the numbers of the demonstration, which count from 1. */
const FIRST_NUMBER = 1_000_000;

/** Sessions of the last month, so that the charts of the home page have something to show. @returns removes them */
export async function addSampleSessions(platform: Platform, organisationId: string): Promise<() => Promise<void>> {
  // The samples are written past the services, which record changes of counted days.
  const forgetCounts = () => DayCount.deleteMany({ organisationId });
  const remove = async (): Promise<void> => {
    await Session.deleteMany({ organisationId, createdBy: SAMPLE_CREATOR });
    await forgetCounts();
  };
  await remove();
  const sessionIndex = await createSessionIndex(platform, { organisationId, mode: 'live' });
  const from = Date.now() - DAYS * DAY_MS;
  const sample = {
    organisationId,
    sessionIndex,
    from,
    intervalMs: (DAYS * DAY_MS) / SESSIONS,
    firstNumber: FIRST_NUMBER,
    statuses: STATUSES,
  };
  const records = Array.from({ length: SESSIONS }, (_, index) => buildSampleSession(sample, index));
  await Session.insertMany(records, { lean: true, ordered: false });
  await forgetCounts();
  return remove;
}
