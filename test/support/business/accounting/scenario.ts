import { addDays, endOfMonth } from '../../../../domain/business/calendar';
import { addCustomer, addProduct, addService, createBusinessClient, getCreatedId, getData } from '../client';
import type { BusinessClient } from '../client';

/** A company whose books have every kind of document, with known amounts. */
export interface BooksScenario {
  client: BusinessClient;
  customerId: number;
  vendorId: number;
  /** First and last day of the month of the documents, and today. */
  month: { from: string; to: string };
  today: string;
  invoices: Record<'taxed' | 'export' | 'community' | 'reverseCharge' | 'exempt' | 'voided', number>;
}

const today = new Date().toISOString().slice(0, 10);
const lastMonth = addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
const onDay = (day: number): string => `${lastMonth}-${String(day).padStart(2, '0')}`;

async function expectOk(response: Promise<{ status: number; bytes: Buffer }>, status: number): Promise<void> {
  const { status: found, bytes } = await response;
  if (found !== status) throw new Error(`expected ${status}, got ${found}: ${bytes.toString('utf8')}`);
}

interface TaxRates {
  standard: number;
  reduced: number;
  community: number;
  reverseCharge: number;
  exported: number;
  exempt: number;
}

async function addTaxRates(client: BusinessClient): Promise<TaxRates> {
  const add = async (category: string, percent: number): Promise<number> => {
    const exemptionReason = percent === 0 ? `Reason of ${category}` : null;
    const body = { name: `Rate ${category} ${percent}`, category, percent, exemptionReason };
    return getCreatedId(await client.post('/api/config/tax-rates', body));
  };
  return {
    standard: await add('S', 19),
    reduced: await add('S', 7),
    community: await add('K', 0),
    reverseCharge: await add('AE', 0),
    exported: await add('G', 0),
    exempt: await add('E', 0),
  };
}

interface Records {
  client: BusinessClient;
  rates: TaxRates;
  goods: number;
  service: number;
  customerId: number;
  vendorId: number;
}

async function issueInvoices({ client, rates, goods, service, customerId }: Records) {
  const issue = async (issueDate: string, lines: object[], currencyCode = 'EUR'): Promise<number> =>
    getCreatedId(await client.post('/api/invoices', { customerId, issueDate, currencyCode, lines }));
  const serve = (unitPrice: number, taxRateId: number, quantity = 1) => [
    { productId: service, quantity, unitPrice, taxRateId },
  ];
  const taxed = await issue(onDay(5), [
    { productId: goods, quantity: 10, unitPrice: 20, taxRateId: rates.standard },
    ...serve(10, rates.reduced, 3),
  ]);
  const exported = await issue(onDay(6), serve(100, rates.exported), 'USD');
  const community = await issue(onDay(7), serve(500, rates.community));
  const reverseCharge = await issue(onDay(8), serve(80, rates.reverseCharge));
  const exempt = await issue(onDay(9), serve(12, rates.exempt));
  const voided = await issue(onDay(10), [{ productId: goods, quantity: 2, unitPrice: 20, taxRateId: rates.standard }]);
  await expectOk(client.post(`/api/invoices/${voided}/void`, { reason: 'Made in error' }), 200);
  const lines = [{ invoiceLineId: 1, quantity: 4 }];
  const credit = { invoiceId: taxed, reason: 'Returned', restock: true, issueDate: onDay(12), lines };
  await expectOk(client.post('/api/credit-notes', credit), 201);
  return { taxed, export: exported, community, reverseCharge, exempt, voided };
}

async function moveMoney({ client, customerId }: Records, invoices: BooksScenario['invoices']): Promise<void> {
  const pay = async (fields: object): Promise<number> =>
    getCreatedId(await client.post('/api/receivables/payments', { customerId, ...fields }));
  const toTaxed = (amount: number) => [{ documentId: invoices.taxed, amount }];
  await pay({ amount: 100, date: onDay(14), method: 'bank_transfer', allocations: toTaxed(100) });
  await pay({ amount: 50, date: onDay(15), method: 'cash', allocations: toTaxed(50) });
  const dollars = { currencyCode: 'USD', allocations: [{ documentId: invoices.export, amount: 60 }] };
  await pay({ amount: 60, date: onDay(20), method: 'bank_transfer', ...dollars });
  const unapplied = await pay({ amount: 30, date: onDay(21), method: 'bank_transfer', allocations: [] });
  const refund = { paymentId: unapplied, amount: 10, method: 'bank_transfer', date: onDay(22) };
  await expectOk(client.post('/api/receivables/refunds', refund), 201);
  const mistaken = await pay({ amount: 24, date: onDay(23), method: 'bank_transfer', allocations: toTaxed(24) });
  await expectOk(client.post(`/api/receivables/payments/${mistaken}/void`, { reason: 'Wrong customer' }), 200);
}

