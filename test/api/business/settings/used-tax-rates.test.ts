import mongoose from 'mongoose';
import { Decimal } from '../../../../domain/business/decimal';
import { KeyedLocks } from '../../../../lib/keyed-locks';
import { SalesOrder } from '../../../../models/business/orders/sales-order';
import { PurchaseOrder } from '../../../../models/business/purchasing/purchase-order';
import { createSalesOrder } from '../../../../services/business/orders/sales-orders';
import { recordBill } from '../../../../services/business/purchasing/bills';
import { createOrder } from '../../../../services/business/purchasing/orders';
import { addCustomer, addProduct, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { readCaller } from '../../../support/business/caller';

/** Records that name a tax rate only by its id keep the percentage that they were calculated with. */

const today = new Date().toISOString().slice(0, 10);
let client: BusinessClient;
let customerId: number;
let vendorId: number;
let productId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Used rates');
  customerId = await addCustomer(client);
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
  productId = await addProduct(client, { initialStock: { quantity: 10, unitCost: 6 } });
});
afterEach(() => jest.restoreAllMocks());
afterAll(closeTestPlatform);

const addRate = async (): Promise<number> =>
  getCreatedId(await client.post('/api/config/tax-rates', { name: 'Rate', category: 'S', percent: 19 }));
const changePercent = async (id: number, percent = 7): Promise<unknown[]> => {
  const { status, body } = await client.put(`/api/config/tax-rates/${id}`, { percent });
  return status === 200 ? [status] : [status, body['code']];
};
type Insert = (...options: unknown[]) => Promise<unknown>;
const REFUSED = [409, 'tax_rate_in_use'];

test.each(['draft', 'confirmed'])('the rate of a sales order that is %s keeps its percentage', async (status) => {
  const taxRateId = await addRate();
  const lines = [{ productId, quantity: 1, taxRateId }];
  const id = getCreatedId(await client.post('/api/sales-orders', { customerId, lines }));
  if (status === 'confirmed') expect((await client.post(`/api/sales-orders/${id}/confirm`, {})).status).toBe(200);
  expect(await changePercent(taxRateId)).toEqual(REFUSED);
});

test('orders with one rate at the same time do not refuse each other', async () => {
  const taxRateId = await addRate();
  const lines = [{ productId, quantity: 1, taxRateId }];
  const responses = await Promise.all(
    Array.from({ length: 16 }, () => client.post('/api/sales-orders', { customerId, lines })),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
});

describe('of a rate that changes while a record with it is computed', () => {
  const one = new Decimal(1);
  const buildBill = (type: 'bill' | 'credit_note', taxRateId: number) => {
    const lines = [{ description: 'Work', quantity: one, unitCost: new Decimal(100), taxRateId }];
    return { type, vendorId, number: `${type}-${taxRateId}`, date: today, lines };
  };

  test.each(['bill', 'credit_note'] as const)('a %s has the new percentage', async (type) => {
    const taxRateId = await addRate();
    const run = KeyedLocks.prototype.run.bind(new KeyedLocks());
    jest.spyOn(KeyedLocks.prototype, 'run').mockImplementationOnce(async (key, work) => {
      expect(await changePercent(taxRateId)).toEqual([200]);
      return run(key, work);
    });
    const { taxTotal } = await recordBill(
      { platform: await getTestPlatform(), caller: await readCaller(client), use: undefined },
      buildBill(type, taxRateId),
    );
    expect(taxTotal.toString()).toBe('7');
    expect(await changePercent(taxRateId, 5)).toEqual(REFUSED);
  });

  /** Changes the percentage of a rate to 7 before the next record of a collection is inserted. */
  function changeBeforeInsertion(collectionName: string, taxRateId: number): void {
    const collections = mongoose.mongo.Collection.prototype;
    const insertOne = Object.getOwnPropertyDescriptor(collections, 'insertOne')?.value as Insert;
    let isChanged = false;
    jest.spyOn(collections, 'insertOne').mockImplementation(async function (
      this: mongoose.mongo.Collection,
      ...options: unknown[]
    ) {
      if (!isChanged && this.collectionName === collectionName) {
        isChanged = true;
        expect(await changePercent(taxRateId)).toEqual([200]);
      }
      return (await insertOne.apply(this, options)) as never;
    });
  }

  test('a purchase order has the new percentage', async () => {
    const taxRateId = await addRate();
    changeBeforeInsertion(PurchaseOrder.collection.collectionName, taxRateId);
    const lines = [{ productId, quantity: one, unitCost: new Decimal(100), taxRateId }];
    const order = await createOrder(await getTestPlatform(), await readCaller(client), { vendorId, lines }, undefined);
    expect(order.taxTotal.toString()).toBe('7');
  });

  test('a sales order has the new percentage', async () => {
    const taxRateId = await addRate();
    changeBeforeInsertion(SalesOrder.collection.collectionName, taxRateId);
    const lines = [{ productId, quantity: one, unitPrice: new Decimal(100), taxRateId }];
    const input = { customerId, lines };
    const order = await createSalesOrder(
      { platform: await getTestPlatform(), caller: await readCaller(client), use: undefined },
      input,
    );
    expect(order.taxTotal.toString()).toBe('7');
  });

  test('the change is refused once the record is committed, of several at the same time', async () => {
    for (let round = 0; round < 6; round += 1) {
      const taxRateId = await addRate();
      const lines = [{ description: 'Work', quantity: 1, unitCost: 100, taxRateId }];
      const bill = { vendorId, number: `R-${round}`, date: today, lines };
      const [billed, changed] = await Promise.all([client.post('/api/payables', bill), changePercent(taxRateId)]);
      expect(billed.status).toBe(201);
      expect(getData(billed)['taxTotal']).toBe(changed[0] === 200 ? 7 : 19);
    }
  });
});
