import { isDeepStrictEqual } from 'node:util';
import type { Address, Company, CompanyDetail } from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { RegisteredCompany } from '../../../domain/identity/registers/rows';
import { findCompanies } from '../../../services/identity/registers/lookup';
import type { Platform } from '../../../services/platform/platform';
import type { KybProvider, RegisterRequest, RegisterSearchResult } from './provider';
import { registerUnavailableError } from '../../../lib/registers/register-client';

const toAddress = (address: string | null, country: string | null): Address | null =>
  address === null ? null : { lines: [address], city: null, region: null, postalCode: null, country };

const toCompany = (row: RegisteredCompany): Company => ({
  legalName: row.name,
  otherNames: [],
  country: row.country,
  registrationNumber: row.registrationNumber,
  vatNumber: row.vatNumber,
  lei: row.lei,
  leiStatus: null,
  status: row.status,
  legalForm: row.legalForm === null ? null : { code: null, name: row.legalForm },
  incorporationDate: row.incorporationDate,
  dissolutionDate: null,
  registeredAddress: toAddress(row.registeredAddress, row.country),
  headquarters: toAddress(row.headquarters, null),
});

const getProviderId = ({ registrationNumber, lei, name }: RegisteredCompany): string =>
  registrationNumber ?? lei ?? name;

/** The company register that the organisation imported. */
export class OwnRegisterProvider implements KybProvider {
  readonly name = 'register';

  constructor(private readonly platform: Platform) {}

  /** No candidates, and no copy, where the organisation has imported no register. */
  async search({ scope, query }: RegisterRequest): Promise<RegisterSearchResult> {
    const result = await findCompanies(this.platform, scope, query);
    if (result === null) return { candidates: [], copy: null };
    return {
      candidates: result.found.map((row) => ({ providerId: getProviderId(row), company: toCompany(row) })),
      copy: { version: result.registerId, publishedAt: result.dataAt },
    };
  }

  /** Queries again, because candidates do not carry officers and owners. */
  async fetchDetail({ company }: Candidate, { scope, query }: RegisterRequest): Promise<CompanyDetail> {
    const result = await findCompanies(this.platform, scope, query);
    const row = result?.found.find((each) => isDeepStrictEqual(toCompany(each), company));
    // Another version was imported between the two lookups: the query is retried.
    if (result === null || row === undefined) throw registerUnavailableError('register_replaced');
    return {
      company,
      officers: row.officers,
      owners: row.owners,
      parents: { direct: null, ultimate: null },
      dataAt: result.dataAt.toISOString(),
    };
  }
}
