import mongoose from 'mongoose';
import { Audit } from '../../../../models/platform/audit/audit';
import { createBusinessClient } from '../../../support/business/client';
import { getDownloadPath, requestExport, waitForExport } from '../../../support/business/exports';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';

let own: OwnApi;
beforeAll(async () => {
  own = await startOwnApi();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

test('a download that cannot be audited is refused, and its connection to the object store is closed', async () => {
  const { token } = await createBusinessClient();
  const { id } = await requestExport({ token }, { resource: 'customers', format: 'csv' });
  const path = getDownloadPath(await waitForExport({ token }, id, ({ download }) => download !== null));
  const { objects } = own.platform;
  const stream = jest.spyOn(objects, 'stream');
  const stepsDown = new mongoose.mongo.MongoServerError({ message: 'interrupted', code: 11602, errorLabels: [] });
  const audit = jest.spyOn(Audit, 'insertMany').mockRejectedValue(stepsDown);
  const refused = await call('GET', path, { api: own.url });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  const opened: unknown = await stream.mock.results[0]?.value;
  expect(opened).toHaveProperty('destroyed', true);
  audit.mockRestore();
  expect((await call('GET', path, { api: own.url })).status).toBe(200);
});
