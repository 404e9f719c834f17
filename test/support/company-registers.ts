import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { listenWhenFree } from './ports';

type Register = 'gleif' | 'companies-house' | 'vies';

/** An answer in place of the register's own: what a test lets go wrong. */
interface Fault {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A LEI with right check digits (ISO 7064 MOD 97-10) from its first 18 characters. */
export function leiOf(stem: string): string {
  const padded = stem.toUpperCase().padEnd(18, '0').slice(0, 18);
  const digits = [...`${padded}00`].map((character) => parseInt(character, 36).toString()).join('');
  return padded + String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}

const links = (value: object) => ({ links: value });

const gleifAddress = (line: string, city: string, country: string, postalCode: string) => ({
  language: 'en',
  addressLines: [line],
  addressNumber: null,
  addressNumberWithinBuilding: null,
  mailRouting: null,
  city,
  region: null,
  country,
  postalCode,
});

interface LegalEntity {
  stem: string;
  name: string;
  otherNames?: string[];
  country: string;
  registeredAs: string;
  form?: string;
  status?: 'ACTIVE' | 'INACTIVE';
  leiStatus?: string;
  expiration?: { date: string; reason: string };
  directParent?: object;
  ultimateParent?: object;
}

/** A record in the shape of GLEIF's API v1: JSON:API, attributes as in LEI-CDF 3.1. */
function gleifRecord(entity: LegalEntity): object {
  const lei = leiOf(entity.stem);
  const base = `https://api.gleif.org/api/v1/lei-records/${lei}`;
  return {
    type: 'lei-records',
    id: lei,
    attributes: {
      lei,
      entity: {
        legalName: { name: entity.name, language: 'en' },
        otherNames: (entity.otherNames ?? []).map((name) => ({
          name,
          language: 'en',
          type: 'TRADING_OR_OPERATING_NAME',
        })),
        transliteratedOtherNames: [],
        legalAddress: gleifAddress('4 Quay Street', 'Whitby', entity.country, 'YO21 1AA'),
        headquartersAddress: gleifAddress('1 Head Office Lane', 'York', entity.country, 'YO1 7AA'),
        registeredAt: { id: 'RA000585', other: null },
        registeredAs: entity.registeredAs,
        jurisdiction: entity.country,
        category: 'GENERAL',
        legalForm: { id: entity.form ?? '8888', other: entity.form === undefined ? 'A form of its own' : null },
        associatedEntity: { lei: null, name: null },
        status: entity.status ?? 'ACTIVE',
        expiration: entity.expiration ?? { date: null, reason: null },
        successorEntity: { lei: null, name: null },
        successorEntities: [],
        creationDate: '1988-04-12T00:00:00Z',
        subCategory: null,
        otherAddresses: [],
        eventGroups: [],
      },
      registration: {
        initialRegistrationDate: '2014-05-01T00:00:00Z',
        lastUpdateDate: '2026-03-02T08:00:00Z',
        status: entity.leiStatus ?? 'ISSUED',
        nextRenewalDate: '2027-03-02T00:00:00Z',
        managingLou: '213800WAVVOPS85N2205',
        corroborationLevel: 'FULLY_CORROBORATED',
        validatedAt: { id: 'RA000585', other: null },
        validatedAs: entity.registeredAs,
        otherValidationAuthorities: [],
      },
      bic: null,
      mic: null,
      ocid: null,
      spglobal: [],
      conformityFlag: 'CONFORMING',
    },
    relationships: {
      'managing-lou': links({ related: `${base}/managing-lou` }),
      'direct-parent': links(
        entity.directParent ?? { 'reporting-exception': `${base}/direct-parent-reporting-exception` },
      ),
      'ultimate-parent': links(
        entity.ultimateParent ?? { 'reporting-exception': `${base}/ultimate-parent-reporting-exception` },
      ),
    },
    links: { self: base },
  };
}

const PARENT = { 'relationship-record': 'https://api.gleif.org/r', 'lei-record': 'https://api.gleif.org/p' };

const ENTITIES: LegalEntity[] = [
  {
    stem: 'HARBOURLIGHTS',
    name: 'HARBOUR LIGHTS LIMITED',
    country: 'GB',
    registeredAs: '01234567',
    form: 'H0PO',
    directParent: PARENT,
  },
  { stem: 'QUAYHOLDINGS', name: 'QUAY HOLDINGS PLC', country: 'GB', registeredAs: '00765432', form: 'H0PO' },
  {
    stem: 'NORDLICHT',
    name: 'Nordlicht Energie GmbH',
    otherNames: ['Northern Light Energy'],
    country: 'DE',
    registeredAs: 'HRB 4711',
    leiStatus: 'LAPSED',
  },
  {
    stem: 'GLASHUETTE',
    name: 'Glashütte Süd AG',
    country: 'DE',
    registeredAs: 'HRB 99',
    status: 'INACTIVE',
    expiration: { date: '2024-02-29T00:00:00Z', reason: 'DISSOLVED' },
  },
  { stem: 'SUNRISEONE', name: 'Sunrise Trading BV', country: 'NL', registeredAs: '111' },
  { stem: 'SUNRISETWO', name: 'Sunrise Trading BV', country: 'NL', registeredAs: '222' },
];

/** Registers do not mind marks and case. */
const words = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

function gleif(path: string, query: URLSearchParams): object | null {
  const page = (entities: LegalEntity[]) => ({
    meta: {
      goldenCopy: { publishDate: '2026-11-21T08:00:00Z' },
      pagination: { currentPage: 1, perPage: 20, from: 1, to: entities.length, total: entities.length, lastPage: 1 },
    },
    links: {},
    data: entities.map(gleifRecord),
  });
  const one = (entity: LegalEntity | undefined) => (entity === undefined ? null : { data: gleifRecord(entity) });
  const form = /^\/entity-legal-forms\/(\w+)$/.exec(path)?.[1];
  if (form !== undefined) {
    const names = [{ localName: 'Private Limited Company', language: 'English', languageCode: 'en' }];
    return form === 'H0PO'
      ? { data: { type: 'entity-legal-forms', id: form, attributes: { code: form, names } } }
      : null;
  }
  const found = /^\/lei-records\/(\w+)(?:\/(.+))?$/.exec(path);
  if (found !== null) {
    const entity = ENTITIES.find(({ stem }) => leiOf(stem) === found[1]);
    if (found[2] === 'direct-parent') return one(ENTITIES.find(({ stem }) => stem === 'QUAYHOLDINGS'));
    if (found[2]?.endsWith('-reporting-exception') === true) {
      const attributes = {
        lei: found[1],
        category: 'ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT',
        reason: 'NATURAL_PERSONS',
      };
      return { data: { type: 'reporting-exceptions', id: '1', attributes } };
    }
    return one(entity);
  }
  const country = query.get('filter[entity.legalAddress.country]');
  const within = ENTITIES.filter((entity) => country === null || entity.country === country);
  const lei = query.get('filter[lei]');
  if (lei !== null) return page(within.filter(({ stem }) => leiOf(stem) === lei));
  const number = query.get('filter[entity.registeredAs]');
  if (number !== null) return page(within.filter(({ registeredAs }) => registeredAs === number));
  const asked = words(query.get('filter[entity.names]') ?? '');
  const known = ({ name, otherNames = [] }: LegalEntity) => [name, ...otherNames].flatMap(words);
  return page(within.filter((entity) => asked.some((word) => word.length > 3 && known(entity).includes(word))));
}

/** Companies of the register, in the shapes of its public data API. */
const COMPANIES = [
  { number: '01234567', name: 'HARBOUR LIGHTS LIMITED', status: 'active', type: 'ltd' },
  { number: '07654321', name: 'HARBOUR LIGHTHOUSE LTD', status: 'active', type: 'ltd' },
  { number: '03333333', name: 'FADED GLORY LTD', status: 'dissolved', type: 'ltd' },
  { number: '05555551', name: 'TWIN PEAKS LIMITED', status: 'active', type: 'ltd' },
  { number: '05555552', name: 'TWIN PEAKS LTD', status: 'active', type: 'ltd' },
];

const HOUSE_ADDRESS = {
  premises: '4',
  address_line_1: 'Quay Street',
  locality: 'Whitby',
  postal_code: 'YO21 1AA',
  country: 'United Kingdom',
};

function companiesHouse(path: string, query: URLSearchParams): object | null {
  if (path === '/search/companies') {
    const asked = words(query.get('q') ?? '');
    const items = COMPANIES.filter(({ name }) => asked.some((word) => words(name).includes(word))).map((company) => ({
      kind: 'searchresults#company',
      title: company.name,
      company_number: company.number,
      company_status: company.status,
      company_type: company.type,
      date_of_creation: '1988-04-12',
      address: HOUSE_ADDRESS,
      address_snippet: '4 Quay Street, Whitby',
      description_identifier: ['incorporated-on'],
      links: { self: `/company/${company.number}` },
      matches: { title: [1, 7] },
    }));
    return { kind: 'search#companies', items_per_page: 20, start_index: 0, total_results: items.length, items };
  }
  const found = /^\/company\/(\w+)(?:\/(.+))?$/.exec(path);
  const company = COMPANIES.find(({ number }) => number === found?.[1]);
  if (company === undefined) return null;
  if (found?.[2] === 'officers') {
    const item = {
      address: HOUSE_ADDRESS,
      appointed_on: '2011-02-01',
      country_of_residence: 'England',
      date_of_birth: { month: 8, year: 1971 },
      links: { officer: { appointments: '/officers/x/appointments' } },
      name: 'QUAYLE, Edith Anne',
      nationality: 'British',
      officer_role: 'director',
    };
    const secretary = { name: 'REGISTRARS LIMITED', officer_role: 'corporate-secretary', appointed_on: '2012-01-01' };
    return { items_per_page: 100, kind: 'officer-list', items: [item, secretary], total_results: 2, active_count: 2 };
  }
  if (found?.[2] === 'persons-with-significant-control') {
    if (company.number !== '01234567') return null;
    const individual = {
      name: 'Mrs Edith Anne Quayle',
      name_elements: { title: 'Mrs', forename: 'Edith', middle_name: 'Anne', surname: 'Quayle' },
      kind: 'individual-person-with-significant-control',
      natures_of_control: ['ownership-of-shares-25-to-50-percent', 'voting-rights-25-to-50-percent'],
      nationality: 'British',
      country_of_residence: 'England',
      date_of_birth: { month: 8, year: 1971 },
      notified_on: '2016-04-06',
      links: { self: '/company/01234567/persons-with-significant-control/individual/x' },
    };
    const corporate = {
      name: 'Quay Holdings Plc',
      kind: 'corporate-entity-person-with-significant-control',
      natures_of_control: ['ownership-of-shares-50-to-75-percent'],
      identification: { registration_number: '00765432', country_registered: 'England', legal_form: 'Plc' },
      notified_on: '2016-04-06',
    };
    return { items_per_page: 100, items: [individual, corporate], total_results: 2, active_count: 2, ceased_count: 0 };
  }
  return {
    company_name: company.name,
    company_number: company.number,
    company_status: company.status,
    type: company.type,
    date_of_creation: '1988-04-12',
    ...(company.status === 'dissolved' ? { date_of_cessation: '2021-01-19' } : {}),
    jurisdiction: 'england-wales',
    registered_office_address: HOUSE_ADDRESS,
    links: { self: `/company/${company.number}`, officers: `/company/${company.number}/officers` },
  };
}

function vies(path: string): object | null {
  const [state = '', number = ''] = /^\/ms\/(\w\w)\/vat\/(\w+)$/.exec(path)?.slice(1) ?? [];
  const answer = (userError: string, name = '---', address = '---') => ({
    isValid: userError === 'VALID',
    requestDate: '2026-11-21T07:24:03.811Z',
    userError,
    name,
    address,
    requestIdentifier: '',
    originalVatNumber: number,
    vatNumber: number,
    viesApproximate: { name: '---', street: '---', postalCode: '---', city: '---', companyType: '---', matchName: 3 },
  });
  if (state === 'FR' && number === '40303265045')
    return answer('VALID', 'BOULANGERIE DU PORT SARL', '1 QUAI\n33000 BORDEAUX');
  if (state === 'DE' && number === '136695976') return answer('VALID');
  if (state === 'EL' && number === '094259216') return answer('VALID', 'ΛΙΜΑΝΙ ΑΕ');
  if (state === 'IE') return answer('MS_UNAVAILABLE');
  return answer('INVALID');
}

/** How long a test file may wait for another one that has the registers: pass it to the `beforeAll` that starts them. */
export const REGISTERS_FREE_WITHIN_MS = 600_000;

/**
 * Registers of companies on this machine, in the shapes their own documentation gives. The service knows one address of
 * them: one test file has them at a time, and another waits until it is done.
 */
export class CompanyRegisters {
  /** Paths that were asked for, each with its register in front. */
  readonly requests: { register: Register; path: string; authorization: string | undefined }[] = [];
  private readonly faults = new Map<Register, Fault[]>();
  private readonly down = new Set<Register>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => this.answer(request, response));
  }

  static async start(): Promise<CompanyRegisters> {
    const registers = new CompanyRegisters();
    const port = Number(process.env['VOUCH_TEST_REGISTERS_PORT']);
    await listenWhenFree(registers.server, port);
    return registers;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  /** The next requests to a register are answered so, then it is itself again. */
  failNext(register: Register, ...faults: Fault[]): void {
    this.faults.set(register, faults);
  }

  /** Lets a register answer 503 until it is put up again. */
  putDown(register: Register): void {
    this.down.add(register);
  }

  putUp(register: Register): void {
    this.down.delete(register);
  }

  /** How often a register was asked since the last call. */
  countAndForget(register: Register): number {
    const count = this.requests.filter((request) => request.register === register).length;
    this.requests.length = 0;
    return count;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://registers');
    const [, register = '', ...rest] = url.pathname.split('/');
    const path = `/${rest.join('/')}`;
    if (register !== 'gleif' && register !== 'companies-house' && register !== 'vies') {
      response.writeHead(404).end();
      return;
    }
    this.requests.push({ register, path, authorization: request.headers.authorization });
    const fault = this.down.has(register) ? { status: 503 } : this.faults.get(register)?.shift();
    if (fault !== undefined) {
      response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
      return;
    }
    const key = Buffer.from('test-companies-house-key:').toString('base64');
    if (register === 'companies-house' && request.headers.authorization !== `Basic ${key}`) {
      response.writeHead(401).end('{"error":"Invalid Authorization"}');
      return;
    }
    const answers = { gleif, 'companies-house': companiesHouse, vies };
    const body = answers[register](path, url.searchParams);
    response
      .writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? { errors: [{ status: '404' }] }));
  }
}
