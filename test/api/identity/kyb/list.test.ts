import { z } from 'zod';
import { kybCheckSchema } from '../../../../api/identity/kyb/kyb-responses';
import { KybCheck } from '../../../../models/identity/kyb/kyb-check';
import { call } from '../../../support/client';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { DAY_MS } from '../../../../domain/durations';

const pageSchema = z.object({
  ok: z.literal(true),
  checks: z.array(kybCheckSchema),
  total: z.number(),
  nextCursor: z.string().nullable(),
});

const COMPANIES = [
  { companyName: 'One Ltd', country: 'GB' },
  { companyName: 'Two SA', country: 'FR' },
  { companyName: 'Sandbox Missing Ltd', country: 'GB' },
  { companyName: 'Sandbox Several Ltd', country: 'DE' },
];

let tenant: IdentityTenant;
let key: string;
/** Ids in the order they were made, one a day. */
const createdIds: string[] = [];

/** The day a check was made on, so lately that no retention takes it. */
const formatDay = (index: number): string => new Date(Date.now() - (10 - index) * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  tenant = await createIdentityTenant('Lists of business checks');
  key = await tenant.createIdentityKey(['kyb:read', 'kyb:write'], { mode: 'test' });
  for (const [index, json] of COMPANIES.entries()) {
    const { body } = await call('POST', '/v1/kyb', { key, json });
    const { id } = kybCheckSchema.parse(body['check']);
    await KybCheck.updateOne({ _id: id }, { $set: { createdAt: new Date(`${formatDay(index)}T12:00:00Z`) } });
    createdIds.push(id);
  }
});
afterAll(closeTestPlatform);

const getPage = async (query: string): Promise<z.infer<typeof pageSchema>> =>
  pageSchema.parse((await call('GET', `/v1/kyb${query}`, { key })).body);
const listIds = async (query: string): Promise<string[]> => (await getPage(query)).checks.map(({ id }) => id);
const selectIds = (...days: number[]): (string | undefined)[] => days.map((index) => createdIds[index]);

test('checks are listed newest first in pages, with the total of the whole list', async () => {
  const first = await getPage('?limit=3');
  expect(first).toMatchObject({ total: 4, nextCursor: createdIds[1] });
  expect(first.checks.map(({ id }) => id)).toEqual(selectIds(3, 2, 1));
  const second = await getPage(`?limit=3&cursor=${first.nextCursor ?? ''}`);
  expect(second).toMatchObject({ total: 4, nextCursor: null, checks: [{ id: createdIds[0] }] });
});

test.each([
  ['?status=not_found', [2]],
  ['?status=not_found,review', [3, 2]],
  ['?country=FRA', [1]],
  ['?country=gb', [2, 0]],
  [`?from=${formatDay(1)}`, [3, 2, 1]],
  [`?to=${formatDay(1)}`, [1, 0]],
  [`?from=${formatDay(1)}&to=${formatDay(1)}`, [1]],
  ['?country=GB&status=found', [0]],
  ['?country=IT', []],
])('%s narrows list and total alike', async (query, days) => {
  expect(await listIds(query)).toEqual(selectIds(...days));
  expect((await getPage(`${query}&limit=1`)).total).toBe(days.length);
});

test.each([['status=lost'], ['country=ZZ'], ['cursor=ses_1'], ['limit=101'], ['from=yesterday'], ['colour=red']])(
  '%s is refused by name',
  async (query) => {
    const response = await call('GET', `/v1/kyb?${query}`, { key });
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(`"field":"${query.split('=')[0] ?? ''}"`);
  },
);

test('a live key sees none of them', async () => {
  const { body } = await call('GET', '/v1/kyb', { key: tenant.identityKey });
  expect(body).toMatchObject({ checks: [], total: 0, nextCursor: null });
});
