import { z } from 'zod';
import {
  getJurisdictionCountry,
  toDateString,
  normaliseRegistrationNumber,
  toCompanyStatus,
} from '../../../domain/identity/registers/gleif/entity';
import type {
  Address,
  Company,
  CompanyDetail,
  CompanyQuery,
  LegalForm,
  Parent,
} from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import { emptyToNull } from './provider';
import type { KybProvider, RegisterRequest, RegisterSearchResult } from './provider';
import { registerUnavailableError } from '../../../lib/registers/register-client';
import type { RegisterClient } from '../../../lib/registers/register-client';
import { readGoldenCopyDetail, searchGoldenCopy } from './golden-copy';

/** Records requested in a search by name; the best of them are scored. */
const PAGE_SIZE = 20;
/** ELF codes that denote no legal form: 8888 for a form not yet listed, 9999 for entities without one. */
const NO_FORM: ReadonlySet<string> = new Set(['8888', '9999']);

const optionalText = z.string().nullish();
const namedSchema = z.object({ name: z.string() });

const addressSchema = z.object({
  addressLines: z.array(z.string()).nullish(),
  city: optionalText,
  region: optionalText,
  country: optionalText,
  postalCode: optionalText,
});

const relationSchema = z.object({ links: z.record(z.string(), z.unknown()).nullish() }).nullish();

/** The used part of a LEI record, GLEIF API v1 (JSON:API). */
const recordSchema = z.object({
  id: z.string(),
  attributes: z.object({
    lei: z.string(),
    entity: z.object({
      legalName: namedSchema,
      otherNames: z.array(namedSchema).nullish(),
      transliteratedOtherNames: z.array(namedSchema).nullish(),
      legalAddress: addressSchema.nullish(),
      headquartersAddress: addressSchema.nullish(),
      registeredAs: optionalText,
      jurisdiction: optionalText,
      legalForm: z.object({ id: optionalText, other: optionalText }).nullish(),
      status: optionalText,
      expiration: z.object({ date: optionalText, reason: optionalText }).nullish(),
      creationDate: optionalText,
    }),
    registration: z.object({ status: optionalText, lastUpdateDate: optionalText }),
  }),
  relationships: z.object({ 'direct-parent': relationSchema, 'ultimate-parent': relationSchema }).nullish(),
});
type LeiRecord = z.infer<typeof recordSchema>;

const pageSchema = z.object({ data: z.array(recordSchema) });
const singleRecordSchema = z.object({ data: recordSchema });
const legalFormSchema = z.object({
  data: z.object({
    attributes: z.object({ names: z.array(z.object({ localName: optionalText, languageCode: optionalText })) }),
  }),
});
const exceptionSchema = z.object({ data: z.object({ attributes: z.object({ reason: optionalText }) }) });

const toAddress = (address: z.infer<typeof addressSchema> | null | undefined): Address | null =>
  address == null
    ? null
    : {
        lines: address.addressLines ?? [],
        city: emptyToNull(address.city),
        region: emptyToNull(address.region),
        postalCode: emptyToNull(address.postalCode),
        country: emptyToNull(address.country),
      };

function toCompany({ attributes: { lei, entity, registration } }: LeiRecord): Company {
  const otherNames = [...(entity.otherNames ?? []), ...(entity.transliteratedOtherNames ?? [])];
  const form = entity.legalForm;
  const code = emptyToNull(form?.id);
  return {
    legalName: entity.legalName.name,
    otherNames: [...new Set(otherNames.map(({ name }) => name))],
    country: getJurisdictionCountry(emptyToNull(entity.jurisdiction)) ?? emptyToNull(entity.legalAddress?.country),
    registrationNumber: normaliseRegistrationNumber(emptyToNull(entity.registeredAs)),
    vatNumber: null,
    lei,
    leiStatus: emptyToNull(registration.status),
    status: toCompanyStatus(emptyToNull(entity.status), emptyToNull(entity.expiration?.reason)),
    legalForm: code === null && form?.other == null ? null : { code, name: emptyToNull(form?.other) },
    incorporationDate: toDateString(emptyToNull(entity.creationDate)),
    dissolutionDate: toDateString(emptyToNull(entity.expiration?.date)),
    registeredAddress: toAddress(entity.legalAddress),
    headquarters: toAddress(entity.headquartersAddress),
  };
}

