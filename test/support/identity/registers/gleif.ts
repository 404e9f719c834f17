import { splitWords } from './words';

/** A LEI with valid check digits (ISO 7064 MOD 97-10) from its first 18 characters. */
export function buildLei(stem: string): string {
  const padded = stem.toUpperCase().padEnd(18, '0').slice(0, 18);
  const digits = [...`${padded}00`].map((character) => parseInt(character, 36).toString()).join('');
  return padded + String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}

const wrapLinks = (value: object) => ({ links: value });

const buildGleifAddress = (line: string, city: string, country: string, postalCode: string) => ({
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

/** A record in the form of GLEIF API v1: JSON:API, attributes as in LEI-CDF 3.1. */
function buildGleifRecord(entity: LegalEntity): object {
  const lei = buildLei(entity.stem);
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
        legalAddress: buildGleifAddress('4 Quay Street', 'Whitby', entity.country, 'YO21 1AA'),
        headquartersAddress: buildGleifAddress('1 Head Office Lane', 'York', entity.country, 'YO1 7AA'),
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
      'managing-lou': wrapLinks({ related: `${base}/managing-lou` }),
      'direct-parent': wrapLinks(
        entity.directParent ?? { 'reporting-exception': `${base}/direct-parent-reporting-exception` },
      ),
      'ultimate-parent': wrapLinks(
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

/** Response of the GLEIF API to a path; null if nothing is found. */
export function respondGleif(path: string, query: URLSearchParams): object | null {
  const buildPage = (entities: LegalEntity[]) => ({
    meta: {
      goldenCopy: { publishDate: '2026-11-21T08:00:00Z' },
      pagination: { currentPage: 1, perPage: 20, from: 1, to: entities.length, total: entities.length, lastPage: 1 },
    },
    links: {},
    data: entities.map(buildGleifRecord),
  });
  const buildRecordBody = (entity: LegalEntity | undefined) =>
    entity === undefined ? null : { data: buildGleifRecord(entity) };
  const form = /^\/entity-legal-forms\/(\w+)$/.exec(path)?.[1];
  if (form !== undefined) {
    const names = [{ localName: 'Private Limited Company', language: 'English', languageCode: 'en' }];
    return form === 'H0PO'
      ? { data: { type: 'entity-legal-forms', id: form, attributes: { code: form, names } } }
      : null;
  }
  const found = /^\/lei-records\/(\w+)(?:\/(.+))?$/.exec(path);
  if (found !== null) {
    const entity = ENTITIES.find(({ stem }) => buildLei(stem) === found[1]);
    if (found[2] === 'direct-parent') return buildRecordBody(ENTITIES.find(({ stem }) => stem === 'QUAYHOLDINGS'));
    if (found[2]?.endsWith('-reporting-exception') === true) {
      const attributes = {
        lei: found[1],
        category: 'ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT',
        reason: 'NATURAL_PERSONS',
      };
      return { data: { type: 'reporting-exceptions', id: '1', attributes } };
    }
    return buildRecordBody(entity);
  }
  const country = query.get('filter[entity.legalAddress.country]');
  const within = ENTITIES.filter((entity) => country === null || entity.country === country);
  const lei = query.get('filter[lei]');
  if (lei !== null) return buildPage(within.filter(({ stem }) => buildLei(stem) === lei));
  const number = query.get('filter[entity.registeredAs]');
  if (number !== null) return buildPage(within.filter(({ registeredAs }) => registeredAs === number));
  const queryWords = splitWords(query.get('filter[entity.names]') ?? '');
  const entityWords = ({ name, otherNames = [] }: LegalEntity) => [name, ...otherNames].flatMap(splitWords);
  return buildPage(
    within.filter((entity) => queryWords.some((word) => word.length > 3 && entityWords(entity).includes(word))),
  );
}
