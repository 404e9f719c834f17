import { DateTime } from 'luxon';
import { DAY_MS, MINUTE_MS } from '../../../../domain/durations';
import { IDENTITY_PERMISSIONS } from '../../../../domain/identity/access/permissions';
import { Check } from '../../../../models/identity/checks/check';
import type { CheckRecord } from '../../../../models/identity/checks/check';
import { Session } from '../../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../../models/identity/sessions/session';
import { DayCount } from '../../../../models/identity/statistics/day-count';
import { buildSampleSession } from '../../../../scripts/demo/sample-sessions';
import { call } from '../../../support/client';
import { createSession, parseCheck, postDecision, waitForStatus } from '../../../support/identity/identity';
import { pollUntilFound } from '../../../support/poll';
import { triggerSchedule } from '../../../support/schedules';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

/** Zones whose days begin at whole, half and quarter hours, with changes of clocks by an hour and by half an hour. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

/** As many as the schedule counts without a request. */
const RECORDS = 1500;
const now = Date.now();
const FROM = now - 300 * DAY_MS;
/** Coprime with a day, so that records are created at all times of day. */
const INTERVAL_MS = 281 * MINUTE_MS + 7919;

let tenant: IdentityTenant;
let key: string;

const sessionIndex = {
  describe: () => ({ externalIdKey: null, searchTokens: [] }),
  listReferenceKeys: () => [],
  buildSearchConditions: () => [],
};

/** Written past the services, as if they had been created at these times. */
async function insertRecords(): Promise<void> {
  const { organisationId } = tenant;
  const sample = { organisationId, sessionIndex, from: FROM, intervalMs: INTERVAL_MS, firstNumber: 1_000_000 };
  const sessions = Array.from({ length: RECORDS }, (_, index) => ({
    ...buildSampleSession(sample, index),
    externalId: null,
    mode: 'test' as const,
  }));
  await Session.db.collection<SessionRecord>(Session.collection.name).insertMany(sessions);
  const checks = sessions.map(({ _id, createdAt }, index) => ({
    _id: _id.replace('ses_', 'chk_'),
    // Checks of sessions: standalone ones would have reached the end of their retention.
    sessionId: _id,
    organisationId,
    mode: 'test' as const,
    kind: index % 2 === 0 ? ('liveness' as const) : ('face_match' as const),
    status: index % 7 === 0 ? ('failed' as const) : ('completed' as const),
    failure: index % 7 === 0 ? 'image_unreadable' : null,
    createdAt,
    deletedAt: null,
  }));
  await Check.db.collection<Partial<CheckRecord> & { _id: string }>(Check.collection.name).insertMany(checks);
}

interface SessionFigures {
  days: { date: string; created: number; statuses: Record<string, number> }[];
  created: number;
  review: { sessions: number };
  timeToDecision: { sessions: number; medianSeconds: number | null };
}

interface CheckFigures {
  days: { date: string; created: number; failed: number }[];
  kinds: { kind: string; created: number; failed: number; failures: { code: string; count: number }[] }[];
}

const formatDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Another first day each time: figures that were slow to compute are kept for a moment. */
let firstDay = FROM + 20 * DAY_MS;
async function getFigures(timeZone: string): Promise<[SessionFigures, CheckFigures]> {
  firstDay += DAY_MS;
  const query = `from=${formatDay(firstDay)}&to=${formatDay(now)}&timeZone=${timeZone}`;
  const [sessions, checks] = await Promise.all(
    ['sessions', 'checks'].map((path) => call('GET', `/v1/statistics/${path}?${query}`, { key })),
  );
  expect([sessions?.status, checks?.status]).toEqual([200, 200]);
  // The shapes are those of the documented responses.
  return [sessions?.body, checks?.body] as unknown as [SessionFigures, CheckFigures];
}

/** The local day of a record, from its time alone. */
const toLocalDay = (createdAt: Date, zone: string): string =>
  DateTime.fromJSDate(createdAt, { zone }).toFormat('yyyy-MM-dd');

const countWhere = <T>(rows: readonly T[], matches: (row: T) => boolean): number => rows.filter(matches).length;

/** Records by their local day. */
function groupByLocalDay<T extends { createdAt: Date }>(records: readonly T[], zone: string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const day = toLocalDay(record.createdAt, zone);
    groups.set(day, [...(groups.get(day) ?? []), record]);
  }
  return groups;
}

function expectExactSessions(zone: string, figures: SessionFigures, sessions: readonly SessionRecord[]): void {
  const byDay = groupByLocalDay(sessions, zone);
  const own = figures.days.flatMap(({ date }) => byDay.get(date) ?? []);
  const expected = figures.days.map(({ date, statuses }) => {
    const ofDay = byDay.get(date) ?? [];
    const counts = Object.keys(statuses).map((name) => [name, countWhere(ofDay, ({ status }) => status === name)]);
    return { date, created: ofDay.length, statuses: Object.fromEntries(counts) as Record<string, number> };
  });
  expect({ zone, days: figures.days }).toEqual({ zone, days: expected });
  const isTimed = ({ status, startedAt }: SessionRecord): boolean =>
    (status === 'approved' || status === 'declined') && startedAt !== null;
  expect([zone, figures.created, figures.review.sessions, figures.timeToDecision.sessions]).toEqual([
    zone,
    own.length,
    countWhere(own, (each) => each.status === 'in_review' || each.decision?.decidedBy === 'reviewer'),
    countWhere(own, isTimed),
  ]);
}

