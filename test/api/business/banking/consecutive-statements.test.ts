import { buildCamt053, buildCamtEntry, joinCamt053 } from '../../../support/business/banking/statements';
import { createBusinessClient, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
// Balances and fingerprints are those of one account, so each test has a company of its own.
beforeEach(async () => {
  client = await createBusinessClient('Consecutive');
});
afterAll(closeTestPlatform);

/** Imports a file. @returns how many transactions each of its statements added */
async function importFile(text: string): Promise<[number, unknown[]]> {
  const file = { body: Buffer.from(text), name: 'statement.xml', type: 'application/xml' };
  const response = await call('POST', '/api/bank-statements', {
    token: client.token,
    form: { format: 'camt.053', file },
  });
  return [response.status, getRows(response).map((statement) => statement['importedCount'])];
}

const countTransactions = async (): Promise<unknown> => (await client.get('/api/bank-transactions')).body['totalCount'];

const fee = buildCamtEntry({ amount: '5.00', name: 'Shop' });
const other = buildCamtEntry({ amount: '2.00', name: 'Other' });
/** Three statements of one day, each of which begins with the balance that the one before ends with. */
const first = buildCamt053({ id: 'S-1', entries: [fee, other], opening: '0.00', closing: '7.00' });
const second = buildCamt053({ id: 'S-2', entries: [fee], opening: '7.00', closing: '12.00' });
const third = buildCamt053({ id: 'S-3', entries: [fee, fee], opening: '12.00', closing: '22.00' });
const whole = buildCamt053({ id: 'DAY', entries: [fee, other, fee, fee, fee], opening: '0.00', closing: '22.00' });

test('equal transactions of consecutive statements of one file are all imported, and once', async () => {
  const file = joinCamt053([first, second, third]);
  expect(await importFile(file)).toEqual([201, [2, 1, 2]]);
  expect((await importFile(file))[0]).toBe(200);
  for (const each of [first, second, third]) expect((await importFile(each))[0]).toBe(200);
  expect(await importFile(whole)).toEqual([201, [0]]);
  expect(await countTransactions()).toBe(5);
});

test('equal transactions of consecutive statements are all imported from separate files in their order', async () => {
  const imported = [];
  for (const each of [first, second, third]) imported.push(await importFile(each));
  expect(imported).toEqual([
    [201, [2]],
    [201, [1]],
    [201, [2]],
  ]);
  expect((await importFile(joinCamt053([second, third])))[0]).toBe(200);
  expect(await importFile(whole)).toEqual([201, [0]]);
  expect(await countTransactions()).toBe(5);
});

test('transactions of statements that overlap are imported once, in one file and in several', async () => {
  expect(await importFile(joinCamt053([whole, first]))).toEqual([201, [5, 0]]);
  expect(await importFile(joinCamt053([second, third]))).toEqual([201, [0, 0]]);
  expect(await countTransactions()).toBe(5);
});

test('a statement that leaves the balance as it was can be a copy: its transactions are imported once', async () => {
  const refund = buildCamtEntry({ amount: '5.00', indicator: 'DBIT', name: 'Shop' });
  const build = (id: string): string => buildCamt053({ id, entries: [fee, refund], opening: '3.00', closing: '3.00' });
  expect(await importFile(joinCamt053([build('A'), build('B')]))).toEqual([201, [2, 0]]);
  expect(await importFile(build('C'))).toEqual([201, [0]]);
});
