import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

/** A company that sells one service with two taxes. */
async function prepareCompany() {
  const client = await createBusinessClient();
  const components = [
    { name: 'GST', percent: 5 },
    { name: 'PST', percent: 7 },
  ];
  const rate = { name: 'British Columbia', category: 'S', percent: 12, components };
  const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
  const productId = await addService(client, { taxRateId });
  const customerId = await addCustomer(client);
  const read = async () => (getData(await client.get('/api/reports/vat'))['periods'] as { rows: object[] }[])[0]?.rows;
  return { client, productId, customerId, read };
}

test('the VAT report splits a rate of several taxes into its components, also of what is written off', async () => {
  const { client, productId, customerId, read } = await prepareCompany();
  const lines = [{ productId, quantity: 1, unitPrice: 10.1 }];
  const invoice = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  const kept = getCreatedId(
    await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 3, unitPrice: 33.3 }] }),
  );
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

test('a discount for early payment is split into the components of its rate, and a credit note takes back the rest of each', async () => {
  const { client, productId, customerId, read } = await prepareCompany();
  const earlyPaymentDiscount = { percent: 2, days: 14 };
  const lines = [{ productId, quantity: 3, unitPrice: 33.3 }];
  const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines, earlyPaymentDiscount }));
  // 99.90 and 11.99, which is GST of 5.00 and PST of 6.99; 2 % of 111.89 is 2.24, of which 0.24 is tax.
  expect((await client.post('/api/receivables/payments', { customerId, amount: 109.65 })).status).toBe(201);
  expect(await read()).toMatchObject([
    {
      percent: 12,
      net: 97.9,
      tax: 11.75,
      components: [
        { name: 'GST', percent: 5, net: 97.9, tax: 4.9 },
        { name: 'PST', percent: 7, net: 97.9, tax: 6.85 },
      ],
    },
  ]);
  const note = await client.post('/api/credit-notes', { invoiceId, reason: 'Returned' });
  expect(getData(note)).toMatchObject({
    total: 97.9,
    taxTotal: 11.75,
    taxes: [
      {
        components: [
          { name: 'GST', tax: 4.9 },
          { name: 'PST', tax: 6.85 },
        ],
      },
    ],
  });
  expect(await read()).toMatchObject([
    {
      net: 0,
      tax: 0,
      components: [
        { name: 'GST', net: 0, tax: 0 },
        { name: 'PST', net: 0, tax: 0 },
      ],
    },
  ]);
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});

test('partial credit notes in another currency leave nothing of any component', async () => {
  const { client, productId, customerId, read } = await prepareCompany();
  const date = '2026-01-15';
  const rate = { currencyCode: 'USD', date, rate: 1.1 };
  expect((await client.post('/api/config/exchange-rates', rate)).status).toBe(201);
  const lines = [{ productId, quantity: 1, unitPrice: 10 }];
  const invoice = { customerId, issueDate: date, currencyCode: 'USD', lines };
  const invoiceId = getCreatedId(await client.post('/api/invoices', invoice));
  // 1.20 USD is 1.32 EUR, of which GST has 0.55; the credit notes of 0.60 USD would each have 0.28 of 0.66.
  const part = { invoiceId, reason: 'Returned', issueDate: date, lines: [{ invoiceLineId: 1, amount: 5.03 }] };
  expect((await client.post('/api/credit-notes', part)).status).toBe(201);
  const rest = { invoiceId, reason: 'Returned', issueDate: date };
  expect((await client.post('/api/credit-notes', rest)).status).toBe(201);
  const components = [
    { name: 'GST', net: 0, tax: 0 },
    { name: 'PST', net: 0, tax: 0 },
  ];
  expect(await read()).toMatchObject([{ net: 0, tax: 0, components }]);
});

test('partial credit notes leave nothing of any of three components, also if one of them takes a cent back', async () => {
  const client = await createBusinessClient();
  const percents = { State: 4, County: 2.5, City: 1.625 };
  const components = Object.entries(percents).map(([name, percent]) => ({ name, percent }));
  const rate = { name: 'Three taxes', category: 'S', percent: 8.125, components };
  const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
  const customerId = await addCustomer(client);
  const lines = [{ description: 'Repair', quantity: 1, unitPrice: 3.4, taxRateId }];
  const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  const part = { invoiceId, reason: 'Returned', lines: [{ invoiceLineId: 1, amount: 3.27 }] };
  // Of 0.27 the city has 0.06, but of the 0.28 of the invoice 0.05.
  expect((await client.post('/api/credit-notes', part)).status).toBe(201);
  expect((await client.post('/api/credit-notes', { invoiceId, reason: 'Returned' })).status).toBe(201);
  const [period] = getData(await client.get('/api/reports/vat'))['periods'] as { rows: { components: object[] }[] }[];
  expect(period?.rows[0]?.components).toHaveLength(3);
  for (const component of period?.rows[0]?.components ?? []) expect(component).toMatchObject({ net: 0, tax: 0 });
});

test.each([[[30, 30, 54.98]], [[10, 10, 10, 84.98]]])(
  'the components of a deposit add up to its own when it is paid in parts of %j',
  async (parts) => {
    const client = await createBusinessClient();
    const components = [
      { name: 'GST', percent: 5 },
      { name: 'QST', percent: 9.975 },
    ];
    const rate = { name: 'Quebec', category: 'S', percent: 14.975, components };
    const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
    const customerId = await addCustomer(client);
    const lines = [{ description: 'Deposit', quantity: 1, unitPrice: 100, taxRateId }];
    const deposit = await client.post('/api/invoices', { customerId, deposit: true, lines });
    const documentId = getCreatedId(deposit);
    const charged = [
      { name: 'GST', tax: 5 },
      { name: 'QST', tax: 9.98 },
    ];
    expect(getData(deposit)).toMatchObject({ grandTotal: 114.98, taxes: [{ components: charged }] });
    for (const amount of parts) {
      const payment = { customerId, amount, allocations: [{ documentId, amount }] };
      expect((await client.post('/api/receivables/payments', payment)).status).toBe(201);
    }
    const [period] = getData(await client.get('/api/reports/vat'))['periods'] as { rows: object[] }[];
    expect(period?.rows).toMatchObject([{ net: 100, tax: 14.98, components: charged }]);
    const invoice = { customerId, depositInvoiceIds: [documentId], lines };
    expect((await client.post('/api/invoices', invoice)).status).toBe(201);
    const [after] = getData(await client.get('/api/reports/vat'))['periods'] as { rows: object[] }[];
    expect(after?.rows).toMatchObject([{ net: 100, tax: 14.98, components: charged }]);
  },
);
