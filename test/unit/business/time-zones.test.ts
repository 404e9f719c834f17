import {
  addDays,
  toCalendarDate,
  getDayBounds,
  formatInstant,
  readCalendarDate,
  readLowerInstant,
  readUpperInstant,
} from '../../../domain/business/calendar';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/durations';

const FROM = Date.UTC(2019, 0, 1);
const UNTIL = Date.UTC(2027, 0, 1);

/** Wall clock of a zone by the platform's own tables, apart from the library that the rules use. */
class WallClock {
  private readonly format: Intl.DateTimeFormat;
  private found: number[] | null = null;

  constructor(readonly zone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  }

  /** What the clock on the wall shows, as if that were UTC. */
  at(instant: number): number {
    // Written as 12/31/2026, 23:59:59; the parts would take three times as long.
    const [month = 0, day = 0, year = 0, hour, minute, second] = this.format.format(instant).split(/\D+/).map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  offset(instant: number): number {
    return this.at(instant) - instant;
  }

  /** First instants after the clocks were changed. */
  changes(): readonly number[] {
    return (this.found ??= this.findChanges());
  }

  private findChanges(): number[] {
    const found: number[] = [];
    let before = this.offset(FROM);
    for (let at = FROM; at < UNTIL; at += 14 * DAY_MS) {
      const after = this.offset(at + 14 * DAY_MS);
      if (after !== before) found.push(this.between(at, at + 14 * DAY_MS));
      before = after;
    }
    return found;
  }

  private between(low: number, high: number): number {
    const start = this.offset(low);
    let [from, to] = [low, high];
    while (to - from > MINUTE_MS) {
      const middle = from + Math.floor((to - from) / 2 / MINUTE_MS) * MINUTE_MS;
      if (this.offset(middle) === start) from = middle;
      else to = middle;
    }
    return to;
  }
}

const formatLocal = (wall: number): string => new Date(wall).toISOString().slice(0, 19);
const formatLocalDay = (wall: number): string => formatLocal(wall).slice(0, 10);

/** A day begins and ends where the clock on the wall changes its date, and holds every instant of itself. */
function expectWholeDay(wall: WallClock, instant: number): void {
  const { zone } = wall;
  const day = toCalendarDate(new Date(instant), zone);
  const { from, until } = getDayBounds(day, zone);
  const formatted = formatInstant(new Date(instant), zone);
  const showDay = (at: number): string => formatLocalDay(wall.at(at));
  // Compared at once: for thousands of changes, single comparisons would take a third of the time.
  expect({
    zone,
    day,
    holdsInstant: from.getTime() <= instant && instant < until.getTime(),
    first: showDay(from.getTime()),
    begins: showDay(from.getTime() - 1000) !== day,
    last: showDay(until.getTime() - 1000),
    ends: showDay(until.getTime()) > day,
    lower: readLowerInstant(day, zone),
    upper: readUpperInstant(day, zone),
    read: readCalendarDate(new Date(instant).toISOString(), zone),
    formatted: [Date.parse(formatted), formatted.slice(0, 19)],
  }).toEqual({
    zone,
    day: showDay(instant),
    holdsInstant: true,
    first: day,
    begins: true,
    last: day,
    ends: true,
    lower: { value: from },
    upper: { value: until },
    read: { value: day },
    formatted: [instant, formatLocal(wall.at(instant))],
  });
}

const zones = Intl.supportedValuesOf('timeZone');
const clocks = new Map(zones.map((zone) => [zone, new WallClock(zone)]));

/** One zone for each different clock: many names have the same, such as Europe/Berlin and Europe/Vienna. */
function listDistinctZones(): string[] {
  const byClock = new Map<string, string>();
  for (const [zone, wall] of clocks) {
    const changes = wall.changes().map((at) => `${at}:${wall.offset(at)}`);
    byClock.set([wall.offset(FROM), ...changes].join(), zone);
  }
  return [...byClock.values()];
}

test.each([
  // Midnight is shown twice: the day begins with the first.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', 25],
  ['Asia/Gaza', '2015-10-23', '2015-10-22T21:00:00.000Z', 25],
  // Midnight is skipped.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
])('in %s the day %s begins at %s and has %d hours', (zone, day, begins, hours) => {
  const { from, until } = getDayBounds(day, zone);
  expect([from.toISOString(), (until.getTime() - from.getTime()) / HOUR_MS]).toEqual([begins, hours]);
});

test('a local time just after the clocks went back half an hour exists', () => {
  const read = readLowerInstant('2015-10-04T02:00:00', 'Pacific/Norfolk');
  expect(read).toEqual({ value: new Date('2015-10-03T15:00:00Z') });
});

test('there are zones to test', () => {
  expect(zones.length).toBeGreaterThan(300);
});

// In parts, so that a failure names a few zones and no test runs long.
const PARTS = 12;
test.each(Array.from({ length: PARTS }, (_, part) => part))(
  'days, local times and offsets are right around every change of the clocks: part %i of all zones',
  (part) => {
    let changes = 0;
    for (const [zone, wall] of [...clocks].filter((_, index) => index % PARTS === part)) {
      for (const change of wall.changes()) {
        changes += 1;
        for (const at of [change - DAY_MS, change - MINUTE_MS, change, change + HOUR_MS]) expectWholeDay(wall, at);
        const [before, after] = [wall.at(change - MINUTE_MS) + MINUTE_MS, wall.at(change)];
        const moved = after - before;
        const found = readLowerInstant(formatLocal(before < after ? before : after), zone);
        // Forward: what the wall skips does not exist. Back: what it shows twice means the first.
        if (moved > 0) expect({ zone, ...found }).toHaveProperty('problem');
        else expect([zone, found]).toEqual([zone, { value: new Date(change + moved) }]);
        const then = new Date(moved > 0 ? change : change - moved);
        const first = readLowerInstant(formatLocal(Math.max(before, after)), zone);
        expect([zone, first]).toEqual([zone, { value: then }]);
      }
    }
    expect(changes).toBeGreaterThan(10);
  },
);

test('days follow each other without a gap in every zone, and their lengths add up', () => {
  const wrong: string[] = [];
  const firstDay = '2026-01-01';
  const days = Array.from({ length: 400 }, (_, index) => addDays(firstDay, index + 1));
  for (const zone of listDistinctZones()) {
    const first = getDayBounds(firstDay, zone);
    let { until } = first;
    const begun = first.from.getTime();
    for (const day of days) {
      const next = getDayBounds(day, zone);
      const hours = (next.until.getTime() - next.from.getTime()) / HOUR_MS;
      if (next.from.getTime() !== until.getTime() || hours < 22 || hours > 26) wrong.push(`${zone} ${day}: ${hours} h`);
      ({ until } = next);
    }
    expect(Math.round((until.getTime() - begun) / DAY_MS)).toBe(401);
  }
  expect(wrong).toEqual([]);
});
