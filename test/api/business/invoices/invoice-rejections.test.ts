import { Posting } from '../../../../models/business/documents/posting';
import { closeTestPlatform } from '../../../support/tenant';
import { addCustomer, addProduct, addService, createBusinessClient, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
let customerId: number;
let serviceId: number;

beforeAll(async () => {
  client = await createBusinessClient();
  customerId = await addCustomer(client);
  serviceId = await addService(client);
});
afterAll(closeTestPlatform);

const buildLine = (over: object = {}) => ({ productId: serviceId, quantity: 1, unitPrice: 10, ...over });
const issue = (body: object) => client.post('/api/invoices', { customerId, lines: [buildLine()], ...body });

describe('rejected invoices', () => {
  test.each([
    [{ customerId: undefined }, 'customerId'],
    [{ customerId: '1' }, 'customerId'],
    [{ customerId: 0 }, 'customerId'],
    [{ customerId: 1.5 }, 'customerId'],
    [{ customerId: 9999 }, 'customerId'],
    [{ paymentTerms: 'NET31' }, 'paymentTerms'],
    [{ paymentTerms: 30 }, 'paymentTerms'],
    [{ currencyCode: 'eur' }, 'currencyCode'],
    [{ currencyCode: 'XXX' }, 'currencyCode'],
    [{ lines: undefined }, 'lines'],
    [{ lines: [] }, 'lines'],
    [{ lines: {} }, 'lines'],
    [{ lines: [7] }, 'lines[0]'],
    [{ lines: [{ quantity: 1 }] }, 'lines[0].productId'],
    [{ lines: [{ productId: 9999, quantity: 1 }] }, 'lines[0].productId'],
    [{ lines: [{ productId: 1 }] }, 'lines[0].quantity'],
    [{ lines: [{ productId: 1, quantity: 0 }] }, 'lines[0].quantity'],
    [{ lines: [{ productId: 1, quantity: -1 }] }, 'lines[0].quantity'],
    [{ lines: [{ productId: 1, quantity: '2' }] }, 'lines[0].quantity'],
    [{ lines: [{ productId: 1, quantity: 0.0000001 }] }, 'lines[0].quantity'],
    [{ lines: [{ productId: 1, quantity: 1, unitPrice: -0.01 }] }, 'lines[0].unitPrice'],
    [{ lines: [{ productId: 1, quantity: 1, unitPrice: null }] }, 'lines[0].unitPrice'],
    [{ lines: [{ productId: 1, quantity: 1, discountPercent: 101 }] }, 'lines[0].discountPercent'],
    [{ lines: [{ productId: 1, quantity: 1, taxRateId: 9999 }] }, 'lines[0].taxRateId'],
    [{ lines: [{ productId: 1, quantity: 1, priceIncludesTax: 1 }] }, 'lines[0].priceIncludesTax'],
    [{ lines: [{ productId: 1, quantity: 1, price: 1 }] }, 'lines[0].price'],
    [{ notes: 5 }, 'notes'],
    [{ notes: 'x'.repeat(2001) }, 'notes'],
    [{ issueDate: 20_260_101 }, 'issueDate'],
    [{ issueDate: '2026-02-30' }, 'issueDate'],
    [{ issueDate: '2999-01-01' }, 'issueDate'],
    [{ language: 'xx' }, 'language'],
    [{ seriesId: 999 }, 'seriesId'],
    [{ seriesId: 2 }, 'seriesId'],
    [{ number: 'INV-1' }, 'number'],
    [{ organisationId: 'org_x' }, 'organisationId'],
    [{ lines: [{ productId: 1, quantity: 1, unitPrice: 999_999_999_999.99 }] }, 'lines'],
    [{ lines: [{ productId: 1, quantity: 1_000_000, unitPrice: 1_000_000 }] }, 'lines'],
  ])('case %#: 400 naming %s', async (over, field) => {
    const response = await issue(over);
    expect(response.status).toBe(400);
    const fields = (response.body['errors'] as string[]).map((error) => error.slice(0, error.indexOf(': ')));
    expect(fields).toEqual([field]);
  });

  test('goods from an unknown warehouse', async () => {
    const productId = await addProduct(client, { initialStock: { quantity: 1 } });
    const response = await issue({ lines: [{ productId, quantity: 1, warehouseId: 9 }] });
    expect(response.body['errors']).toEqual(['lines[0].warehouseId: is not a warehouse of the company']);
  });

  test('an inactive customer', async () => {
    const own = await addCustomer(client, { active: false });
    expect((await issue({ customerId: own })).body['errors']).toEqual(['customerId: is an inactive customer']);
  });

  test('an issue date before the latest of the series, in a locked period or a closed year', async () => {
    const own = await createBusinessClient();
    const id = own.tenant.organisationId;
    const body = { customerId: await addCustomer(own), lines: [{ productId: await addService(own), quantity: 1 }] };
    const dated = (issueDate: string) => own.post('/api/invoices', { ...body, issueDate });
    expect((await dated('2025-03-01')).status).toBe(201);
    const early = await dated('2025-02-28');
    expect(early.status).toBe(409);
    expect(early.body).toMatchObject({
      code: 'issue_date_before_latest',
      errors: ['issueDate: must not be before 2025-03-01'],
    });
    await Posting.updateOne({ _id: id }, { $set: { lockedThrough: '2025-04-30' } });
    expect((await dated('2025-04-30')).body).toMatchObject({ code: 'period_locked' });
    expect((await dated('2025-05-01')).status).toBe(201);
    await Posting.updateOne({ _id: id }, { $set: { 'series.s1.years.y2025.closed': true } });
    expect((await dated('2025-06-01')).body).toMatchObject({ code: 'series_year_closed' });
    expect(getData(await dated('2026-01-01'))).toMatchObject({ number: 'INV-2026-000001' });
  });

  test('above the credit limit of the customer, but not exactly at it', async () => {
    const own = await addCustomer(client, { creditLimit: 24 });
    expect((await issue({ customerId: own, lines: [buildLine({ quantity: 3 })] })).body).toMatchObject({
      code: 'credit_limit_exceeded',
    });
    expect((await issue({ customerId: own, lines: [buildLine({ quantity: 2 })] })).status).toBe(201);
    expect((await issue({ customerId: own, lines: [buildLine({ unitPrice: 0.01 })] })).status).toBe(409);
  });
});
