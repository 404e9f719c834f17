import { expectDocumented } from '../../../support/business/documented';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  addProduct,
  addService,
  createBusinessClient,
  getCreatedId,
  getData,
} from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
let customerId: number;
let productId: number;
let standardRateId: number;
let reducedRateId: number;

beforeAll(async () => {
  client = await createBusinessClient('Seller GmbH');
  customerId = await addCustomer(client);
  const addRate = async (name: string, percent: number) =>
    getCreatedId(await client.post('/api/config/tax-rates', { name, percent, category: 'S' }));
  standardRateId = await addRate('19', 19);
  reducedRateId = await addRate('7', 7);
  productId = await addService(client, { taxRateId: standardRateId, description: 'Brass, 40 W' });
});
afterAll(closeTestPlatform);

const issue = (body: object) => client.post('/api/invoices', { customerId, ...body });
const freeLine = (over: object = {}) => ({
  description: 'Delivery on Saturday',
  quantity: 2,
  unitPrice: 25,
  taxRateId: reducedRateId,
  ...over,
});

describe('an invoice', () => {
  test('has lines in free text, whose details are printed, next to products', async () => {
    const response = await issue({
      lines: [
        { productId, quantity: 1, unitPrice: 100 },
        freeLine({ unit: 'HUR', details: 'By courier\nbefore noon' }),
      ],
    });
    expectDocumented('post', '/api/invoices', response);
    expect(getData(response)).toMatchObject({
      total: 150,
      taxTotal: 22.5,
      lines: [
        { productId, details: 'Brass, 40 W' },
        { productId: null, productCode: null, unit: 'HUR', details: 'By courier\nbefore noon', warehouseId: null },
      ],
    });
    const id = getCreatedId(response);
    const voided = await client.post(`/api/invoices/${id}/void`, { reason: 'Wrong customer' });
    expect(getData(voided)).toMatchObject({ status: 'void' });
  });

  test.each([
    ['no body', undefined, null],
    ['an empty object', {}, null],
    ['null as reason', { reason: null }, null],
    ['a reason', { reason: 'Wrong customer' }, 'Wrong customer'],
  ])('is voided by a request with %s', async (_, json, voidReason) => {
    const id = getCreatedId(await issue({ lines: [freeLine()] }));
    const path = `/api/invoices/${id}/void`;
    const voided = json === undefined ? await client.postText(path, '') : await client.post(path, json);
    expectDocumented('post', '/api/invoices/:id/void', voided);
    expect([voided.status, getData(voided)]).toEqual([200, expect.objectContaining({ status: 'void', voidReason })]);
  });

  test('has discounts and charges of lines and of the document, taxed like what they apply to', async () => {
    const response = await issue({
      dueDate: '2099-12-31',
      lines: [
        {
          productId,
          quantity: 1,
          unitPrice: 100,
          adjustments: [
            { type: 'discount', percent: 10, reason: 'Volume' },
            { type: 'charge', amount: 2.5 },
          ],
        },
        freeLine(),
      ],
      adjustments: [
        { type: 'discount', percent: 10 },
        { type: 'charge', amount: 4.9, reason: 'Freight', taxRateId: standardRateId },
      ],
    });
    expectDocumented('post', '/api/invoices', response);
    expect(getData(response)).toMatchObject({
      dueDate: '2099-12-31',
      total: 133.15,
      taxTotal: 19.9,
      grandTotal: 153.05,
      adjustments: [
        { adjustmentId: 1, type: 'discount', reason: 'Discount', amount: 9.25, taxPercent: 19 },
        { adjustmentId: 2, type: 'discount', amount: 5, taxPercent: 7 },
        { adjustmentId: 3, type: 'charge', reason: 'Freight', amount: 4.9, taxPercent: 19 },
      ],
      taxes: [
        { percent: 19, net: 88.15, tax: 16.75 },
        { percent: 7, net: 45, tax: 3.15 },
      ],
    });
    const calculation = await client.get(`/api/invoices/${getCreatedId(response)}/calculation`);
    expect(JSON.stringify(getData(calculation))).toContain('92.5 − 9.25 + 4.9');
  });

  test('states the discount for early payment with its date and amounts, also when a draft is issued', async () => {
    const body = { issueDate: '2026-01-05', lines: [{ productId, quantity: 1, unitPrice: 100 }] };
    const wrong = await issue({ ...body, earlyPaymentDiscount: { percent: 0, days: 400 } });
    expect(wrong.body['errors']).toEqual([
      'earlyPaymentDiscount.percent: must be above 0 and below 100',
      'earlyPaymentDiscount.days: must be a whole number of days, 0 to 365',
    ]);
    const draft = getData(await issue({ ...body, draft: true, earlyPaymentDiscount: { percent: 2, days: 14 } }));
    const stated = { percent: 2, days: 14, until: '2026-01-19', amount: 2.38, payable: 116.62 };
    expect(draft).toMatchObject({ grandTotal: 119, earlyPaymentDiscount: stated });
    const path = `/api/invoices/${String(draft['id'])}`;
    expect(getData(await client.put(path, draft))).toMatchObject({ earlyPaymentDiscount: stated });
    expect((await client.put(path, { issueDate: null })).status).toBe(200);
    const issued = getData(await client.post(`${path}/issue`, undefined));
    expect(issued).toMatchObject({ status: 'issued', open: 119, earlyPaymentDiscount: { days: 14, payable: 116.62 } });
    expect(String(issued['issueDate']) < (issued['earlyPaymentDiscount'] as { until: string }).until).toBe(true);
  });

  test('names the discounts, charges and lines that are wrong', async () => {
    const wrong = await issue({
      dueDate: '2020-01-01',
      lines: [{ quantity: 1 }, freeLine({ adjustments: [{ type: 'discount' }] })],
      adjustments: [
        { type: 'discount', percent: 5, amount: 1 },
        { type: 'charge', amount: 1, taxRateId: 999 },
      ],
    });
    expect([wrong.status, wrong.body['errors']]).toEqual([
      400,
      [
        'lines[0].productId: is required, unless the line has description and unitPrice',
        'lines[1].adjustments[0]: needs either percent or amount',
        'adjustments[0]: needs either percent or amount',
        'adjustments[1].taxRateId: is not a tax rate of the company',
        expect.stringContaining('dueDate: must not be before the issue date'),
      ],
    ]);
    const beyond = await issue({ lines: [freeLine()], adjustments: [{ type: 'discount', amount: 50.01 }] });
    expect([beyond.status, beyond.body['errors']]).toEqual([
      400,
      ['adjustments: discounts must not exceed the lines taxed at 7 %'],
    ]);
  });

  test('is credited with its discounts and charges: partly in proportion, altogether exactly', async () => {
    const invoiceId = getCreatedId(
      await issue({
        lines: [{ productId, quantity: 3, unitPrice: 33.33 }, freeLine()],
        adjustments: [
          { type: 'discount', amount: 10 },
          { type: 'charge', amount: 3.33, reason: 'Freight', taxRateId: standardRateId },
        ],
      }),
    );
    const invoice = getData(await client.get(`/api/invoices/${invoiceId}`));
    const first = await client.post('/api/credit-notes', {
      invoiceId,
      reason: 'One returned',
      lines: [{ invoiceLineId: 1, quantity: 1 }],
    });
    expectDocumented('post', '/api/credit-notes', first);
    // 33.33 less a third of 6.67, plus a third of 3.33
    expect(getData(first)).toMatchObject({ total: 32.22, adjustments: [{ amount: 2.22 }, { amount: 1.11 }] });
    const rest = getData(await client.post('/api/credit-notes', { invoiceId, reason: 'The rest' }));
    for (const name of ['total', 'taxTotal', 'grandTotal'])
      expect(Number(getData(first)[name]) + Number(rest[name])).toBeCloseTo(Number(invoice[name]), 10);
    expect(getData(await client.get(`/api/invoices/${invoiceId}`))).toMatchObject({ status: 'credited', open: 0 });
  });

  test('as a draft keeps them when it is sent back as it was read', async () => {
    const body = {
      draft: true,
      lines: [
        freeLine({ adjustments: [{ type: 'discount', percent: 50 }] }),
        { productId, quantity: 1, unitPrice: 10 },
      ],
      adjustments: [{ type: 'discount', amount: 1 }],
    };
    const draft = getData(await issue(body));
    expect(draft).toMatchObject({ total: 34, adjustments: [{ amount: 0.71 }, { amount: 0.29 }] });
    const path = `/api/invoices/${String(draft['id'])}`;
    const same = await client.put(path, draft);
    expectDocumented('put', '/api/invoices/:id', same);
    expect(getData(same)).toMatchObject({ total: 34, adjustments: draft['adjustments'] });
    const [line] = draft['lines'] as object[];
    expect(getData(await client.put(path, { lines: [line] }))).toMatchObject({
      total: 24,
      adjustments: [{ amount: 1 }],
    });
    const without = await client.put(path, { adjustments: null, lines: [{ ...line, adjustments: [] }] });
    expect(getData(without)).toMatchObject({ total: 50, adjustments: [] });
    expect(getData(await client.post(`${path}/issue`, undefined))).toMatchObject({ status: 'issued', total: 50 });
  });

  test('moves stock for goods only, and every invariant holds', async () => {
    const goods = await addProduct(client, { initialStock: { quantity: 5, unitCost: 1 } });
    const invoiceId = getCreatedId(await issue({ lines: [{ productId: goods, quantity: 2 }, freeLine()] }));
    await client.post('/api/credit-notes', { invoiceId, reason: 'Returned', restock: true });
    expect(getData(await client.get(`/api/products/${goods}`))).toMatchObject({ stock: 5 });
    const report = await client.post('/api/admin/invariants', undefined);
    expect([report.status, getData(report)['violations']]).toEqual([200, 0]);
  });
});
