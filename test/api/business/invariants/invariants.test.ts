import { INVARIANT_NAMES } from '../../../../domain/business/invariants/invariants';
import type { InvariantName } from '../../../../domain/business/invariants/invariants';
import { StockBalance, StockValue } from '../../../../models/business/stock/stock';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import type { ApiResponse } from '../../../support/client';
import { call } from '../../../support/client';
import { CORRUPTIONS, decimalMinusOne, decimalOne } from '../../../support/business/corruptions';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  createClientWithToken,
  getData,
  getCreatedId,
  getRows,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { expectDocumented } from '../../../support/business/documented';
import { startOwnApi } from '../../../support/business/own-api';
import { pollUntilFound } from '../../../support/poll';
import { triggerSchedule } from '../../../support/schedules';

const PATH = '/api/admin/invariants';
const TOKEN = 'a-token-of-this-test-alone';
const today = new Date().toISOString().slice(0, 10);

interface InvariantReport {
  checkedAt: string | null;
  running: boolean;
  violations: number;
  invariants: {
    invariant: InvariantName;
    checked: number;
    violations: number;
    examples: { subject: string; what: string; expected: string; found: string }[];
  }[];
}
const parseReport = (response: ApiResponse): InvariantReport => getData(response) as unknown as InvariantReport;
const runCheck = async (client: BusinessClient): Promise<InvariantReport> => {
  const response = await client.post(PATH, undefined);
  expect(response.status).toBe(200);
  return parseReport(response);
};
const selectViolated = ({ invariants }: InvariantReport) => invariants.filter(({ violations }) => violations > 0);

/** Creates at least one record of every kind that an invariant covers. Ids are 1, 2, 3 … in this order. */
async function createRecords(client: BusinessClient): Promise<void> {
  const productId = await addProduct(client, { initialStock: { quantity: 40, unitCost: 3.33 } });
  const serviceId = await addService(client);
  const customerId = await addCustomer(client);
  const other = getCreatedId(await client.post('/api/inventory/warehouses', { code: 'EAST', name: 'East' }));
  const transfer = { fromWarehouseId: 1, toWarehouseId: other, lines: [{ productId, quantity: 5 }] };
  getCreatedId(await client.post('/api/inventory/transfers', transfer));
  const adjusted = { warehouseId: other, reason: 'Counted', lines: [{ productId, countedQuantity: 4 }] };
  getCreatedId(await client.post('/api/inventory/adjustments', adjusted));
  const invoice = (quantity: number) =>
    client.post('/api/invoices', {
      customerId,
      lines: [
        { productId, quantity },
        { productId: serviceId, quantity: 1 },
      ],
    });
  const [first, second, third] = [
    getCreatedId(await invoice(3)),
    getCreatedId(await invoice(7)),
    getCreatedId(await invoice(1)),
  ];
  getCreatedId(await client.post('/api/invoices', { customerId, draft: true, lines: [{ productId, quantity: 1 }] }));
  const paid = { customerId, amount: 50, method: 'bank_transfer', allocations: [{ documentId: first, amount: 30 }] };
  const paymentId = getCreatedId(await client.post('/api/receivables/payments', paid));
  getCreatedId(await client.post('/api/receivables/refunds', { paymentId, amount: 5, method: 'bank_transfer' }));
  const credit = { invoiceId: second, reason: 'Damaged', restock: true, lines: [{ invoiceLineId: 1, quantity: 2 }] };
  getCreatedId(await client.post('/api/credit-notes', credit));
  expect((await client.post(`/api/invoices/${third}/void`, { reason: 'Twice' })).status).toBe(200);
  const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  const lines = [{ productId, quantity: 6, unitCost: 4 }];
  const order = getCreatedId(await client.post('/api/purchase-orders', { vendorId, lines }));
  const receive = (quantity: number) =>
    client.post(`/api/purchase-orders/${order}/receive`, { lines: [{ lineId: 1, quantity }] });
  const received = getData(await receive(2))['receipt'] as { id: number };
  const replaced = getData(await receive(1))['receipt'] as { id: number };
  const bill = { vendorId, number: 'B-1', date: today, lines: [{ productId, quantity: 2, unitCost: 4.5 }] };
  const billed = await client.post('/api/payables', { ...bill, receiptIds: [received.id] });
  expect(billed.status).toBe(201);
  getCreatedId(
    await client.post('/api/vendor-returns', {
      receiptId: received.id,
      reason: 'Broken',
      lines: [{ lineId: 1, quantity: 1 }],
    }),
  );
  const sold = getCreatedId(
    await client.post('/api/sales-orders', { customerId, lines: [{ productId, quantity: 2 }] }),
  );
  expect((await client.post(`/api/sales-orders/${sold}/confirm`, undefined)).status).toBe(200);
  const wrong = { vendorId, number: 'B-2', date: today, receiptIds: [replaced.id] };
  const mistaken = getCreatedId(
    await client.post('/api/payables', { ...wrong, lines: [{ productId, quantity: 1, unitCost: 9 }] }),
  );
  expect((await client.post(`/api/payables/${mistaken}/void`, { reason: 'Other number' })).status).toBe(200);
  getCreatedId(await client.post('/api/payables/payments', { vendorId, amount: 4, method: 'bank_transfer' }));
}

