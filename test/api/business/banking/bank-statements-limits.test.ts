import { buildHostileStatements } from '../../../support/business/banking/statements';
import { createBusinessClient } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient('Large statements');
});
afterAll(closeTestPlatform);

const importFile = (format: string, text: string, fields: Record<string, string> = {}): Promise<ApiResponse> =>
  call('POST', '/api/bank-statements', {
    token: client.token,
    form: { format, ...fields, file: { body: Buffer.from(text), name: 'statement', type: 'application/octet-stream' } },
  });

const MEGABYTE = 1024 * 1024;

test('files that are expensive to read are refused with the reason, and the API goes on answering', async () => {
  const mapping = JSON.stringify({ bookingDate: 'day', amount: 'sum' });
  for (const { name, format, text, reason } of buildHostileStatements(4.5 * MEGABYTE)) {
    const [response, health] = await Promise.all([
      importFile(format, text, format === 'csv' ? { mapping } : {}),
      call('GET', '/healthz'),
    ]);
    expect([name, response.status, response.body['errors'], health.status]).toEqual([
      name,
      400,
      [expect.stringMatching(new RegExp(`^file: .*${reason}`))],
      200,
    ]);
  }
});

test('a file of more than 5 MB is refused with its limit', async () => {
  const response = await importFile('mt940', 'x'.repeat(5 * MEGABYTE + 1));
  expect([response.status, response.body['errors']]).toEqual([413, ['file: accepts at most 5 MB']]);
});
