import { createEgress } from '../../../../lib/egress/egress';
import { AmlList } from '../../../../models/identity/aml/aml-list';
import { AmlListVersion } from '../../../../models/identity/aml/aml-list-version';
import { buildListId } from '../../../../services/identity/aml/catalogue';
import { importFromUrl } from '../../../../services/identity/aml/refresh';
import { rejectHeldVersion } from '../../../../services/identity/aml/versions';
import { call } from '../../../support/client';
import { startReceiver } from '../../../support/receiver';
import type { ReceivedRequest, Receiver, Reply } from '../../../support/receiver';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { findListByCode, buildOwnListCsv } from '../../../support/identity/watch-lists';
import { HOUR_MS } from '../../../../domain/durations';
import { pollUntilFound } from '../../../support/poll';
import { triggerSchedule } from '../../../support/schedules';

let receiver: Receiver;
const subscribers: string[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  // The runs of the next test would fetch every list that is still subscribed.
  await AmlList.updateMany({ organisationId: { $in: subscribers.splice(0) } }, { $set: { sourceUrl: null } });
  await receiver.close();
});
afterAll(closeTestPlatform);

const buildCsv = (...names: string[]): string =>
  buildOwnListCsv(names.map((name) => ({ id: name, type: 'person', name })));
/** Longer than one piece of what is sent and read. */
const FILLER_NAMES = Array.from({ length: 4000 }, (_, at) => `Filler Number ${at} Of The List`);
const LONG_LIST = buildCsv('Amadeus First', 'Bertrand Second', ...FILLER_NAMES, 'Zacharias Last');
const FULL_LIST = buildCsv('Amadeus First', 'Bertrand Second', 'Clothilde Third', 'Dagobert Fourth');
const SHRUNK_LIST = buildCsv('Amadeus First');

/** A publisher that serves a list and knows whether it has changed since. */
const serveList =
  (body: string, etag: string) =>
  ({ headers }: ReceivedRequest): Reply =>
    headers['if-none-match'] === etag
      ? { status: 304, headers: { etag } }
      : { status: 200, headers: { etag, 'last-modified': 'Sat, 21 Nov 2026 06:00:00 GMT' }, body };

/** An organisation that has subscribed to a list, as an operator does from the command line. */
async function createSubscribedTenant(path = '/list.csv'): Promise<IdentityTenant> {
  const own = await createIdentityTenant('Subscribed');
  const platform = await getTestPlatform();
  const egress = createEgress({ allow: platform.config.EGRESS_ALLOW });
  receiver.reply(serveList(FULL_LIST, '"one"'));
  const url = `${receiver.url}${path}`;
  await importFromUrl(platform, egress, { code: 'own', organisationId: own.organisationId, url });
  await egress.close();
  subscribers.push(own.organisationId);
  return own;
}

/** Moves the last fetch and the last version of a list into the past by some hours. */
async function shiftListBack(own: IdentityTenant, hours: number): Promise<void> {
  const _id = buildListId('own', own.organisationId);
  const list = await AmlList.findById(_id).lean();
  const earlier = (at: Date | null | undefined) => (at == null ? null : new Date(at.getTime() - hours * HOUR_MS));
  await AmlList.updateOne(
    { _id },
    { $set: { checkedAt: earlier(list?.checkedAt), fetchedAt: earlier(list?.fetchedAt) } },
  );
}

/** Has the Schedule run, and waits until what it does to the list is seen. */
async function refreshBySchedule(
  own: IdentityTenant,
  isDone: (list: ListedList) => boolean | Promise<boolean>,
): Promise<ListedList> {
  await triggerSchedule('refresh-lists');
  return pollUntilFound(async () => {
    const list = await findListByCode(own.identityKey, 'own');
    return (await isDone(list)) ? list : undefined;
  });
}

