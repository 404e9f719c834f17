import { startOwnStack } from '../support/stack';
import type { OwnStack } from '../support/stack';
import type { Side } from '../support/business/year/books';
import type { FaultyClient } from '../support/business/year/faulty-client';
import type { Data } from '../support/business/year/faulty-client';
import { average, Chance, COST_PLACES, number, QUANTITY_PLACES } from '../support/business/year/money';
import { openAmounts } from '../support/business/year/money-moves';
import { Year } from '../support/business/year/year';

/** `npm run year` writes 10,000. */
const DOCUMENTS = Number(process.env['VOUCH_YEAR_DOCUMENTS'] ?? 800);
const SEED = Number(process.env['VOUCH_YEAR_SEED'] ?? 20_261_121);
/** Days that receivables and payables are looked at, as parts of the year. */
const LOOKS = [0, 0.03, 0.2, 0.41, 0.5, 0.77, 0.95, 1];

describe(`a year of business: ${DOCUMENTS} documents, seed ${SEED} (VOUCH_YEAR_DOCUMENTS, VOUCH_YEAR_SEED)`, () => {
  let stack: OwnStack;
  let year: Year;
  let client: FaultyClient;
  let seconds = 0;

  beforeAll(async () => {
    stack = await startOwnStack({ keepData: true, env: { RATE_LIMIT_BUSINESS_PER_MINUTE: '1000000' } });
    year = new Year({ stack, documents: DOCUMENTS, seed: SEED, kills: ['worker', 'api', 'api'] });
    await year.prepare();
    const begun = Date.now();
    await year.trade();
    seconds = (Date.now() - begun) / 1000;
    client = year.lanes[0]?.client as FaultyClient;
  }, 3_600_000);

  afterAll(async () => {
    await stack?.stop();
  }, 120_000);

  const rowsOf = async (path: string): Promise<Data[]> => {
    const rows: Data[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await client.get(`${path}${path.includes('?') ? '&' : '?'}pageSize=100&page=${page}`);
      rows.push(...(body['data'] as Data[]));
      if (rows.length >= Number(body['totalCount'])) return rows;
    }
  };

  test('was written whole, of every kind, with faults on the way', () => {
    const kinds = new Map<string, number>();
    for (const lane of year.lanes)
      for (const [kind, count] of lane.written) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
    const faults = year.lanes.map((lane) => lane.client.faults);
    const lost = { killed: year.killed, refused: year.lanes.reduce((sum, lane) => sum + lane.refused, 0), faults };
    process.stdout.write(`${JSON.stringify({ seconds, kinds: Object.fromEntries(kinds), ...lost })}\n`);
    expect([...kinds.values()].reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(DOCUMENTS);
    expect(kinds.size).toBe(20);
    expect(year.killed).toEqual(['worker', 'api', 'api']);
    for (const each of faults) expect(each.abort + each.twice + each.again).toBeGreaterThan(5);
    expect(lost.refused).toBeGreaterThan(10);
  });

  test('leaves every invariant whole', async () => {
    let reply = await client.send('POST', '/api/admin/invariants');
    while (reply.status === 202) reply = await client.send('POST', '/api/admin/invariants');
    const { invariants } = reply.body['data'] as { invariants: { violations: number; checked: number }[] };
    expect(invariants.filter(({ violations }) => violations > 0)).toEqual([]);
    expect(invariants.filter(({ checked }) => checked === 0)).toEqual([]);
  });

  const days = (): string[] => [
    ...LOOKS.map((part) => year.days[Math.round(part * (year.days.length - 1))] ?? ''),
    new Date().toISOString().slice(0, 10),
  ];

  test.each<Side>(['receivable', 'payable'])(
    '%ss by age, as of any day, are what the answers add up to',
    async (side) => {
      const name = side === 'receivable' ? 'customer' : 'vendor';
      for (const asOf of days()) {
        const { body } = await client.get(`/api/${side}s/aging?asOf=${asOf}`);
        const report = body['data'] as { rows: Data[]; total: object };
        const expected = year.lanes.map((lane) => lane.books.aging(side, asOf));
        const rows = report.rows.map(({ currencyCode, amounts, base, ...row }) => ({
          partyId: row[`${name}Id`],
          currencyCode,
          amounts,
          base,
        }));
        const byParty = (a: { partyId: unknown }, b: { partyId: unknown }) => Number(a.partyId) - Number(b.partyId);
        expect({ asOf, rows }).toEqual({ asOf, rows: expected.flatMap((each) => each.rows).sort(byParty) });
        const cents = (total: object, column: string) =>
          Math.round(100 * Number(new Map(Object.entries(total)).get(column)));
        for (const column of Object.keys(report.total))
          expect(cents(report.total, column)).toBe(expected.reduce((sum, { total }) => sum + cents(total, column), 0));
      }
    },
  );

  test('balances of customers and vendors are the net of their age', async () => {
    for (const asOf of days().slice(-3))
      for (const lane of year.lanes)
        for (const [side, path, ids] of [
          ['receivable', 'customers', lane.customerIds],
          ['payable', 'vendors', lane.vendorIds],
        ] as const) {
          const rows = lane.books.aging(side, asOf).rows;
          for (const partyId of ids.slice(0, 2)) {
            const { body } = await client.get(`/api/${path}/${partyId}/balance?asOf=${asOf}`);
            const own = rows.filter((row) => row.partyId === partyId);
            const data = body['data'] as { balance: number; currencies: Data[] };
            expect(Math.round(data.balance * 100)).toBe(
              own.reduce((sum, row) => sum + Math.round((row.base['net'] ?? 0) * 100), 0),
            );
            expect(data.currencies.map((each) => [each['currencyCode'], each['balance']])).toEqual(
              own.map((row) => [row.currencyCode, row.amounts['net']]),
            );
          }
        }
  });

  test('every document says what is open of it', async () => {
    for (const [side, path] of [
      ['receivable', '/api/receivables?state=all'],
      ['payable', '/api/payables?state=all'],
    ] as const) {
      const expected = new Map(year.lanes.flatMap((lane) => [...openAmounts(lane, side)]));
      const found = new Map((await rowsOf(path)).map((row) => [Number(row['id']), Number(row['open'])]));
      expect([...found].sort(([a], [b]) => a - b)).toEqual([...expected].sort(([a], [b]) => a - b));
    }
  });

  test('stock and average cost of every product are those kept by hand', async () => {
    const levels = await rowsOf('/api/inventory/stock');
    for (const lane of year.lanes)
      for (const shelf of lane.shelves) {
        const { body } = await client.get(`/api/products/${shelf.productId}`);
        expect(body['data']).toMatchObject({
          stock: number(shelf.quantity, QUANTITY_PLACES),
          averageCost: shelf.quantity === 0n ? null : number(average(shelf.value, shelf.quantity), COST_PLACES),
        });
        for (const row of levels.filter((each) => each['productId'] === shelf.productId))
          expect(row['onHand']).toBe(number(shelf.in(Number(row['warehouseId'])), QUANTITY_PLACES));
      }
  });
});

test('the year draws the same numbers from the same seed', () => {
  const draw = (): number[] => {
    const chance = new Chance(SEED);
    return Array.from({ length: 5 }, () => chance.between(0, 1_000_000));
  };
  expect(draw()).toEqual(draw());
});
