import { temporal } from '@temporalio/proto';
import { ensureSearchAttributes } from '../../../lib/temporal-search-attributes';

const { OperatorService, ListSearchAttributesResponse, AddSearchAttributesResponse } = temporal.api.operatorservice.v1;
const NAMES = ['VouchOrg', 'VouchStatus', 'VouchFeature', 'VouchSession'];

/** An error as gRPC reports it. */
const fail = (code: number, details: string): Error =>
  Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });
const DENIED = fail(7, 'Request unauthorized.');

/** A client of the operator service whose calls are answered here. */
function createOperator(replies: { list: string[] | Error; add?: Error }) {
  const calls: string[] = [];
  const operator = OperatorService.create((method, _request, respond) => {
    calls.push(method.name);
    const { list, add = null } = replies;
    if (method.name === 'AddSearchAttributes') return respond(add, AddSearchAttributesResponse.encode({}).finish());
    if (list instanceof Error) return respond(list);
    const customAttributes = Object.fromEntries(list.map((name) => [name, 2]));
    return respond(null, ListSearchAttributesResponse.encode({ customAttributes }).finish());
  });
  return { operator, calls };
}

const ensure = async (replies: Parameters<typeof createOperator>[0]) => {
  const warn = jest.fn<void, [{ searchAttributes: Record<string, string>; commands: string[] }, string]>();
  const { operator, calls } = createOperator(replies);
  const isRegistered = await ensureSearchAttributes(operator, 'vouch.a1b2c', { warn } as never);
  return { isRegistered, calls, warning: warn.mock.calls[0]?.[0] };
};

test('missing search attributes are created, existing ones are not', async () => {
  expect(await ensure({ list: NAMES })).toMatchObject({ isRegistered: true, calls: ['ListSearchAttributes'] });
  const created = await ensure({ list: ['VouchOrg'] });
  expect(created).toMatchObject({ isRegistered: true, calls: ['ListSearchAttributes', 'AddSearchAttributes'] });
  expect(created.warning).toBeUndefined();
});

test.each([
  ['may not list search attributes', { list: DENIED }, NAMES],
  ['cannot list search attributes', { list: fail(12, 'unknown method') }, NAMES],
  ['may not create search attributes', { list: ['VouchOrg', 'VouchStatus'], add: DENIED }, NAMES.slice(2)],
])('a credential that %s starts with a warning that names those to create', async (_case, replies, names) => {
  const { isRegistered, warning } = await ensure(replies);
  expect(isRegistered).toBe(false);
  expect(Object.keys(warning?.searchAttributes ?? {})).toEqual(names);
  expect(warning?.commands).toHaveLength(names.length);
  expect(warning?.commands.at(-1)).toBe(
    'temporal operator search-attribute create --namespace vouch.a1b2c --name VouchSession --type Keyword',
  );
});

test('another rejection fails the start with the commands to run, and an outage with its own error', async () => {
  const full = fail(9, 'Too many attributes.');
  await expect(ensure({ list: [], add: full })).rejects.toThrow('--name VouchFeature --type KeywordList');
  await expect(ensure({ list: fail(14, 'No connection.') })).rejects.toThrow('No connection.');
});
