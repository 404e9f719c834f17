import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';
import type { Side } from '../support/business/year/books';
import type { FaultyClient } from '../support/business/year/faulty-client';
import type { ReplyData } from '../support/business/year/faulty-client';
import {
  computeUnitCost,
  SeededRandom,
  COST_PLACES,
  unitsToNumber,
  QUANTITY_PLACES,
} from '../support/business/year/money';
import { listOpenAmounts } from '../support/business/year/money-moves';
import { Year } from '../support/business/year/year';
import { PREPARATION_LIMIT_MS } from '../support/chaos/limits';

/** `npm test -- year` generates 10,000. */
const DOCUMENT_COUNT = Number(process.env['VOUCH_YEAR_DOCUMENTS'] ?? 800);
const SEED = Number(process.env['VOUCH_YEAR_SEED'] ?? 20_261_121);
/** Days of the receivables and payables reports, as fractions of the year. */
const REPORT_POSITIONS = [0, 0.03, 0.2, 0.41, 0.5, 0.77, 0.95, 1];

describe(`a year of business: ${DOCUMENT_COUNT} documents, seed ${SEED} (VOUCH_YEAR_DOCUMENTS, VOUCH_YEAR_SEED)`, () => {
  let stack: SharedStack;
  let year: Year;
  let client: FaultyClient;
  let seconds = 0;

  beforeAll(async () => {
    stack = await shareOwnStack();
    year = new Year({ stack, documents: DOCUMENT_COUNT, seed: SEED, kills: ['worker', 'api', 'api'] });
    await year.prepare();
    const begun = Date.now();
    await year.trade();
    seconds = (Date.now() - begun) / 1000;
    client = year.lanes[0]?.client as FaultyClient;
  }, PREPARATION_LIMIT_MS);

  const listRows = async (path: string): Promise<ReplyData[]> => {
    const rows: ReplyData[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await client.get(`${path}${path.includes('?') ? '&' : '?'}pageSize=100&page=${page}`);
      rows.push(...(body['data'] as ReplyData[]));
      if (rows.length >= Number(body['totalCount'])) return rows;
    }
  };

  test('contains every document, of every kind, in spite of the injected faults', () => {
    const kinds = new Map<string, number>();
    for (const lane of year.lanes)
      for (const [kind, count] of lane.documentCounts) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
    const faults = year.lanes.map((lane) => lane.client.faults);
    const lost = {
      killed: year.killedRoles,
      refused: year.lanes.reduce((sum, lane) => sum + lane.rejections, 0),
      faults,
    };
    process.stdout.write(`${JSON.stringify({ seconds, kinds: Object.fromEntries(kinds), ...lost })}\n`);
    expect([...kinds.values()].reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(DOCUMENT_COUNT);
    expect(kinds.size).toBe(31);
    expect(year.killedRoles).toEqual(['worker', 'api', 'api']);
    for (const each of faults) expect(each.abort + each.twice + each.again).toBeGreaterThan(5);
    expect(lost.refused).toBeGreaterThan(10);
  });

  test('violates no invariant', async () => {
    let reply = await client.send('POST', '/api/admin/invariants');
    while (reply.status === 202) reply = await client.send('POST', '/api/admin/invariants');
    const { invariants } = reply.body['data'] as {
      invariants: { invariant: string; violations: number; checked: number }[];
    };
    expect(invariants.filter(({ violations }) => violations > 0)).toEqual([]);
    expect(invariants.filter(({ checked }) => checked === 0)).toEqual([]);
  });

  const listReportDays = (): string[] => [
    ...REPORT_POSITIONS.map((part) => year.days[Math.round(part * (year.days.length - 1))] ?? ''),
    new Date().toISOString().slice(0, 10),
  ];

  test.each<Side>(['receivable', 'payable'])(
    'aging of %ss on any day equals the sum of the responses',
    async (side) => {
      const name = side === 'receivable' ? 'customer' : 'vendor';
      for (const asOf of listReportDays()) {
        const { body } = await client.get(`/api/${side}s/aging?asOf=${asOf}`);
        const report = body['data'] as { rows: ReplyData[]; total: object };
        const expected = year.lanes.map((lane) => lane.ledger.buildAgingReport(side, asOf));
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

  test('balances of customers and vendors equal the net of their aging report', async () => {
    for (const asOf of listReportDays().slice(-3))
      for (const lane of year.lanes)
        for (const [side, path, ids] of [
          ['receivable', 'customers', lane.customerIds],
          ['payable', 'vendors', lane.vendorIds],
        ] as const) {
          const rows = lane.ledger.buildAgingReport(side, asOf).rows;
          for (const partyId of ids.slice(0, 2)) {
            const { body } = await client.get(`/api/${path}/${partyId}/balance?asOf=${asOf}`);
            const own = rows.filter((row) => row.partyId === partyId);
            const data = body['data'] as { balance: number; currencies: ReplyData[] };
            expect(Math.round(data.balance * 100)).toBe(
              own.reduce((sum, row) => sum + Math.round((row.base['net'] ?? 0) * 100), 0),
            );
            expect(data.currencies.map((each) => [each['currencyCode'], each['balance']])).toEqual(
              own.map((row) => [row.currencyCode, row.amounts['net']]),
            );
          }
        }
  });

  test('every document states its open amount', async () => {
    for (const [side, path] of [
      ['receivable', '/api/receivables?state=all'],
      ['payable', '/api/payables?state=all'],
    ] as const) {
      const expected = new Map(year.lanes.flatMap((lane) => [...listOpenAmounts(lane, side)]));
      const found = new Map((await listRows(path)).map((row) => [Number(row['id']), Number(row['open'])]));
      expect([...found].sort(([a], [b]) => a - b)).toEqual([...expected].sort(([a], [b]) => a - b));
    }
  });

  test('stock, reservations and average cost of every product equal those of the test ledger', async () => {
    const levels = await listRows('/api/inventory/stock');
    for (const lane of year.lanes)
      for (const shelf of lane.shelves) {
        const { body } = await client.get(`/api/products/${shelf.productId}`);
        expect(body['data']).toMatchObject({
          stock: unitsToNumber(shelf.quantity, QUANTITY_PLACES),
          averageCost:
            shelf.quantity === 0n ? null : unitsToNumber(computeUnitCost(shelf.value, shelf.quantity), COST_PLACES),
        });
        for (const row of levels.filter((each) => each['productId'] === shelf.productId))
          expect([row['onHand'], row['reserved']]).toEqual(
            [shelf.getQuantity(Number(row['warehouseId'])), shelf.getReserved(Number(row['warehouseId']))].map(
              (units) => unitsToNumber(units, QUANTITY_PLACES),
            ),
          );
      }
  });
});

test('the same seed generates the same numbers', () => {
  const draw = (): number[] => {
    const chance = new SeededRandom(SEED);
    return Array.from({ length: 5 }, () => chance.between(0, 1_000_000));
  };
  expect(draw()).toEqual(draw());
});