function expectExactChecks(zone: string, figures: CheckFigures, checks: readonly CheckRecord[]): void {
  const byDay = groupByLocalDay(checks, zone);
  const own = figures.days.flatMap(({ date }) => byDay.get(date) ?? []);
  const isFailed = ({ status }: CheckRecord): boolean => status === 'failed';
  const expected = figures.days.map(({ date }) => {
    const ofDay = byDay.get(date) ?? [];
    return { date, created: ofDay.length, failed: countWhere(ofDay, isFailed) };
  });
  expect({ zone, days: figures.days }).toEqual({ zone, days: expected });
  const kinds = new Set(own.map(({ kind }) => kind));
  expect(new Set(figures.kinds.map(({ kind }) => kind))).toEqual(kinds);
  for (const { kind, created, failed, failures } of figures.kinds) {
    const ofKind = own.filter((check) => check.kind === kind);
    expect([zone, kind, created, failed]).toEqual([zone, kind, ofKind.length, countWhere(ofKind, isFailed)]);
    expect(failures.reduce((sum, { count }) => sum + count, 0)).toBe(failed);
  }
}

/** Compares the figures of time zones with every record, one by one. */
async function expectExactFigures(zones: readonly string[] = ZONES): Promise<void> {
  const scope = { organisationId: tenant.organisationId, mode: 'test' as const, deletedAt: null };
  const sessions = await Session.find(scope, { externalId: 0 }).lean<SessionRecord[]>();
  const checks = await Check.find(scope, { kind: 1, status: 1, failure: 1, createdAt: 1 }).lean<CheckRecord[]>();
  for (const zone of zones) {
    const [ofSessions, ofChecks] = await getFigures(zone);
    expectExactSessions(zone, ofSessions, sessions);
    expectExactChecks(zone, ofChecks, checks);
  }
}

/** Moves a session and its checks to an earlier time, as if they had been created then. */
async function moveToPast(sessionId: string, daysAgo: number): Promise<void> {
  const createdAt = new Date(now - daysAgo * DAY_MS);
  await Session.updateOne({ _id: sessionId }, { $set: { createdAt } });
  await Check.updateMany({ sessionId }, { $set: { createdAt } });
}

const findStored = (records: 'sessions' | 'checks') =>
  DayCount.find({ organisationId: tenant.organisationId, mode: 'test', records }, { day: 1, computedAt: 1 }).lean<
    { day: Date; computedAt: Date }[]
  >();

/** Runs the schedule, until the days of the organisation are stored. */
async function runSchedule(): Promise<void> {
  await triggerSchedule('count-statistics');
  await pollUntilFound(async () => {
    const [sessions, checks] = await Promise.all([findStored('sessions'), findStored('checks')]);
    return (sessions.length > 280 && checks.length > 280) || undefined;
  });
}

beforeAll(async () => {
  tenant = await createIdentityTenant('Stored counts');
  key = await tenant.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
  await insertRecords();
});
afterAll(closeTestPlatform);

test('the schedule counts the days of sessions and checks before anyone asks for their figures', async () => {
  expect(await findStored('sessions')).toEqual([]);
  await runSchedule();
});

test('figures by day are exact in every time zone, also when clocks change', async () => {
  await expectExactFigures();
});

test('a time zone that was not requested before adds up stored counts, and counts no day again', async () => {
  const before = await findStored('sessions');
  expect(before.length).toBeGreaterThan(280);
  await expectExactFigures(['Asia/Tehran', 'Australia/Adelaide']);
  expect(await findStored('sessions')).toEqual(before);
});

describe('late changes are in the figures of every time zone at once:', () => {
  const verifyInPast = async (idNumber: string, status: 'approved' | 'in_review', daysAgo: number): Promise<string> => {
    const { id } = await createSession(key, { features: ['database'] });
    const form = { country: 'NR', idNumber, sessionId: id };
    parseCheck(await call('POST', '/v1/documents/database-validation', { key, form }));
    await waitForStatus(key, id, status);
    await moveToPast(id, daysAgo);
    // Written past the services, which record changes of counted days.
    await DayCount.deleteMany({ organisationId: tenant.organisationId });
    await expectExactFigures(['UTC']);
    return id;
  };

  test('the decision of a reviewer', async () => {
    const id = await verifyInPast('SANDBOX-NONE', 'in_review', 29.9);
    const { status, body } = await postDecision(key, id, { decision: 'approve', reason: 'Checked by telephone.' });
    expect([status, body]).toMatchObject([200, { ok: true }]);
    await expectExactFigures();
  });

  test('the erasure of a session with its checks', async () => {
    const id = await verifyInPast('SANDBOX-FULL', 'approved', 59.4);
    expect((await call('DELETE', `/v1/sessions/${id}`, { key })).status).toBeLessThan(300);
    await expectExactFigures();
  });

  test('the erasure of a check', async () => {
    const form = { country: 'NR', idNumber: 'SANDBOX-FULL' };
    const { id } = parseCheck(await call('POST', '/v1/documents/database-validation', { key, form }));
    // Within its retention, so that a run of the retention for other tests does not erase it first.
    await Check.updateOne({ _id: id }, { $set: { createdAt: new Date(now - 25.2 * DAY_MS) } });
    await DayCount.deleteMany({ organisationId: tenant.organisationId });
    await expectExactFigures(['UTC']);
    expect((await call('DELETE', `/v1/checks/${id}`, { key })).status).toBeLessThan(300);
    await expectExactFigures();
  });
});
