import type { ApiResponse } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import { addCustomer, addService, createBusinessClient, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

afterAll(closeTestPlatform);

const RECORDS = 8;
const UNKNOWN_ID = 999_999;

/** An organisation whose customers and services have the same ids as those of the other one, and names of their own. */
async function createOrganisation(name: string) {
  const client = await createBusinessClient(name);
  const records: { customerId: number; productId: number }[] = [];
  for (let index = 0; index < RECORDS; index += 1)
    records.push({
      customerId: await addCustomer(client, { name: `${name} customer ${index}` }),
      productId: await addService(client, { name: `${name} service ${index}` }),
    });
  return { name, client, records };
}

const issue = (client: BusinessClient, customerId: number, productId: number): Promise<ApiResponse> =>
  client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1 }] });

test('invoices of two organisations at the same moment have the customer and the product that each names, or an error of their own', async () => {
  const organisations = await Promise.all(['North', 'South'].map(createOrganisation));
  const [first, second] = organisations.map(({ records }) => records);
  expect(first).toEqual(second);
  const requests = organisations.flatMap(({ name, client, records }) =>
    records.map(async ({ customerId, productId }, index) => {
      const [issued, rejected] = await Promise.all([
        issue(client, customerId, productId),
        issue(client, UNKNOWN_ID + index, productId),
      ]);
      return { name, index, issued, rejected };
    }),
  );
  for (const { name, index, issued, rejected } of await Promise.all(requests)) {
    expect(issued.status).toBe(201);
    expect(getData(issued)).toMatchObject({
      customerName: `${name} customer ${index}`,
      lines: [{ description: `${name} service ${index}` }],
    });
    expect(rejected.status).toBe(400);
    expect(rejected.body).toMatchObject({ errors: ['customerId: is not a customer of the company'] });
  }
});
