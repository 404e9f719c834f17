import { z } from 'zod';
import type { CompanyDetail, CompanyQuery } from '../../../domain/identity/kyb/company';
import { countryOfVat, vatNumberOf } from '../../../domain/identity/kyb/coverage';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { KybProvider, SearchAnswer } from './provider';
import { registerUnavailable } from './register-client';
import type { RegisterClient } from './register-client';

/** The answer of `/ms/{state}/vat/{number}`. `userError` is VALID or INVALID, or why the state could not be asked. */
const answerSchema = z.object({
  isValid: z.boolean(),
  userError: z.string().nullish(),
  name: z.string().nullish(),
  address: z.string().nullish(),
});

/** What says that the number is not registered; everything else that is not VALID says that nobody could be asked. */
const NOT_REGISTERED: ReadonlySet<string> = new Set(['INVALID', 'INVALID_INPUT']);

/** States that keep names to themselves answer with hyphens. */
const told = (value: string | null | undefined): string | null =>
  value == null || /^[-\s]*$/.test(value) ? null : value.trim();

const unavailableCode = (userError: string): string =>
  /^[A-Z_]{1,40}$/.test(userError) ? `vies_${userError.toLowerCase()}` : 'register_answer_invalid';

/** The Commission's exchange of VAT numbers. It knows numbers, not names: without one it is not asked. */
export class ViesProvider implements KybProvider {
  readonly name = 'vies';

  constructor(private readonly client: RegisterClient) {}

  async search({ query }: { query: CompanyQuery }): Promise<SearchAnswer> {
    const vat = vatNumberOf(query);
    if (vat === null) return { candidates: [], copy: null };
    const path = `/ms/${encodeURIComponent(vat.prefix)}/vat/${encodeURIComponent(vat.number)}`;
    const answer = await this.client.get(path, answerSchema);
    if (answer === null) throw registerUnavailable('register_answer_invalid');
    const { isValid, userError } = answer;
    if (!isValid) {
      if (userError == null || NOT_REGISTERED.has(userError)) return { candidates: [], copy: null };
      throw registerUnavailable(unavailableCode(userError));
    }
    const address = told(answer.address);
    const company = {
      legalName: told(answer.name),
      otherNames: [],
      country: countryOfVat(vat.prefix),
      registrationNumber: null,
      // As it was asked for, so that it is recognised with or without its prefix.
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
              country: countryOfVat(vat.prefix),
            },
      headquarters: null,
    };
    return { candidates: [{ providerId: `${vat.prefix}${vat.number}`, company }], copy: null };
  }

  detail({ company }: Candidate): Promise<CompanyDetail> {
    return Promise.resolve({
      company,
      officers: [],
      owners: [],
      parents: { direct: null, ultimate: null },
      dataAt: null,
    });
  }
}
