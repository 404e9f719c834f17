import { ApiKey } from '../../../../models/platform/access/api-key';
import { Audit } from '../../../../models/platform/audit/audit';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';
import {
  addCustomer,
  createBusinessClient,
  createClientWithToken,
  getData,
  getCreatedId,
  getRows,
  signIn,
} from '../../../support/business/client';
import { listErrorFields } from '../../../support/business/rejections';
import type { BusinessClient } from '../../../support/business/client';

let client: BusinessClient;
let sales: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient();
  sales = createClientWithToken(client.tenant, (await signIn(await client.tenant.createUserWithRole('sales'))).token);
});
afterAll(closeTestPlatform);

const LEADS_PATH = '/api/crm/leads';
const OPPORTUNITIES_PATH = '/api/crm/opportunities';

const addLead = async (fields: object = {}): Promise<number> =>
  getCreatedId(await sales.post(LEADS_PATH, { name: 'Kim Larsen', ...fields }));
const addOpportunity = async (fields: object = {}): Promise<number> =>
  getCreatedId(await sales.post(OPPORTUNITIES_PATH, { name: 'Deal', ...fields }));
const moveStage = (owner: BusinessClient, id: number, body: object) =>
  owner.put(`${OPPORTUNITIES_PATH}/${id}/stage`, body);