/** Whether what the source answered after {@link shiftListBack} has been noted. */
async function isFetchRecorded(own: IdentityTenant): Promise<boolean> {
  const list = await AmlList.findById(buildListId('own', own.organisationId)).lean();
  return list?.fetchedAt != null && Date.now() - list.fetchedAt.getTime() < HOUR_MS;
}

type ListedList = Awaited<ReturnType<typeof findListByCode>>;

const countVersions = (own: IdentityTenant) =>
  AmlListVersion.countDocuments({ listId: buildListId('own', own.organisationId) });

const searchList = async (own: IdentityTenant, fullName: string): Promise<unknown> =>
  (await call('POST', '/v1/aml/screen', { key: own.identityKey, json: { fullName, lists: ['own'] } })).body['match'];

test('an unchanged source is queried with its ETag and date, and only the time of the check changes', async () => {
  const own = await createSubscribedTenant();
  const before = await findListByCode(own.identityKey, 'own');
  await shiftListBack(own, 80);
  expect(await findListByCode(own.identityKey, 'own')).toMatchObject({ stale: true });
  const after = await refreshBySchedule(own, ({ stale }) => !stale);
  expect(receiver.requests.at(-1)?.headers).toMatchObject({
    'if-none-match': '"one"',
    'if-modified-since': 'Sat, 21 Nov 2026 06:00:00 GMT',
  });
  expect(after).toMatchObject({ version: before.version, ageHours: 0, error: null });
  expect(await countVersions(own)).toBe(1);
});

test('a list that was fetched within the interval is not fetched again', async () => {
  const [fresh, due] = [await createSubscribedTenant('/fresh.csv'), await createSubscribedTenant('/due.csv')];
  await shiftListBack(fresh, 11);
  await shiftListBack(due, 80);
  await refreshBySchedule(due, ({ stale }) => !stale);
  expect(receiver.requests.filter(({ path }) => path === '/fresh.csv')).toHaveLength(1);
});

test('a new list is in use as soon as it is fetched', async () => {
  const own = await createSubscribedTenant();
  await shiftListBack(own, 80);
  receiver.reply(serveList(`${FULL_LIST}\n"E","person","Eulalia Fifth","","","","","",""`, '"two"'));
  const list = await refreshBySchedule(own, ({ stale }) => !stale);
  expect(list.version).toMatchObject({ differences: { added: 1, changed: 0, removed: 0 } });
  expect(await searchList(own, 'Eulalia Fifth')).toBe(true);
});

test('a long list is read completely', async () => {
  const own = await createSubscribedTenant();
  await shiftListBack(own, 80);
  receiver.reply(serveList(LONG_LIST, '"long"'));
  const list = await refreshBySchedule(own, ({ stale }) => !stale);
  expect(list.version?.counts).toMatchObject({ entries: 4003, skipped: 0 });
  expect(await searchList(own, 'Zacharias Last')).toBe(true);
});

test('a version rejected by an operator is not held again when its source repeats it', async () => {
  const own = await createSubscribedTenant();
  await shiftListBack(own, 80);
  // Without an ETag every look fetches the whole of it.
  receiver.reply({ status: 200, body: SHRUNK_LIST });
  await refreshBySchedule(own, ({ heldVersion }) => heldVersion !== null);
  await rejectHeldVersion(await getTestPlatform(), buildListId('own', own.organisationId));
  await shiftListBack(own, 13);
  const list = await refreshBySchedule(own, () => isFetchRecorded(own));
  expect(list).toMatchObject({ stale: true, heldVersion: null, error: null });
  expect(await countVersions(own)).toBe(2);
});

test('a redirect is followed if the egress guard permits it', async () => {
  const own = await createSubscribedTenant();
  await shiftListBack(own, 80);
  const elsewhere = `${receiver.url}/elsewhere/list.csv`;
  receiver.reply((request) =>
    request.path === '/list.csv'
      ? { status: 302, headers: { location: elsewhere }, body: 'Moved.' }
      : serveList(buildCsv('Amadeus First', 'Bertrand Second', 'Clothilde Third', 'Moved Away'), '"moved"')(request),
  );
  await refreshBySchedule(own, ({ stale }) => !stale);
  expect(await searchList(own, 'Moved Away')).toBe(true);
});

