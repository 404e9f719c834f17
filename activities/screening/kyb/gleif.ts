import { z } from 'zod';
import {
  countryOfJurisdiction,
  dayOf,
  registrationNumberOf,
  statusOfEntity,
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
import type { KybProvider, Question, SearchAnswer } from './provider';
import { registerUnavailable } from './register-client';
import type { RegisterClient } from './register-client';
import { goldenCopyDetail, searchGoldenCopy } from './golden-copy';

/** Records asked for in a search by name; the best of them are scored. */
const PAGE_SIZE = 20;
/** ELF codes that name no form: 8888 stands for one not yet listed, 9999 for entities without one. */
const NO_FORM: ReadonlySet<string> = new Set(['8888', '9999']);

const text = z.string().nullish();
const named = z.object({ name: z.string() });

const addressSchema = z.object({
  addressLines: z.array(z.string()).nullish(),
  city: text,
  region: text,
  country: text,
  postalCode: text,
});

const relationSchema = z.object({ links: z.record(z.string(), z.unknown()).nullish() }).nullish();

/** A LEI record, GLEIF API v1 (JSON:API), as far as it is read here. */
const recordSchema = z.object({
  id: z.string(),
  attributes: z.object({
    lei: z.string(),
    entity: z.object({
      legalName: named,
      otherNames: z.array(named).nullish(),
      transliteratedOtherNames: z.array(named).nullish(),
      legalAddress: addressSchema.nullish(),
      headquartersAddress: addressSchema.nullish(),
      registeredAs: text,
      jurisdiction: text,
      legalForm: z.object({ id: text, other: text }).nullish(),
      status: text,
      expiration: z.object({ date: text, reason: text }).nullish(),
      creationDate: text,
    }),
    registration: z.object({ status: text, lastUpdateDate: text }),
  }),
  relationships: z.object({ 'direct-parent': relationSchema, 'ultimate-parent': relationSchema }).nullish(),
});
type LeiRecord = z.infer<typeof recordSchema>;

const pageSchema = z.object({ data: z.array(recordSchema) });
const oneSchema = z.object({ data: recordSchema });
const legalFormSchema = z.object({
  data: z.object({
    attributes: z.object({ names: z.array(z.object({ localName: text, languageCode: text })) }),
  }),
});
const exceptionSchema = z.object({ data: z.object({ attributes: z.object({ reason: text }) }) });

const orNull = (value: string | null | undefined): string | null => (value == null || value === '' ? null : value);

const addressOf = (address: z.infer<typeof addressSchema> | null | undefined): Address | null =>
  address == null
    ? null
    : {
        lines: address.addressLines ?? [],
        city: orNull(address.city),
        region: orNull(address.region),
        postalCode: orNull(address.postalCode),
        country: orNull(address.country),
      };

function companyOf({ attributes: { lei, entity, registration } }: LeiRecord): Company {
  const others = [...(entity.otherNames ?? []), ...(entity.transliteratedOtherNames ?? [])];
  const form = entity.legalForm;
  const code = orNull(form?.id);
  return {
    legalName: entity.legalName.name,
    otherNames: [...new Set(others.map(({ name }) => name))],
    country: countryOfJurisdiction(orNull(entity.jurisdiction)) ?? orNull(entity.legalAddress?.country),
    registrationNumber: registrationNumberOf(orNull(entity.registeredAs)),
    vatNumber: null,
    lei,
    leiStatus: orNull(registration.status),
    status: statusOfEntity(orNull(entity.status), orNull(entity.expiration?.reason)),
    legalForm: code === null && form?.other == null ? null : { code, name: orNull(form?.other) },
    incorporationDate: dayOf(orNull(entity.creationDate)),
    dissolutionDate: dayOf(orNull(entity.expiration?.date)),
    registeredAddress: addressOf(entity.legalAddress),
    headquarters: addressOf(entity.headquartersAddress),
  };
}

const candidateOf = (record: LeiRecord): Candidate => ({
  providerId: record.attributes.lei,
  company: companyOf(record),
});

/** Searches in the order of how well they tell companies apart; the first that finds any ends it. */
function searches({ lei, registrationNumber, companyName, country }: CompanyQuery): Record<string, string>[] {
  const within: Record<string, string> = country === null ? {} : { 'filter[entity.legalAddress.country]': country };
  return [
    ...(lei === null ? [] : [{ 'filter[lei]': lei }]),
    ...(registrationNumber === null ? [] : [{ 'filter[entity.registeredAs]': registrationNumber, ...within }]),
    { 'filter[entity.names]': companyName, ...within },
  ];
}

/** GLEIF's register of legal entity identifiers: by the golden copy where it was imported, else by its public API. */
export class GleifProvider implements KybProvider {
  readonly name = 'gleif';

  constructor(private readonly client: RegisterClient) {}

  async search(question: Question): Promise<SearchAnswer> {
    return (await searchGoldenCopy(question.query)) ?? { candidates: await this.ask(question.query), copy: null };
  }

  async detail(candidate: Candidate): Promise<CompanyDetail> {
    return (await goldenCopyDetail(candidate)) ?? this.askDetail(candidate);
  }

  private async ask(query: CompanyQuery): Promise<Candidate[]> {
    for (const filters of searches(query)) {
      const parameters = new URLSearchParams({ ...filters, 'page[size]': String(PAGE_SIZE), 'page[number]': '1' });
      const page = await this.client.get(`/lei-records?${parameters.toString()}`, pageSchema);
      if (page !== null && page.data.length > 0) return page.data.map(candidateOf);
    }
    return [];
  }

  private async askDetail({ providerId }: Candidate): Promise<CompanyDetail> {
    const answer = await this.client.get(`/lei-records/${encodeURIComponent(providerId)}`, oneSchema);
    // It was found a moment ago.
    if (answer === null) throw registerUnavailable('register_answer_invalid');
    const record = answer.data;
    const company = companyOf(record);
    return {
      company: { ...company, legalForm: await this.legalForm(company.legalForm) },
      officers: [],
      owners: [],
      parents: {
        direct: await this.parent(record, 'direct-parent'),
        ultimate: await this.parent(record, 'ultimate-parent'),
      },
      dataAt: orNull(record.attributes.registration.lastUpdateDate),
    };
  }

  /** Completes a form's code with its name in English or, where the list has none, in its own language. */
  private async legalForm(form: LegalForm | null): Promise<LegalForm | null> {
    if (form?.code == null || NO_FORM.has(form.code)) return form;
    const answer = await this.client.get(`/entity-legal-forms/${encodeURIComponent(form.code)}`, legalFormSchema);
    const names = answer?.data.attributes.names ?? [];
    const chosen = names.find(({ languageCode }) => languageCode === 'en') ?? names[0];
    return { code: form.code, name: orNull(chosen?.localName) ?? form.name };
  }

  /** The links only say what there is: the addresses called are made here, not taken from the answer. */
  private async parent(record: LeiRecord, relation: 'direct-parent' | 'ultimate-parent'): Promise<Parent | null> {
    const links = record.relationships?.[relation]?.links ?? {};
    const path = `/lei-records/${encodeURIComponent(record.attributes.lei)}/${relation}`;
    if ('reporting-exception' in links) {
      const answer = await this.client.get(`${path}-reporting-exception`, exceptionSchema);
      const reason = orNull(answer?.data.attributes.reason);
      return { lei: null, legalName: null, country: null, exceptions: reason === null ? [] : [reason] };
    }
    if (!('lei-record' in links) && !('related' in links)) return null;
    const answer = await this.client.get(path, oneSchema);
    if (answer === null) return null;
    const { lei, legalName, country } = companyOf(answer.data);
    return { lei, legalName, country, exceptions: [] };
  }
}