describe('leads', () => {
  test('only the name is required; a response can be sent back as it is; search and filters find the lead', async () => {
    const created = await sales.post(LEADS_PATH, { name: 'Søren Quist', companyName: 'Quist & Co', source: 'fair' });
    const id = getCreatedId(created);
    expect(getData(created)).toMatchObject({ status: 'new', customerId: null, lostReason: null });
    const read = getData(await sales.get(`${LEADS_PATH}/${id}`));
    expect((await sales.put(`${LEADS_PATH}/${id}`, { ...read, status: 'contacted' })).status).toBe(200);
    expect(getRows(await sales.get(`${LEADS_PATH}?search=quist`)).map((row) => row['id'])).toEqual([id]);
    expect(getRows(await sales.get(`${LEADS_PATH}?status=contacted&search=soren`)).map((row) => row['id'])).toEqual([
      id,
    ]);
    expect((await sales.get(`${LEADS_PATH}?status=new&search=quist`)).body['totalCount']).toBe(0);
  });

  test.each([
    [{}, 'name'],
    [{ name: 'A', email: 'nobody' }, 'email'],
    [{ name: 'A', status: 'hot' }, 'status'],
    [{ name: 'A', status: 'converted' }, 'status'],
    [{ name: 'A', status: 'lost' }, 'status'],
    [{ name: 'A', ownerId: 999 }, 'ownerId'],
    [{ name: 'A', customerId: 1 }, 'customerId'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await sales.post(LEADS_PATH, json);
    expect([response.status, listErrorFields(response)]).toEqual([400, [field]]);
  });

  test('a lead is lost with a reason and reopened by setting an open status', async () => {
    const id = await addLead();
    expect((await sales.post(`${LEADS_PATH}/${id}/lose`, {})).status).toBe(400);
    expect(getData(await sales.post(`${LEADS_PATH}/${id}/lose`, { reason: 'No budget' }))).toMatchObject({
      status: 'lost',
      lostReason: 'No budget',
    });
    const again = getData(await sales.post(`${LEADS_PATH}/${id}/lose`, { reason: 'Other' }));
    expect(again['lostReason']).toBe('No budget');
    expect((await sales.post(`${LEADS_PATH}/${id}/convert`, {})).body['code']).toBe('lead_lost');
    expect(getData(await sales.put(`${LEADS_PATH}/${id}`, { status: 'qualified' }))).toMatchObject({
      status: 'qualified',
      lostReason: null,
    });
  });

  test('converting creates a customer and an opportunity that refer to each other, once', async () => {
    const id = await addLead({ companyName: 'Nordlicht AG', email: 'kim@nordlicht.example' });
    const body = {
      customer: { taxId: 'DE123456789' },
      opportunity: { amount: 12_500.5, expectedCloseDate: '2027-01-31' },
    };
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => sales.post(`${LEADS_PATH}/${id}/convert`, body)),
    );
    const won = responses.filter((response) => response.status === 200);
    expect(won).toHaveLength(1);
    expect(
      new Set(responses.filter((response) => response.status !== 200).map((answer) => answer.body['code'])),
    ).toEqual(new Set(['lead_converted']));
    const { lead, customer, opportunity } = getData(won[0] ?? ({ body: {} } as never)) as Record<
      string,
      Record<string, unknown>
    >;
    expect(customer).toMatchObject({ name: 'Nordlicht AG', email: 'kim@nordlicht.example', taxId: 'DE123456789' });
    expect(opportunity).toMatchObject({
      name: 'Nordlicht AG',
      customerId: customer?.['id'],
      leadId: id,
      stage: 'prospecting',
      amount: 12_500.5,
      currencyCode: 'EUR',
    });
    expect(lead).toMatchObject({
      status: 'converted',
      customerId: customer?.['id'],
      opportunityId: opportunity?.['id'],
    });
    expect((await sales.get('/api/customers?search=nordlicht')).body['totalCount']).toBe(1);
    expect((await sales.get(`${OPPORTUNITIES_PATH}?search=nordlicht`)).body['totalCount']).toBe(1);
    expect((await sales.put(`${LEADS_PATH}/${id}`, { name: 'Changed' })).body['code']).toBe('lead_converted');
    const actions = await Audit.find({ organisationId: client.tenant.organisationId, subject: `lead:${id}` }).lean();
    expect(actions.map((row) => row.action).sort()).toEqual(['lead.converted', 'lead.created']);
  });

  test.each([
    ['is that of the lead', {}, (owner: number) => owner],
    ['is none if null is sent', { ownerId: null }, () => null],
  ])('the owner of an opportunity that is converted from a lead %s', async (_, opportunity, expected) => {
    const users = getRows(await client.get('/api/admin/users'));
    const owner = Number(users[0]?.['id']);
    const id = await addLead({ ownerId: owner });
    const converted = getData(await sales.post(`${LEADS_PATH}/${id}/convert`, { opportunity }));
    expect(converted['opportunity']).toMatchObject({ leadId: id, ownerId: expected(owner) });
  });

  test('a failed conversion changes nothing', async () => {
    await addCustomer(client, { code: 'TAKEN' });
    const id = await addLead({ companyName: 'Unlucky Ltd' });
    const rejected = await sales.post(`${LEADS_PATH}/${id}/convert`, { customer: { code: 'TAKEN' } });
    expect([rejected.status, rejected.body['code']]).toEqual([409, 'code_taken']);
    expect(getData(await sales.get(`${LEADS_PATH}/${id}`))).toMatchObject({ status: 'new', customerId: null });
    expect((await sales.get('/api/customers?search=unlucky')).body['totalCount']).toBe(0);
    expect((await sales.get(`${OPPORTUNITIES_PATH}?search=unlucky`)).body['totalCount']).toBe(0);
  });

  test('an existing customer can be named instead, and a repeat with the same key has the same response', async () => {
    const customerId = await addCustomer(client);
    const id = await addLead();
    const headers = { 'idempotency-key': `convert-${id}` };
    const first = await sales.post(`${LEADS_PATH}/${id}/convert`, { customerId }, headers);
    expect(getData(first)).toMatchObject({ customer: { id: customerId }, opportunity: { customerId } });
    const repeat = await sales.post(`${LEADS_PATH}/${id}/convert`, { customerId }, headers);
    expect([repeat.status, getData(repeat)]).toEqual([200, getData(first)]);
    const other = await addLead();
    expect(listErrorFields(await sales.post(`${LEADS_PATH}/${other}/convert`, { customerId: 99_999 }))).toEqual([
      'customerId',
    ]);
    expect(
      listErrorFields(await sales.post(`${LEADS_PATH}/${other}/convert`, { customerId, customer: { name: 'A' } })),
    ).toEqual(['customer']);
  });

  test('creating a customer also requires the permission for customers', async () => {
    const key = await client.tenant.createBusinessKey(['crm:update']);
    const id = await addLead();
    const rejected = await call('POST', `${LEADS_PATH}/${id}/convert`, { key, json: {} });
    expect([rejected.status, String(rejected.body['message'])]).toEqual([
      403,
      expect.stringContaining('customers:create'),
    ]);
    const customerId = await addCustomer(client);
    expect((await call('POST', `${LEADS_PATH}/${id}/convert`, { key, json: { customerId } })).status).toBe(200);
  });
});