let client: BusinessClient;
beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Invariants');
  await createRecords(client);
});
afterAll(closeTestPlatform);

test('a company with records of every kind violates no invariant, and every invariant compared something', async () => {
  const before = await client.get(PATH);
  expectDocumented('get', PATH, before);
  expect(parseReport(before)).toMatchObject({ checkedAt: null, violations: 0, invariants: [] });
  const response = await client.post(PATH, undefined);
  expectDocumented('post', PATH, response);
  const found = parseReport(response);
  expect(selectViolated(found)).toEqual([]);
  expect(found.invariants.map(({ invariant }) => invariant)).toEqual([...INVARIANT_NAMES]);
  expect(found.invariants.filter(({ checked }) => checked === 0)).toEqual([]);
  const after = await client.get(PATH);
  expectDocumented('get', PATH, after);
  expect(parseReport(after)).toEqual(found);
});

// Early, since the Schedule looks at every company that tests have created so far.
test('the Schedule looks at companies by itself', async () => {
  const own = await createBusinessClient('Scheduled');
  await addProduct(own, { initialStock: { quantity: 1, unitCost: 1 } });
  await triggerSchedule('check-invariants');
  const found = await pollUntilFound(async () => {
    const report = parseReport(await own.get(PATH));
    return report.checkedAt === null ? undefined : report;
  });
  expect(found.violations).toBe(0);
});

describe('violations', () => {
  test('there is a corrupted record for every invariant', () => {
    expect([...new Set(CORRUPTIONS.map(([invariant]) => invariant))].sort()).toEqual([...INVARIANT_NAMES].sort());
  });

  test.each(CORRUPTIONS)('%s: %s is reported as %s', async (invariant, _, subject, corrupt) => {
    const repair = await corrupt(client.tenant.organisationId);
    try {
      const violation = selectViolated(await runCheck(client)).find((each) => each.invariant === invariant);
      expect(violation?.examples.map((example) => example.subject)).toContain(subject);
      for (const { expected, found } of violation?.examples ?? []) expect(found).not.toBe(expected);
    } finally {
      await repair();
    }
  });

  // One check for all of them: what a repair had left would be reported until now.
  test('none of them is reported after every record was repaired', async () => {
    expect(selectViolated(await runCheck(client))).toEqual([]);
  });

  test('at most twenty violations of an invariant are listed and all are counted', async () => {
    const { organisationId } = client.tenant;
    const rows = Array.from({ length: 25 }, (_, index) => ({
      organisationId,
      productId: 1000 + index,
      warehouseId: 1,
      onHand: decimalOne,
    }));
    await StockBalance.insertMany(rows);
    const violation = selectViolated(await runCheck(client)).find((each) => each.invariant === 'stock_balances');
    await StockBalance.deleteMany({ organisationId, productId: { $gte: 1000 } });
    expect(violation?.violations).toBe(25);
    expect(violation?.examples).toHaveLength(20);
  });

  test('none is reported while invoices, payments, voids and goods are posted concurrently', async () => {
    const busy = await createBusinessClient('Busy');
    await createRecords(busy);
    const [customerId, productId] = [1, 1];
    let posting = true;
    const write = async (worker: number): Promise<number> => {
      let written = 0;
      for (; posting; written += 1) {
        const invoice = await busy.post('/api/invoices', { customerId, lines: [{ productId: 2, quantity: 1 }] });
        expect(invoice.status).toBe(201);
        const adjust = {
          warehouseId: 1,
          reason: 'Found',
          lines: [{ productId, quantityDelta: 1, unitCost: worker + 1 }],
        };
        await busy.post('/api/inventory/adjustments', adjust);
        if (written % 3 === 0) await busy.post(`/api/invoices/${getCreatedId(invoice)}/void`, { reason: 'Test' });
        else await busy.post('/api/receivables/payments', { customerId, amount: 7, method: 'cash' });
      }
      return written;
    };
    const writers = [0, 1, 2, 3].map(write);
    const reports: InvariantReport[] = [];
    while (reports.length < 12) reports.push(await runCheck(busy));
    posting = false;
    const written = await Promise.all(writers);
    expect(reports.flatMap(selectViolated)).toEqual([]);
    // Postings did come between the looks.
    const seen = new Set(reports.map(({ invariants }) => invariants.reduce((sum, { checked }) => sum + checked, 0)));
    expect(seen.size).toBeGreaterThan(6);
    expect(written.every((count) => count > 0)).toBe(true);
    expect(selectViolated(await runCheck(busy))).toEqual([]);
  });
});

