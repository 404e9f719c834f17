import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/durations';
import { UNFINISHED_STATUSES } from '../../../domain/identity/sessions/session';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { Organisation } from '../../../models/platform/access/organisation';
import { MAX_EXAMPLES, reportIf } from '../../platform/diagnosis/problem';
import type { Problem } from '../../platform/diagnosis/problem';
import type { Platform } from '../../platform/platform';
import { filterLostSessions } from '../sessions/restart';

/** A check takes seconds; with retries and a short queue it has ended by then. */
const MAX_PROCESSING_MS = 10 * MINUTE_MS;
/** A timer ends an idle session at its limit. */
const MAX_OVERDUE_MS = 10 * MINUTE_MS;
/** A person waits for the decision. */
const MAX_REVIEW_MS = 3 * DAY_MS;
/** Sessions whose workflow is looked up, oldest first. */
const MAX_LOOKED_UP = 50;

/** Matches the unfinished sessions of all organisations, by an index that begins with the organisation. */
async function buildOpenFilter() {
  const organisations = await Organisation.find({}, { _id: 1 }).lean<{ _id: string }[]>();
  return {
    organisationId: { $in: organisations.map(({ _id }) => _id) },
    mode: { $in: ['live', 'test'] as const },
    deletedAt: null,
    status: { $in: UNFINISHED_STATUSES },
  };
}

type OpenFilter = Awaited<ReturnType<typeof buildOpenFilter>>;

interface Group {
  _id: string;
  count: number;
  since: Date;
  examples: string[];
}

/** Sessions with a check that has been processing for too long, by the feature of the check. */
async function diagnoseProcessing(open: OpenFilter, now: Date): Promise<Problem[]> {
  const before = new Date(now.getTime() - MAX_PROCESSING_MS);
  const groups = await Session.aggregate<Group>([
    { $match: { ...open, status: 'in_progress' } },
    { $unwind: '$steps' },
    { $unwind: '$steps.attempts' },
    { $match: { 'steps.attempts.outcome': 'processing', 'steps.attempts.at': { $lt: before } } },
    { $sort: { 'steps.attempts.at': 1 } },
    {
      $group: {
        _id: '$steps.feature',
        count: { $sum: 1 },
        since: { $first: '$steps.attempts.at' },
        examples: { $firstN: { n: MAX_EXAMPLES, input: '$_id' } },
      },
    },
  ]);
  return groups.map(({ _id, count, since, examples }) => ({
    area: 'sessions',
    summary: `The step ${_id} of sessions has been processing for more than ten minutes`,
    count,
    since,
    examples,
    remedy:
      'Open one in the Temporal UI (its workflow has the id of the session): the pending activity shows the attempts and the last failure. If it waits without an attempt, start more workers of its pool.',
  }));
}

/** Sessions beyond their time limit. */
async function diagnoseOverdue(open: OpenFilter, now: Date): Promise<Problem[]> {
  const before = new Date(now.getTime() - MAX_OVERDUE_MS);
  const idleLimit = { $add: ['$lastActivityAt', { $multiply: ['$settings.abandonAfterHours', HOUR_MS] }] };
  const filter = {
    ...open,
    'steps.attempts.outcome': { $ne: 'processing' },
    $or: [
      { status: 'not_started' as const, expiresAt: { $lt: before } },
      {
        status: { $in: ['in_progress', 'resubmission_requested'] as const },
        $expr: { $lt: [idleLimit, before] },
      },
    ],
  };
  const [count, first] = await Promise.all([
    Session.countDocuments(filter),
    Session.find(filter, { lastActivityAt: 1 })
      .sort({ lastActivityAt: 1 })
      .limit(MAX_EXAMPLES)
      .lean<Pick<SessionRecord, '_id' | 'lastActivityAt'>[]>(),
  ]);
  return reportIf({
    area: 'sessions',
    summary: 'Sessions are open beyond their time limit: the timer of their workflow did not end them',
    count,
    since: first[0]?.lastActivityAt ?? null,
    examples: first.map(({ _id }) => _id),
    remedy:
      'Is a worker of the orchestration pool running? Open one in the Temporal UI: a workflow task that fails shows its error; one that does not exist was lost with the data of Temporal (see docs/how-to/find-what-is-stuck.md).',
  });
}

/** Sessions that have waited for a reviewer for days. */
async function diagnoseReviews(open: OpenFilter, now: Date): Promise<Problem[]> {
  const before = new Date(now.getTime() - MAX_REVIEW_MS);
  const filter = { ...open, status: 'in_review' as const, reviewSince: { $lt: before } };
  const [count, first] = await Promise.all([
    Session.countDocuments(filter),
    Session.find(filter, { reviewSince: 1 })
      .sort({ reviewSince: 1 })
      .limit(MAX_EXAMPLES)
      .lean<Pick<SessionRecord, '_id' | 'reviewSince'>[]>(),
  ]);
  return reportIf({
    area: 'reviews',
    summary: 'Sessions have waited for a reviewer for more than three days',
    count,
    since: first[0]?.reviewSince ?? null,
    examples: first.map(({ _id }) => _id),
    remedy: 'A reviewer of the organisation decides them (GET /v1/sessions/pending, POST /v1/sessions/:id/decision).',
  });
}

/** Open sessions without a running workflow, among the ones that have been without activity for the longest time. */
async function diagnoseLostWorkflows(platform: Platform, open: OpenFilter, now: Date): Promise<Problem[]> {
  const before = new Date(now.getTime() - MAX_OVERDUE_MS);
  const oldest = await Session.find({ ...open, lastActivityAt: { $lt: before } }, { opening: 1, lastActivityAt: 1 })
    .sort({ lastActivityAt: 1 })
    .limit(MAX_LOOKED_UP)
    .lean<Pick<SessionRecord, '_id' | 'opening' | 'lastActivityAt'>[]>();
  const lost = await filterLostSessions(platform, oldest);
  return reportIf({
    area: 'sessions',
    summary: 'Open sessions have no running workflow',
    count: lost.length,
    since: lost[0]?.lastActivityAt ?? null,
    examples: lost.slice(0, MAX_EXAMPLES).map(({ _id }) => _id),
    remedy:
      'Its workflow was terminated, or the data of Temporal was lost or restored from another time. Start it again: npm run admin -- restart-sessions <id>….',
  });
}

/** Sessions that do not proceed, by step and age. */
export async function diagnoseSessions(platform: Platform): Promise<Problem[]> {
  const now = platform.clock.now();
  const open = await buildOpenFilter();
  const problems = await Promise.all([
    diagnoseProcessing(open, now),
    diagnoseOverdue(open, now),
    diagnoseReviews(open, now),
    diagnoseLostWorkflows(platform, open, now),
  ]);
  return problems.flat();
}