test.each([
  ['to an address of a private network', 'http://127.0.0.1:1/list.csv', 'egress_refused'],
  ['to plain http elsewhere', 'http://lists.example/list.csv', 'egress_refused'],
  ['to no address', 'http://[', 'egress_failed'],
  ['round in a circle', '', 'egress_failed'],
])('a source that leads %s is refused, and the version in use stays', async (_where, location, code) => {
  const own = await createSubscribedTenant();
  await shiftListBack(own, 80);
  receiver.reply(() => ({
    status: 301,
    headers: { location: location === '' ? `${receiver.url}/list.csv` : location },
  }));
  const list = await refreshBySchedule(own, ({ error }) => error !== null);
  expect(list).toMatchObject({ error: code, stale: true, loaded: true });
  expect(await searchList(own, 'Dagobert Fourth')).toBe(true);
});

test('a list that shrank is held once, still fetched, and never confirmed as the newest', async () => {
  const own = await createSubscribedTenant();
  await shiftListBack(own, 80);
  receiver.reply(serveList(SHRUNK_LIST, '"shrunk"'));
  const held = await refreshBySchedule(own, ({ heldVersion }) => heldVersion !== null);
  expect(held).toMatchObject({ stale: true, heldVersion: { differences: { removed: 3 } } });
  await shiftListBack(own, 13);
  await refreshBySchedule(own, () => isFetchRecorded(own));
  expect(receiver.requests.at(-1)?.headers['if-none-match']).toBe('"shrunk"');
  expect(await findListByCode(own.identityKey, 'own')).toMatchObject({ stale: true, heldVersion: held.heldVersion });
  expect(await countVersions(own)).toBe(2);
  expect(await searchList(own, 'Dagobert Fourth')).toBe(true);

  await shiftListBack(own, 13);
  receiver.reply(serveList(FULL_LIST, '"whole"'));
  const whole = await refreshBySchedule(own, ({ stale }) => !stale);
  expect(whole).toMatchObject({ heldVersion: null, version: { id: held.version?.id } });
});

test.each<[string, Reply]>([
  ['answers 500', { status: 500, body: 'down' }],
  ['cuts the connection', 'cut'],
])(
  'a fetch from a source that %s is retried by Temporal; the list is stale and still searched',
  async (_what, reply) => {
    const own = await createSubscribedTenant();
    await shiftListBack(own, 80);
    receiver.reply(reply);
    const requestCount = receiver.requests.length;
    const list = await refreshBySchedule(own, () => receiver.requests.length >= requestCount + 4);
    expect(list).toMatchObject({ stale: true, loaded: true });
    expect(list.error).toMatch(/^(?:list_fetch|egress)_failed$/);
    expect(await searchList(own, 'Dagobert Fourth')).toBe(true);
    receiver.reply(serveList(FULL_LIST, '"one"'));
    expect(await refreshBySchedule(own, ({ stale }) => !stale)).toMatchObject({ error: null });
  },
);

test('a source that recovers at the second attempt causes no failure', async () => {
  const own = await createSubscribedTenant();
  await shiftListBack(own, 80);
  receiver.reply((request) =>
    receiver.requests.length === 2 ? { status: 503 } : serveList(FULL_LIST, '"one"')(request),
  );
  expect(await refreshBySchedule(own, ({ stale }) => !stale)).toMatchObject({ error: null });
});

test('a source that responds with something other than its list keeps the version in use', async () => {
  const own = await createSubscribedTenant();
  await shiftListBack(own, 80);
  receiver.reply({ status: 200, headers: { etag: '"login"' }, body: '<!doctype html><title>Sign in</title>' });
  const list = await refreshBySchedule(own, ({ error }) => error !== null);
  expect(list).toMatchObject({ error: 'unknown_list_format', stale: true, loaded: true });
});