async function buy({ client, rates, goods, vendorId }: Records): Promise<void> {
  const orderLines = [{ productId: goods, quantity: 30, unitCost: 6, taxRateId: rates.standard }];
  const order = { vendorId, orderDate: onDay(3), lines: orderLines };
  const orderId = getCreatedId(await client.post('/api/purchase-orders', order));
  const receive = async (quantity: number): Promise<number> => {
    const body = { date: onDay(11), lines: [{ lineId: 1, quantity }] };
    const response = await client.post(`/api/purchase-orders/${orderId}/receive`, body);
    return (getData(response)['receipt'] as { id: number }).id;
  };
  const receiptId = await receive(20);
  await receive(10);
  const bill = async (number: string, fields: object): Promise<number> =>
    getCreatedId(await client.post('/api/payables', { vendorId, number, date: onDay(16), ...fields }));
  const line = (unitCost: number, taxRateId: number) => [{ description: 'Services', quantity: 1, unitCost, taxRateId }];
  const received = { productId: goods, quantity: 20, unitCost: 6.5, taxRateId: rates.standard };
  const wrong = { ...received, unitCost: 65 };
  const wrongId = await bill('B-1', { receiptIds: [receiptId], lines: [wrong] });
  const voided = { reason: 'Typing error', date: onDay(16) };
  await expectOk(client.post(`/api/payables/${wrongId}/void`, voided), 200);
  const billId = await bill('B-1', { receiptIds: [receiptId], lines: [received] });
  await bill('B-2', { lines: line(100, rates.reduced) });
  await bill('B-3', { lines: line(200, rates.community) });
  const charged = { vendorId, number: 'C-1', date: onDay(17), lines: line(500, rates.standard) };
  const chargedId = getCreatedId(await client.post('/api/payables/credit-notes', charged));
  await expectOk(client.post(`/api/payables/${chargedId}/void`, { ...voided, date: onDay(17) }), 200);
  const credit = { vendorId, number: 'C-1', date: onDay(17), lines: line(50, rates.standard) };
  await expectOk(client.post('/api/payables/credit-notes', credit), 201);
  const payment = { vendorId, amount: 154.7, date: onDay(25), method: 'bank_transfer' };
  const allocations = [{ documentId: billId, amount: 154.7 }];
  await expectOk(client.post('/api/payables/payments', { ...payment, allocations }), 201);
}

/** Creates the company with its documents, which are dated in the last month; stock moves today. */
export async function createBooks(): Promise<BooksScenario> {
  const client = await createBusinessClient('Books');
  await expectOk(client.put('/api/config/accounting', { preset: 'skr03' }), 200);
  const rates = await addTaxRates(client);
  for (const [day, rate] of [
    [1, 0.9],
    [18, 0.92],
  ] as const)
    await expectOk(client.post('/api/config/exchange-rates', { currencyCode: 'USD', date: onDay(day), rate }), 201);
  const goods = await addProduct(client, { initialStock: { quantity: 100, unitCost: 5 } });
  const service = await addService(client);
  const customerId = await addCustomer(client);
  const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Supplies Ltd' }));
  const records: Records = { client, rates, goods, service, customerId, vendorId };
  const invoices = await issueInvoices(records);
  await moveMoney(records, invoices);
  await buy(records);
  const lines = [{ productId: goods, quantityDelta: -3 }];
  await expectOk(client.post('/api/inventory/adjustments', { warehouseId: 1, reason: 'Broken', lines }), 201);
  return { client, customerId, vendorId, month: { from: onDay(1), to: endOfMonth(onDay(1)) }, today, invoices };
}
