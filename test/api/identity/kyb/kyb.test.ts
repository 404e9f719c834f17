import { z } from 'zod';
import { kybCheckSchema } from '../../../../api/identity/kyb/kyb-responses';
import { KybCheck } from '../../../../models/identity/kyb/kyb-check';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { readHistoryTexts } from '../../../support/histories';
import { CompanyRegisters } from '../../../support/identity/company-registers';
import { buildLei } from '../../../support/identity/registers/gleif';
import { listEventTypes, parseDocumented } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { importOwnList } from '../../../support/identity/watch-lists';
import { listRiskCodes } from '../../../support/identity/risk-codes';

type Kyb = z.infer<typeof kybCheckSchema>;

const parseKyb = (response: ApiResponse, expected = 201): Kyb =>
  parseDocumented(z.object({ check: kybCheckSchema }), response, expected).check;

/** A list that has none of the companies and people below: without any, every check would go to a reviewer. */
const UNRELATED_ENTRIES = [{ id: 'N1', type: 'person', name: 'Unrelated Person' }];

const findSource = (check: Kyb, provider: string) => check.sources.find((source) => source.provider === provider);

describe('business checks', () => {
  let registers: CompanyRegisters;
  let tenant: IdentityTenant;
  beforeAll(async () => {
    registers = await CompanyRegisters.start();
    tenant = await createIdentityTenant('Business checks');
    await importOwnList(tenant.organisationId, UNRELATED_ENTRIES);
    await getTestPlatform();
  });
  afterAll(async () => {
    await registers.stop();
    await closeTestPlatform();
  });
  beforeEach(() => {
    registers.takeRequestCount('gleif');
  });

  const runCheck = async (json: object): Promise<Kyb> =>
    parseKyb(await call('POST', '/v1/kyb', { key: tenant.identityKey, json }));

  test('a company in two registers is one company with officers, owners and parents', async () => {
    const check = await runCheck({ companyName: 'Harbour Lights', country: 'GBR' });
    expect(check).toMatchObject({
      status: 'found',
      provider: 'companies_house',
      company: {
        legalName: 'HARBOUR LIGHTS LIMITED',
        registrationNumber: '01234567',
        lei: buildLei('HARBOURLIGHTS'),
        leiStatus: 'ISSUED',
        status: 'active',
        legalForm: { code: 'H0PO', name: 'Private Limited Company' },
        incorporationDate: '1988-04-12',
        registeredAddress: { lines: ['4 Quay Street'], city: 'Whitby' },
        headquarters: { lines: ['1 Head Office Lane'], city: 'York' },
      },
      parents: {
        direct: { lei: buildLei('QUAYHOLDINGS'), legalName: 'QUAY HOLDINGS PLC', exceptions: [] },
        ultimate: { lei: null, exceptions: ['NATURAL_PERSONS'] },
      },
      risks: [],
    });
    expect(check.officers).toMatchObject([
      { name: 'Edith Anne QUAYLE', kind: 'person', role: 'director', dateOfBirth: { year: 1971, month: 8, day: null } },
      { name: 'REGISTRARS LIMITED', kind: 'company', role: 'corporate-secretary' },
    ]);
    expect(check.owners).toMatchObject([
      { name: 'Edith Anne Quayle', kind: 'person', sharesPercent: { from: 25, to: 50 } },
      {
        name: 'Quay Holdings Plc',
        kind: 'company',
        sharesPercent: { from: 50, to: 75 },
        registrationNumber: '00765432',
      },
    ]);
    expect(check.sources.map(({ provider, outcome }) => [provider, outcome])).toEqual([
      ['companies_house', 'matched'],
      ['gleif', 'matched'],
    ]);
    expect(findSource(check, 'gleif')?.dataAt).toBe('2026-03-02T08:00:00Z');
  });

  test('a registration number finds the company whatever its name, and a name of another company is a risk', async () => {
    const check = await runCheck({
      companyName: 'Something Else Entirely',
      country: 'GB',
      registrationNumber: '1234567',
    });
    expect(check).toMatchObject({ status: 'review', company: { legalName: 'HARBOUR LIGHTS LIMITED' } });
    expect(listRiskCodes(check)).toContain('kyb_name_mismatch');
  });

  test('a LEI is looked up directly, and a lapsed one is a risk', async () => {
    const check = await runCheck({ companyName: 'Nordlicht Energie', lei: buildLei('NORDLICHT'), country: 'DE' });
    expect(check).toMatchObject({
      status: 'review',
      provider: 'gleif',
      company: { legalName: 'Nordlicht Energie GmbH' },
    });
    expect(listRiskCodes(check)).toEqual(['kyb_lei_lapsed']);
  });

  test('a trading name counts like the legal one', async () => {
    const check = await runCheck({ companyName: 'Northern Light Energy', country: 'DE' });
    expect(check.company?.legalName).toBe('Nordlicht Energie GmbH');
  });

  test('a dissolved company is found and requires a review', async () => {
    const check = await runCheck({ companyName: 'Faded Glory Ltd', country: 'GB' });
    expect(check).toMatchObject({ status: 'review', company: { status: 'dissolved', dissolutionDate: '2021-01-19' } });
    expect(listRiskCodes(check)).toEqual(['kyb_not_active']);
    const german = await runCheck({ companyName: 'Glashuette Sued AG', country: 'DE' });
    expect(german.status).not.toBe('found');
  });

  test('a company is found despite different diacritics and legal forms', async () => {
    const check = await runCheck({ companyName: 'Glashutte Süd Aktiengesellschaft', country: 'DE' });
    expect(check.matches[0]?.company.legalName ?? check.company?.legalName).toBe('Glashütte Süd AG');
  });

  test('several companies with equal names are listed, and none is selected', async () => {
    const check = await runCheck({ companyName: 'Sunrise Trading B.V.', country: 'NL' });
    expect(check).toMatchObject({ status: 'review', company: null, officers: [] });
    expect(check.matches.map(({ company }) => company.registrationNumber).sort()).toEqual(['111', '222']);
    const one = await runCheck({ companyName: 'Sunrise Trading B.V.', country: 'NL', registrationNumber: '222' });
    expect(one).toMatchObject({ status: 'found', company: { registrationNumber: '222' } });
    const anywhere = await runCheck({ companyName: 'Sunrise Trading B.V.', registrationNumber: '222' });
    expect(anywhere).toMatchObject({ status: 'found', company: { registrationNumber: '222' }, risks: [] });
  });

  test('a company that no register contains is not found', async () => {
    const check = await runCheck({ companyName: 'Zzyzx Unheard Of', country: 'GB' });
    expect(check).toMatchObject({ status: 'not_found', company: null, risks: [], error: null });
    expect(check.sources.every(({ status }) => status === 'answered')).toBe(true);
  });

  test('a country other than the company’s is a risk', async () => {
    const check = await runCheck({ companyName: 'Harbour Lights', country: 'FR', lei: buildLei('HARBOURLIGHTS') });
    expect(listRiskCodes(check)).toContain('kyb_country_mismatch');
  });

  describe('VAT numbers', () => {
    test('a number that VIES confirms with its name identifies the company', async () => {
      const check = await runCheck({
        companyName: 'Boulangerie du Port',
        country: 'FR',
        vatNumber: 'FR 403 032 65045',
      });
      expect(check).toMatchObject({
        status: 'found',
        provider: 'vies',
        company: { legalName: 'BOULANGERIE DU PORT SARL' },
      });
    });

    test('the prefix is optional, and Greece is EL', async () => {
      const french = await runCheck({ companyName: 'Boulangerie du Port', country: 'FR', vatNumber: '40303265045' });
      expect(french.status).toBe('found');
      registers.takeRequestCount('vies');
      await runCheck({ companyName: 'Limani', country: 'GR', vatNumber: '094259216' });
      // Verifications that other tests requested may be repeated meanwhile.
      const sent = registers.requests.find(({ body }) => body.includes('094259216'));
      expect(sent?.path).toBe('/check-vat-number');
      expect(JSON.parse(sent?.body ?? '')).toEqual({ countryCode: 'EL', vatNumber: '094259216' });
    });

    test('a state that does not disclose names leaves the name unconfirmed', async () => {
      const check = await runCheck({ companyName: 'Some GmbH', country: 'DE', vatNumber: 'DE136695976' });
      expect(check).toMatchObject({ status: 'review', provider: 'vies', company: { legalName: null } });
      expect(check.risks).toMatchObject([{ code: 'kyb_name_mismatch', details: { reason: 'name_not_disclosed' } }]);
    });

    test('an unregistered number is a risk of the company that was found', async () => {
      const check = await runCheck({ companyName: 'Nordlicht Energie GmbH', country: 'DE', vatNumber: 'DE000000000' });
      expect(check.risks).toContainEqual(
        expect.objectContaining({ code: 'kyb_identifier_mismatch', details: { field: 'vatNumber' } }),
      );
    });

    test('a state that cannot be queried is unavailable, not a wrong number', async () => {
      const check = await runCheck({ companyName: 'Zzyzx Unheard Of', country: 'IE', vatNumber: 'IE6388047V' });
      expect(check.status).toBe('review');
      expect(findSource(check, 'vies')).toMatchObject({ status: 'unavailable', reason: 'vies_ms_unavailable' });
      expect(check.risks).toMatchObject([
        { code: 'kyb_registry_unavailable', action: 'review', details: { provider: 'vies' } },
      ]);
    });
  });

  test('the organisation’s own register takes precedence, also by a number with other leading zeros', async () => {
    const own = await createIdentityTenant('Own register');
    await importOwnList(own.organisationId, UNRELATED_ENTRIES);
    const file = [
      'name,country,registrationNumber,status,officers,owners',
      'Cliffside Bakery Ltd,GB,09999999,active,Tom Reed|director,Tom Reed|100',
    ].join('\n');
    await call('POST', '/v1/registers/companies/import', {
      key: own.identityKey,
      form: { file: { body: Buffer.from(file), name: 'own.csv' } },
    });
    const check = parseKyb(
      await call('POST', '/v1/kyb', {
        key: own.identityKey,
        json: { companyName: 'cliffside bakery', country: 'GB' },
      }),
    );
    expect(check).toMatchObject({
      status: 'found',
      provider: 'register',
      company: { registrationNumber: '09999999' },
      officers: [{ name: 'Tom Reed', role: 'director' }],
      owners: [{ name: 'Tom Reed', sharesPercent: { from: 100, to: 100 } }],
    });
    const json = { companyName: 'Something Else Entirely', country: 'GB', registrationNumber: '9999999' };
    const byNumber = parseKyb(await call('POST', '/v1/kyb', { key: own.identityKey, json }));
    expect(byNumber).toMatchObject({ provider: 'register', company: { legalName: 'Cliffside Bakery Ltd' } });
  });

  test.each([
    ['no name', { country: 'GB' }, 'companyName'],
    ['an empty name', { companyName: '  ' }, 'companyName'],
    ['a country that is none', { companyName: 'A', country: 'ZZ' }, 'country'],
    ['a LEI with wrong check digits', { companyName: 'A', lei: '529900T8BM49AURSDO56' }, 'lei'],
    [
      'a number with a slash in it is compact, one with a query is not',
      { companyName: 'A', vatNumber: 'FR1?x=1' },
      'vatNumber',
    ],
    ['an unknown field', { companyName: 'A', colour: 'red' }, 'colour'],
  ])('%s is refused by name', async (_title, json, field) => {
    const response = await call('POST', '/v1/kyb', { key: tenant.identityKey, json });
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(`"field":"${field}"`);
  });

  test('without waiting the response is 202 with a Location; completion is reported by one event', async () => {
    const json = { companyName: 'Harbour Lights', country: 'GB' };
    const response = await call('POST', '/v1/kyb?wait=0', { key: tenant.identityKey, json });
    const started = parseKyb(response, 202);
    expect(started.status).toBe('processing');
    expect(response.headers.get('location')).toBe(`/v1/kyb/${started.id}`);
    const done = parseKyb(await call('GET', `/v1/kyb/${started.id}?wait=60`, { key: tenant.identityKey }), 200);
    expect(done.status).toBe('found');
    expect(await listEventTypes(started.id)).toEqual(['kyb.completed']);
  });

  test.each([
    ['Harbour Lights', 'found', 'companies_house'],
    ['Zzyzx Unheard Of', 'not_found', null],
  ])('the event of a check of %s has its status and register, and no name', async (companyName, status, provider) => {
    const check = await runCheck({ companyName, country: 'GB' });
    expect(check).toMatchObject({ status, provider });
    const { body } = await WebhookEvent.findOne({ subjectId: check.id, type: 'kyb.completed' }).orFail().lean();
    const { data } = JSON.parse(body ?? '{}') as { data?: unknown };
    expect(data).toEqual({ kybId: check.id, status, provider });
  });

  test('the same Idempotency-Key creates one check', async () => {
    const options = { key: tenant.identityKey, json: { companyName: 'Quay Holdings', country: 'GB' } };
    const headers = { 'idempotency-key': 'kyb-once' };
    const first = parseKyb(await call('POST', '/v1/kyb', { ...options, headers }));
    const second = parseKyb(await call('POST', '/v1/kyb', { ...options, headers }));
    expect(second).toEqual(first);
  });

  test('a test key reaches no register: the company’s name determines the outcome', async () => {
    const key = await tenant.createIdentityKey(['kyb:read', 'kyb:write'], { mode: 'test' });
    registers.takeRequestCount('gleif');
    const outcomes: Record<string, string> = {};
    for (const name of [
      'Any Name Ltd',
      'Sandbox Dissolved Ltd',
      'Sandbox Lapsed Ltd',
      'Sandbox Several Ltd',
      'Sandbox Listed Ltd',
      'Sandbox Missing Ltd',
      'Sandbox Unavailable Ltd',
    ]) {
      const check = parseKyb(await call('POST', '/v1/kyb', { key, json: { companyName: name } }));
      outcomes[name] = [check.status, ...listRiskCodes(check)].join(' ');
    }
    expect(outcomes).toEqual({
      'Any Name Ltd': 'found',
      'Sandbox Dissolved Ltd': 'review kyb_not_active',
      'Sandbox Lapsed Ltd': 'review kyb_lei_lapsed',
      'Sandbox Several Ltd': 'review',
      'Sandbox Listed Ltd': 'review aml_match',
      'Sandbox Missing Ltd': 'not_found',
      'Sandbox Unavailable Ltd': 'failed kyb_registry_unavailable',
    });
    // No VAT number is sent here, but verifications that other tests requested may be repeated meanwhile.
    expect(registers.requests.filter(({ register }) => register !== 'vies')).toEqual([]);
  });

  test('neither the key of a register nor a name reaches Temporal', async () => {
    const check = await runCheck({ companyName: 'Harbour Lights', country: 'GB' });
    const platform = await getTestPlatform();
    const history = await readHistoryTexts(platform.temporal.workflow.getHandle(check.id));
    expect(history).toContain(check.id);
    for (const secret of ['Harbour', 'QUAYLE', 'test-companies-house-key']) expect(history).not.toContain(secret);
  });

  test('deleting a check removes the people in it and leaves a receipt', async () => {
    const check = await runCheck({ companyName: 'Harbour Lights', country: 'GB' });
    const response = await call('DELETE', `/v1/kyb/${check.id}`, { key: tenant.identityKey });
    expect(response.status).toBe(200);
    expect(response.body['erasure']).toMatchObject({ kind: 'kyb', recordId: check.id });
    expect(await KybCheck.findById(check.id).lean()).toBeNull();
    expect((await call('GET', `/v1/kyb/${check.id}`, { key: tenant.identityKey })).status).toBe(404);
  });
});