const toCandidate = (record: LeiRecord): Candidate => ({
  providerId: record.attributes.lei,
  company: toCompany(record),
});

/** Searches in the order of their distinctiveness; the first one with a result ends the search. */
function buildSearches({ lei, registrationNumber, companyName, country }: CompanyQuery): Record<string, string>[] {
  const countryFilter: Record<string, string> =
    country === null ? {} : { 'filter[entity.legalAddress.country]': country };
  return [
    ...(lei === null ? [] : [{ 'filter[lei]': lei }]),
    ...(registrationNumber === null ? [] : [{ 'filter[entity.registeredAs]': registrationNumber, ...countryFilter }]),
    { 'filter[entity.names]': companyName, ...countryFilter },
  ];
}

/** GLEIF's register of legal entity identifiers: by the golden copy if it was imported, otherwise by its public API. */
export class GleifProvider implements KybProvider {
  readonly name = 'gleif';

  constructor(private readonly client: RegisterClient) {}

  /** A golden copy that was imported answers alone, even without a result. */
  async search(request: RegisterRequest): Promise<RegisterSearchResult> {
    return (await searchGoldenCopy(request.query)) ?? { candidates: await this.searchApi(request.query), copy: null };
  }

  /**
   * Reads the golden copy, or the API where none was imported.
   * @throws AppError 503 if a newer copy no longer has the company
   */
  async fetchDetail(candidate: Candidate): Promise<CompanyDetail> {
    return (await readGoldenCopyDetail(candidate)) ?? this.fetchDetailFromApi(candidate);
  }

  private async searchApi(query: CompanyQuery): Promise<Candidate[]> {
    for (const filters of buildSearches(query)) {
      const parameters = new URLSearchParams({ ...filters, 'page[size]': String(PAGE_SIZE), 'page[number]': '1' });
      const page = await this.client.get(`/lei-records?${parameters.toString()}`, pageSchema);
      if (page !== null && page.data.length > 0) return page.data.map(toCandidate);
    }
    return [];
  }

  private async fetchDetailFromApi({ providerId }: Candidate): Promise<CompanyDetail> {
    const response = await this.client.get(`/lei-records/${encodeURIComponent(providerId)}`, singleRecordSchema);
    // The record existed a moment ago.
    if (response === null) throw registerUnavailableError('register_answer_invalid');
    const record = response.data;
    const company = toCompany(record);
    return {
      company: { ...company, legalForm: await this.resolveLegalForm(company.legalForm) },
      officers: [],
      owners: [],
      parents: {
        direct: await this.fetchParent(record, 'direct-parent'),
        ultimate: await this.fetchParent(record, 'ultimate-parent'),
      },
      dataAt: emptyToNull(record.attributes.registration.lastUpdateDate),
    };
  }

  /** Adds the English name of a legal form or, if the list has none, the one in its own language. */
  private async resolveLegalForm(form: LegalForm | null): Promise<LegalForm | null> {
    if (form?.code == null || NO_FORM.has(form.code)) return form;
    const response = await this.client.get(`/entity-legal-forms/${encodeURIComponent(form.code)}`, legalFormSchema);
    const names = response?.data.attributes.names ?? [];
    const chosen = names.find(({ languageCode }) => languageCode === 'en') ?? names[0];
    return { code: form.code, name: emptyToNull(chosen?.localName) ?? form.name };
  }

  /** The links only state which parents exist; URLs are built here and never taken from the response. */
  private async fetchParent(record: LeiRecord, relation: 'direct-parent' | 'ultimate-parent'): Promise<Parent | null> {
    const links = record.relationships?.[relation]?.links ?? {};
    const path = `/lei-records/${encodeURIComponent(record.attributes.lei)}/${relation}`;
    if ('reporting-exception' in links) {
      const response = await this.client.get(`${path}-reporting-exception`, exceptionSchema);
      const reason = emptyToNull(response?.data.attributes.reason);
      return { lei: null, legalName: null, country: null, exceptions: reason === null ? [] : [reason] };
    }
    if (!('lei-record' in links) && !('related' in links)) return null;
    const response = await this.client.get(path, singleRecordSchema);
    if (response === null) return null;
    const { lei, legalName, country } = toCompany(response.data);
    return { lei, legalName, country, exceptions: [] };
  }
}
