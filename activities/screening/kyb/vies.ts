import type { CompanyDetail, CompanyQuery } from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import { getVatCountry, parseVatNumber } from '../../../domain/platform/vat-numbers';
import type { ViesClient } from '../../../lib/registers/vies';
import type { KybProvider, RegisterSearchResult } from './provider';

/** The Commission's VAT Information Exchange System. It only supports lookups by number. */
export class ViesProvider implements KybProvider {
  readonly name = 'vies';

  constructor(private readonly client: ViesClient) {}

  /** At most one candidate, by its VAT number; none without a number that VIES can be queried for. */
  async search({ query }: { query: CompanyQuery }): Promise<RegisterSearchResult> {
    const vat = parseVatNumber(query);
    if (vat === null) return { candidates: [], copy: null };
    const { valid, name, address } = await this.client.check(vat);
    if (!valid) return { candidates: [], copy: null };
    const company = {
      legalName: name,
      otherNames: [],
      country: getVatCountry(vat.prefix),
      registrationNumber: null,
      // In the queried form, so that it is recognised with or without its prefix.
      vatNumber: query.vatNumber,
      lei: null,
      leiStatus: null,
      status: 'unknown' as const,
      legalForm: null,
      incorporationDate: null,
      dissolutionDate: null,
      registeredAddress:
        address === null
          ? null
          : {
              lines: address.split('\n'),
              city: null,
              region: null,
              postalCode: null,
              country: getVatCountry(vat.prefix),
            },
      headquarters: null,
    };
    return { candidates: [{ providerId: `${vat.prefix}${vat.number}`, company }], copy: null };
  }

  /** The candidate itself: VIES states a name and an address, if the member state publishes them, and nothing else. */
  fetchDetail({ company }: Candidate): Promise<CompanyDetail> {
    return Promise.resolve({
      company,
      officers: [],
      owners: [],
      parents: { direct: null, ultimate: null },
      dataAt: null,
    });
  }
}
