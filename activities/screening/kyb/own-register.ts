import { isDeepStrictEqual } from 'node:util';
import type { Address, Company, CompanyDetail } from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { RegisteredCompany } from '../../../domain/identity/registers/rows';
import { findCompanies } from '../../../services/identity/registers/look-up';
import type { Platform } from '../../../services/platform/platform';
import type { KybProvider, Question, SearchAnswer } from './provider';
import { registerUnavailable } from './register-client';

const addressOf = (address: string | null, country: string | null): Address | null =>
  address === null ? null : { lines: [address], city: null, region: null, postalCode: null, country };

const companyOf = (row: RegisteredCompany): Company => ({
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
  registeredAddress: addressOf(row.registeredAddress, row.country),
  headquarters: addressOf(row.headquarters, null),
});

const idOf = ({ registrationNumber, lei, name }: RegisteredCompany): string => registrationNumber ?? lei ?? name;

/** The company register that the organisation imported. */
export class OwnRegisterProvider implements KybProvider {
  readonly name = 'register';

  constructor(private readonly platform: Platform) {}

  async search({ scope, query }: Question): Promise<SearchAnswer> {
    const answer = await findCompanies(this.platform, scope, query);
    if (answer === null) return { candidates: [], copy: null };
    return {
      candidates: answer.found.map((row) => ({ providerId: idOf(row), company: companyOf(row) })),
      copy: { version: answer.registerId, publishedAt: answer.dataAt },
    };
  }

  async detail({ company }: Candidate, { scope, query }: Question): Promise<CompanyDetail> {
    const answer = await findCompanies(this.platform, scope, query);
    const row = answer?.found.find((each) => isDeepStrictEqual(companyOf(each), company));
    // Another version was imported between the two look-ups: asked again.
    if (answer === null || row === undefined) throw registerUnavailable('register_replaced');
    return {
      company,
      officers: row.officers,
      owners: row.owners,
      parents: { direct: null, ultimate: null },
      dataAt: answer.dataAt.toISOString(),
    };
  }
}
