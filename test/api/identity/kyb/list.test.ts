import { z } from 'zod';
import { kybSchema } from '../../../../api/identity/kyb/kyb-responses';
import { KybCheck } from '../../../../models/identity/kyb/kyb-check';
import { call } from '../../../support/client';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';

const pageSchema = z.object({
  ok: z.literal(true),
  checks: z.array(kybSchema),
  total: z.number(),
  nextCursor: z.string().nullable(),
});

const COMPANIES = [
  { companyName: 'One Ltd', country: 'GB' },
  { companyName: 'Two SA', country: 'FR' },
  { companyName: 'Sandbox Missing Ltd', country: 'GB' },
  { companyName: 'Sandbox Several Ltd', country: 'DE' },
];

let tenant: Tenant;
let key: string;
/** Ids in the order they were made, one a day. */
const made: string[] = [];

const DAY_MS = 86_400_000;
/** The day a check was made on, so lately that no retention takes it. */
const day = (index: number): string => new Date(Date.now() - (10 - index) * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  tenant = await createTenant('Lists of business checks');
  key = await tenant.identityKeyWith(['kyb:read', 'kyb:write'], { mode: 'test' });
  for (const [index, json] of COMPANIES.entries()) {
    const { body } = await call('POST', '/v1/kyb?wait=40', { key, json });
    const { id } = kybSchema.parse(body['check']);
    await KybCheck.updateOne({ _id: id }, { $set: { createdAt: new Date(`${day(index)}T12:00:00Z`) } });
    made.push(id);
  }
});
afterAll(closeTestPlatform);

const page = async (query: string): Promise<z.infer<typeof pageSchema>> =>
  pageSchema.parse((await call('GET', `/v1/kyb${query}`, { key })).body);
const idsOf = async (query: string): Promise<string[]> => (await page(query)).checks.map(({ id }) => id);
const at = (...days: number[]): (string | undefined)[] => days.map((index) => made[index]);

test('checks are listed newest first, page by page, with the total of the whole list', async () => {
  const first = await page('?limit=3');
  expect(first).toMatchObject({ total: 4, nextCursor: made[1] });
  expect(first.checks.map(({ id }) => id)).toEqual(at(3, 2, 1));
  const second = await page(`?limit=3&cursor=${first.nextCursor ?? ''}`);
  expect(second).toMatchObject({ total: 4, nextCursor: null, checks: [{ id: made[0] }] });
});

test.each([
  ['?status=not_found', [2]],
  ['?status=not_found,review', [3, 2]],
  ['?country=FRA', [1]],
  ['?country=gb', [2, 0]],
  [`?from=${day(1)}`, [3, 2, 1]],
  [`?to=${day(1)}`, [1, 0]],
  [`?from=${day(1)}&to=${day(1)}`, [1]],
  ['?country=GB&status=found', [0]],
  ['?country=IT', []],
])('%s narrows list and total alike', async (query, days) => {
  expect(await idsOf(query)).toEqual(at(...days));
  expect((await page(`${query}&limit=1`)).total).toBe(days.length);
});

test.each([['status=lost'], ['country=ZZ'], ['cursor=ses_1'], ['limit=101'], ['from=yesterday'], ['colour=red']])(
  '%s is refused by name',
  async (query) => {
    const answer = await call('GET', `/v1/kyb?${query}`, { key });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(`"field":"${query.split('=')[0] ?? ''}"`);
  },
);

test('a live key sees none of them', async () => {
  const { body } = await call('GET', '/v1/kyb', { key: tenant.identityKey });
  expect(body).toMatchObject({ checks: [], total: 0, nextCursor: null });
});
