import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';

test('the VAT report splits a rate of several taxes into its components, also of what is written off', async () => {
  const client = await createBusinessClient();
  const components = [
    { name: 'GST', percent: 5 },
    { name: 'PST', percent: 7 },
  ];
  const rate = { name: 'British Columbia', category: 'S', percent: 12, components };
  const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
  const productId = await addService(client, { taxRateId });
  const customerId = await addCustomer(client);
  const lines = [{ productId, quantity: 1, unitPrice: 10.1 }];
  const invoice = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  const kept = getCreatedId(
    await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 3, unitPrice: 33.3 }] }),
  );
  const read = async () => (getData(await client.get('/api/reports/vat'))['periods'] as { rows: object[] }[])[0]?.rows;
  expect(await read()).toMatchObject([
    {
      percent: 12,
      net: 110,
      tax: 13.2,
      components: [
        { name: 'GST', percent: 5, net: 110, tax: 5.5 },
        { name: 'PST', percent: 7, net: 110, tax: 7.7 },
      ],
    },
  ]);
  expect((await client.post(`/api/invoices/${invoice}/void`, { reason: 'Made in error' })).status).toBe(200);
  expect(await read()).toMatchObject([
    {
      net: 99.9,
      tax: 11.99,
      components: [
        { name: 'GST', percent: 5, net: 99.9, tax: 5 },
        { name: 'PST', percent: 7, net: 99.9, tax: 6.99 },
      ],
    },
  ]);

  await client.put('/api/config/company', { writeOffLimit: 5 });
  const paid = { customerId, amount: 110.77 };
  expect((await client.post('/api/receivables/payments', paid)).status).toBe(201);
  expect((await client.post('/api/receivables/write-offs', { documentId: kept, reason: 'Bank charges' })).status).toBe(
    201,
  );
  expect(await read()).toMatchObject([
    {
      net: 98.9,
      tax: 11.87,
      components: [
        { name: 'GST', percent: 5, net: 98.9, tax: 4.95 },
        { name: 'PST', percent: 7, net: 98.9, tax: 6.92 },
      ],
    },
  ]);
});