test('requests at once share one look', async () => {
  const { organisationId } = client.tenant;
  const responses = await Promise.all(Array.from({ length: 6 }, () => client.post(PATH, undefined)));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  const auditRows = getRows(await client.get('/api/admin/audit-log?action=invariants.checked&pageSize=100'));
  const times = auditRows.map((row) => row['at']);
  expect(new Set(times).size).toBe(times.length);
  expect(responses.every((response) => parseReport(response).violations === 0)).toBe(true);
  expect(auditRows.every((row) => row['subject'] === organisationId)).toBe(true);
});

test('reading needs admin:read, a look admin:update', async () => {
  const reader = createClientWithToken(client.tenant, client.token);
  const key = await client.tenant.createBusinessKey(['admin:read']);
  const unpermittedKey = await client.tenant.createBusinessKey(['invoices:read']);
  expect((await call('GET', PATH, { key })).status).toBe(200);
  expect((await call('POST', PATH, { key })).status).toBe(403);
  expect((await call('GET', PATH, { key: unpermittedKey })).status).toBe(403);
  expect((await reader.get(PATH)).status).toBe(200);
});

describe('/metrics', () => {
  const figure = (text: string, invariant: InvariantName): number =>
    Number(new RegExp(`^vouch_invariant_violations\\{invariant="${invariant}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  const scrape = async (url: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/metrics`, { headers });
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
  };

  test('shows a violation above 0 and only to the bearer of the token', async () => {
    const own = await startOwnApi({ metricsToken: TOKEN });
    const without = await startOwnApi({ metricsToken: undefined });
    try {
      expect((await scrape(own.url)).status).toBe(401);
      expect((await scrape(own.url, 'another-token')).status).toBe(401);
      expect((await scrape(without.url, TOKEN)).status).toBe(404);
      await runCheck(client);
      const before = await scrape(own.url, TOKEN);
      expect(before).toMatchObject({ status: 200 });
      expect(before.type).toContain('text/plain');
      for (const name of INVARIANT_NAMES) expect(figure(before.text, name)).toBeGreaterThanOrEqual(0);
      expect(before.text).not.toContain(client.tenant.organisationId);
      const { organisationId } = client.tenant;
      const key = { organisationId, productId: 1 };
      await StockValue.updateOne(key, { $inc: { value: decimalOne } });
      await runCheck(client);
      const rung = await scrape(own.url, TOKEN);
      await StockValue.updateOne(key, { $inc: { value: decimalMinusOne } });
      expect(figure(rung.text, 'stock_values')).toBe(figure(before.text, 'stock_values') + 1);
      await runCheck(client);
      expect(figure((await scrape(own.url, TOKEN)).text, 'stock_values')).toBe(figure(before.text, 'stock_values'));
      expect(rung.text).toMatch(/^vouch_invariant_oldest_check_timestamp_seconds \d{9,}/m);
    } finally {
      await Promise.all([own.close(), without.close()]);
    }
  });
});
