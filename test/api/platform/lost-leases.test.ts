import mongoose from 'mongoose';
import { Customer } from '../../../models/business/parties/customer';
import { Idempotency } from '../../../models/platform/transactions/idempotency';
import { createBusinessClient, getData } from '../../support/business/client';
import { startOwnApi } from '../../support/business/own-api';
import type { OwnApi } from '../../support/business/own-api';
import { call, getApiUrl } from '../../support/client';
import { closeTestPlatform } from '../../support/tenant';

let own: OwnApi;
beforeAll(async () => {
  own = await startOwnApi();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

type Insert = (...options: unknown[]) => Promise<unknown>;

const steppedDown = () =>
  new mongoose.mongo.MongoServerError({ message: 'operation was interrupted', code: 11602, errorLabels: [] });

/** Replaces the next insertion of an Idempotency-Key. */
function replaceNextInsertion(replace: (insert: () => Promise<unknown>) => Promise<unknown>): void {
  const collections = mongoose.mongo.Collection.prototype;
  const insertOne = Object.getOwnPropertyDescriptor(collections, 'insertOne')?.value as Insert;
  let replaced = false;
  jest.spyOn(collections, 'insertOne').mockImplementation(async function (
    this: mongoose.mongo.Collection,
    ...options: unknown[]
  ) {
    const insert = () => insertOne.apply(this, options);
    if (replaced || this.collectionName !== Idempotency.collection.collectionName) return (await insert()) as never;
    replaced = true;
    return (await replace(insert)) as never;
  });
}

/**
 * Sends a request twice with the same key; `between` runs after the first response.
 * @param repeatedTo the process that gets the second one
 */
async function createCustomerTwice(between: () => Promise<unknown> = () => Promise.resolve(), repeatedTo = own.url) {
  const { token, tenant } = await createBusinessClient();
  const send = (api: string) =>
    call('POST', '/api/customers', {
      api,
      token,
      json: { name: 'Nordlicht AG' },
      headers: { 'idempotency-key': 'customer-1' },
    });
  const first = await send(own.url);
  await between();
  const repeated = await send(repeatedTo);
  const count = await Customer.countDocuments({ organisationId: tenant.organisationId });
  return { first, repeated, count };
}

test('a request whose key was stored without an acknowledgement is accepted when it is repeated', async () => {
  replaceNextInsertion(async (insert) => {
    await insert();
    throw steppedDown();
  });
  const { first, repeated, count } = await createCustomerTwice();
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  expect([repeated.status, getData(repeated)['name'], count]).toEqual([201, 'Nordlicht AG', 1]);
});

test('a key that the database stores only after the request has failed does not block the repeated request', async () => {
  let store: () => Promise<unknown> = () => Promise.resolve();
  replaceNextInsertion((insert) => {
    store = insert;
    return Promise.reject(steppedDown());
  });
  const { first, repeated, count } = await createCustomerTwice(() => store());
  expect([first.status, repeated.status, count]).toEqual([503, 201, 1]);
});

test('a key that the database stores late does not block the request when another process gets the repetition', async () => {
  let store: () => Promise<unknown> = () => Promise.resolve();
  replaceNextInsertion((insert) => {
    store = insert;
    return Promise.reject(steppedDown());
  });
  const { first, repeated, count } = await createCustomerTwice(() => store(), getApiUrl());
  expect([first.status, repeated.status, count]).toEqual([503, 201, 1]);
});
