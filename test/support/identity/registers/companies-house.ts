import { splitWords } from './words';

/** Companies of the register, in the form of its public data API. */
const COMPANIES = [
  { number: '01234567', name: 'HARBOUR LIGHTS LIMITED', status: 'active', type: 'ltd' },
  { number: '07654321', name: 'HARBOUR LIGHTHOUSE LTD', status: 'active', type: 'ltd' },
  { number: '03333333', name: 'FADED GLORY LTD', status: 'dissolved', type: 'ltd' },
  { number: '05555551', name: 'TWIN PEAKS LIMITED', status: 'active', type: 'ltd' },
  { number: '05555552', name: 'TWIN PEAKS LTD', status: 'active', type: 'ltd' },
  { number: '02222222', name: 'CROWDED BOARDROOM PLC', status: 'active', type: 'plc' },
  { number: '04444444', name: 'TITLED DIRECTORS LIMITED', status: 'active', type: 'ltd' },
  { number: '06666666', name: 'UNDATED DIRECTORS LIMITED', status: 'active', type: 'ltd' },
];

/** Officers of a company with more of them than a page: all but the last have resigned. */
const MANY_OFFICERS = Array.from({ length: 205 }, (_, at) => ({
  name: `OFFICER, Number ${at}`,
  officer_role: 'director',
  appointed_on: '1990-01-01',
  ...(at === 204 ? {} : { resigned_on: '2001-01-01' }),
}));

/** Officers in the forms of names that the register has: with a title, without forenames, and of a company. */
const NAMED_OFFICERS = [
  { name: 'BLACKWOOD, Rosalind Jane, Dr', officer_role: 'director' },
  { name: 'SUKARNO', officer_role: 'director' },
  { name: 'HOLT, MERCER & CO LIMITED', officer_role: 'corporate-secretary' },
].map((officer) => ({ ...officer, appointed_on: '2012-01-01' }));

/** Officers whose dates of birth are incomplete or have wrong types, and one whose date has digits as texts. */
const UNDATED_OFFICERS = [
  { date_of_birth: { year: null, month: null } },
  { date_of_birth: { year: '', month: '' } },
  { date_of_birth: { year: true, month: 5 } },
  { date_of_birth: { year: 19_700, month: 5 } },
  { date_of_birth: { year: 1970, month: 13 } },
  { date_of_birth: [] },
  { date_of_birth: { year: '1970', month: '5' } },
].map((officer, at) => ({ ...officer, name: `UNDATED, Number ${at}`, officer_role: 'director' }));

const REGISTERED_ADDRESS = {
  premises: '4',
  address_line_1: 'Quay Street',
  locality: 'Whitby',
  postal_code: 'YO21 1AA',
  country: 'United Kingdom',
};

/** Response of the public data API of the register to a path; null if nothing is found. */
export function respondCompaniesHouse(path: string, query: URLSearchParams): object | null {
  if (path === '/search/companies') {
    const queryWords = splitWords(query.get('q') ?? '');
    const items = COMPANIES.filter(({ name }) => queryWords.some((word) => splitWords(name).includes(word))).map(
      (company) => ({
        kind: 'searchresults#company',
        title: company.name,
        company_number: company.number,
        company_status: company.status,
        company_type: company.type,
        date_of_creation: '1988-04-12',
        address: REGISTERED_ADDRESS,
        address_snippet: '4 Quay Street, Whitby',
        description_identifier: ['incorporated-on'],
        links: { self: `/company/${company.number}` },
        matches: { title: [1, 7] },
      }),
    );
    return { kind: 'search#companies', items_per_page: 20, start_index: 0, total_results: items.length, items };
  }
  const found = /^\/company\/(\w+)(?:\/(.+))?$/.exec(path);
  const company = COMPANIES.find(({ number }) => number === found?.[1]);
  if (company === undefined) return null;
  if (found?.[2] === 'officers' && company.number === '04444444')
    return { items_per_page: 100, kind: 'officer-list', items: NAMED_OFFICERS, total_results: NAMED_OFFICERS.length };
  if (found?.[2] === 'officers' && company.number === '06666666')
    return { items_per_page: 100, items: UNDATED_OFFICERS, total_results: UNDATED_OFFICERS.length };
  if (found?.[2] === 'officers' && company.number === '02222222') {
    const start = Number(query.get('start_index') ?? 0);
    const items = MANY_OFFICERS.slice(start, start + Math.min(Number(query.get('items_per_page') ?? 35), 100));
    return {
      items_per_page: 100,
      kind: 'officer-list',
      start_index: start,
      items,
      total_results: MANY_OFFICERS.length,
    };
  }
  if (found?.[2] === 'officers') {
    const item = {
      address: REGISTERED_ADDRESS,
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
    registered_office_address: REGISTERED_ADDRESS,
    links: { self: `/company/${company.number}`, officers: `/company/${company.number}/officers` },
  };
}