describe('opportunities', () => {
  test('move forward by any number of stages and record who moved them, when and why', async () => {
    const id = await addOpportunity({ amount: 100 });
    expect((await moveStage(sales, id, { stage: 'qualified' })).status).toBe(200);
    expect((await moveStage(sales, id, { stage: 'negotiation' })).status).toBe(200);
    expect((await moveStage(sales, id, { stage: 'proposal', reason: 'New terms' })).status).toBe(200);
    expect((await moveStage(sales, id, { stage: 'proposal' })).status).toBe(200);
    const detail = getData(await sales.get(`${OPPORTUNITIES_PATH}/${id}`));
    const history = detail['history'] as Record<string, unknown>[];
    expect(history.map((entry) => [entry['from'], entry['to'], entry['reason']])).toEqual([
      [null, 'prospecting', null],
      ['prospecting', 'qualified', null],
      ['qualified', 'negotiation', null],
      ['negotiation', 'proposal', 'New terms'],
    ]);
    expect(new Set(history.map((entry) => entry['by']))).toHaveProperty('size', 1);
    expect(new Set(history.map((entry) => entry['byName']))).toEqual(new Set(['Test sales']));
    expect(detail).toMatchObject({ stage: 'proposal', closedAt: null });
  });

  test('name the API key that moved them, until it is deleted', async () => {
    const id = await addOpportunity();
    const key = await client.tenant.createBusinessKey(['crm:update']);
    const moved = getData(
      await call('PUT', `${OPPORTUNITIES_PATH}/${id}/stage`, { key, json: { stage: 'qualified' } }),
    );
    const [, last] = moved['history'] as Record<string, unknown>[];
    expect(last).toMatchObject({ to: 'qualified', by: expect.stringMatching(/^key_/) as string, byName: 'Test' });
    await ApiKey.deleteOne({ _id: String(last?.['by']) });
    const { history } = getData(await sales.get(`${OPPORTUNITIES_PATH}/${id}`));
    expect(history).toMatchObject([{ byName: 'Test sales' }, { by: last?.['by'], byName: null }]);
  });

  test('missing fields and transitions that are not allowed are named, and the stage does not change', async () => {
    const id = await addOpportunity();
    await moveStage(sales, id, { stage: 'negotiation' });
    expect(listErrorFields(await moveStage(sales, id, { stage: 'proposal' }))).toEqual(['reason']);
    expect(listErrorFields(await moveStage(sales, id, { stage: 'lost' }))).toEqual(['lostReason']);
    const far = await moveStage(sales, id, { stage: 'prospecting', reason: 'Back' });
    expect([far.status, far.body['code']]).toEqual([409, 'stage_transition_refused']);
    expect(far.body['message']).toContain('proposal');
    expect(listErrorFields(await moveStage(sales, id, { stage: 'done' }))).toEqual(['stage']);
    expect(listErrorFields(await moveStage(sales, id, {}))).toEqual(['stage']);
    expect(getData(await sales.get(`${OPPORTUNITIES_PATH}/${id}`))).toMatchObject({ stage: 'negotiation' });
  });

  test('the outcome of a closed opportunity cannot change until it is reopened; its name and notes can', async () => {
    const customerId = await addCustomer(client);
    const id = await addOpportunity({ amount: 100, customerId, expectedCloseDate: '2030-01-31' });
    await moveStage(sales, id, { stage: 'won' });
    const path = `${OPPORTUNITIES_PATH}/${id}`;
    const changes = { amount: 999_999, customerId: null, currencyCode: 'USD', expectedCloseDate: null };
    for (const [field, value] of Object.entries(changes)) {
      const refused = await sales.put(path, { [field]: value });
      expect([refused.status, refused.body['code']]).toEqual([409, 'opportunity_closed']);
      expect(listErrorFields(refused)).toEqual([field]);
    }
    const kept = { amount: 100, customerId, expectedCloseDate: '2030-01-31' };
    const noted = await sales.put(path, { ...kept, name: 'Signed', notes: 'Call in spring' });
    expect(getData(noted)).toMatchObject({ ...kept, name: 'Signed', notes: 'Call in spring', stage: 'won' });
    await moveStage(client, id, { stage: 'negotiation', reason: 'Changed their mind' });
    expect(getData(await sales.put(path, { amount: 90 }))).toMatchObject({ amount: 90 });
  });

  test.each([
    ['won', {}],
    ['lost', { lostReason: 'Too dear' }],
  ])('%s is final, except for an administrator with a reason', async (stage, reasonFields) => {
    const id = await addOpportunity();
    const closed = await moveStage(sales, id, { stage, ...reasonFields });
    expect(getData(closed)).toMatchObject({ stage, closedAt: expect.any(String) as string });
    const rejected = await moveStage(sales, id, { stage: 'proposal', reason: 'Again' });
    expect([rejected.status, String(rejected.body['message'])]).toEqual([
      403,
      expect.stringContaining('administrator'),
    ]);
    expect(listErrorFields(await moveStage(client, id, { stage: 'proposal' }))).toEqual(['reason']);
    expect(getData(await moveStage(client, id, { stage: 'proposal', reason: 'Signed after all' }))).toMatchObject({
      stage: 'proposal',
      closedAt: null,
      lostReason: null,
    });
  });

  test('each of several concurrent moves starts from the stage that the move before has set', async () => {
    const id = await addOpportunity();
    const responses = await Promise.all(
      ['qualified', 'proposal', 'negotiation', 'won'].map((stage) => moveStage(sales, id, { stage })),
    );
    expect(responses.every((response) => [200, 400, 403, 409].includes(response.status))).toBe(true);
    const detail = getData(await sales.get(`${OPPORTUNITIES_PATH}/${id}`));
    const history = detail['history'] as Record<string, unknown>[];
    history.slice(1).forEach((entry, index) => expect(entry['from']).toBe(history[index]?.['to']));
    expect(history.at(-1)?.['to']).toBe(detail['stage']);
    expect(history).toHaveLength(1 + responses.filter((response) => response.status === 200).length);
  });

  test('are updated except for the stage, filtered and sorted', async () => {
    const customerId = await addCustomer(client);
    const small = await addOpportunity({ name: 'Small', customerId, amount: 5 });
    const large = await addOpportunity({ name: 'Large', customerId, amount: 500, currencyCode: 'USD' });
    const sorted = await sales.get(`${OPPORTUNITIES_PATH}?customerId=${customerId}&sortBy=amount&sortDir=desc`);
    expect(getRows(sorted).map((row) => row['id'])).toEqual([large, small]);
    await moveStage(sales, large, { stage: 'won' });
    expect(
      getRows(await sales.get(`${OPPORTUNITIES_PATH}?customerId=${customerId}&stage=won`)).map((row) => row['id']),
    ).toEqual([large]);
    const read = getData(await sales.get(`${OPPORTUNITIES_PATH}/${small}`));
    expect(getData(await sales.put(`${OPPORTUNITIES_PATH}/${small}`, { ...read, amount: 7.25 }))).toMatchObject({
      amount: 7.25,
    });
    expect(listErrorFields(await sales.put(`${OPPORTUNITIES_PATH}/${small}`, { stage: 'won' }))).toEqual(['stage']);
    const stale = await sales.put(`${OPPORTUNITIES_PATH}/${small}`, { amount: 1 }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
  });

  test.each([
    [{}, 'name'],
    [{ name: 'A', customerId: 99_999 }, 'customerId'],
    [{ name: 'A', ownerId: 99_999 }, 'ownerId'],
    [{ name: 'A', amount: '5' }, 'amount'],
    [{ name: 'A', amount: -5 }, 'amount'],
    [{ name: 'A', currencyCode: 'eur' }, 'currencyCode'],
    [{ name: 'A', expectedCloseDate: '2027-02-30' }, 'expectedCloseDate'],
    [{ name: 'A', stage: 'won' }, 'stage'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await sales.post(OPPORTUNITIES_PATH, json);
    expect([response.status, listErrorFields(response)]).toEqual([400, [field]]);
  });
});

describe('vendors', () => {
  test('only the name is required; a dry run creates nothing; bank details are checked', async () => {
    const dryRun = await client.post('/api/vendors?dryRun=true', { name: 'Trial' });
    expect([dryRun.status, getData(dryRun)['id']]).toEqual([200, null]);
    const created = await client.post('/api/vendors', { name: 'Süddraht', iban: 'de89 3704 0044 0532 0130 00' });
    const id = getCreatedId(created);
    expect(getData(created)).toMatchObject({ code: `V${id}`, iban: 'DE89370400440532013000', active: true });
    expect((await client.get('/api/vendors?active=all')).body['totalCount']).toBe(1);
    const read = getData(await client.get(`/api/vendors/${id}`));
    expect(getData(await client.put(`/api/vendors/${id}`, { ...read, address: { city: 'Ulm' } }))).toMatchObject({
      address: { city: 'Ulm', country: null },
    });
    expect(listErrorFields(await client.put(`/api/vendors/${id}`, { iban: 'DE00', bic: 'X' }))).toEqual([
      'iban',
      'bic',
    ]);
    expect(getRows(await client.get('/api/vendors?search=suddraht')).map((row) => row['id'])).toEqual([id]);
  });

  test('a code is unique, an inactive vendor is hidden, and a stale If-Match is rejected', async () => {
    const own = await createBusinessClient();
    const responses = await Promise.all([1, 2, 3].map(() => own.post('/api/vendors', { name: 'Twin', code: 'TWIN' })));
    expect(responses.map((response) => response.status).sort()).toEqual([201, 409, 409]);
    expect((await own.post('/api/vendors?dryRun=true', { name: 'Twin', code: 'TWIN' })).body['code']).toBe(
      'code_taken',
    );
    const [vendor] = getRows(await own.get('/api/vendors'));
    const path = `/api/vendors/${String(vendor?.['id'])}`;
    expect((await own.put(path, { active: false })).status).toBe(200);
    expect((await own.get('/api/vendors')).body['totalCount']).toBe(0);
    expect((await own.put(path, { active: true }, { 'if-match': '"1"' })).status).toBe(412);
  });

  test.each([
    [{}, 'name'],
    [{ name: 'A', email: 'nobody' }, 'email'],
    [{ name: 'A', paymentTerms: 'SOON' }, 'paymentTerms'],
    [{ name: 'A', currencyCode: 'XAU' }, 'currencyCode'],
    [{ name: 'A', iban: 'DE89370400440532013001' }, 'iban'],
    [{ name: 'A', creditLimit: 5 }, 'creditLimit'],
  ])('%j is 400 naming %s', async (json, field) => {
    const response = await client.post('/api/vendors', json);
    expect([response.status, listErrorFields(response)]).toEqual([400, [field]]);
  });
});
