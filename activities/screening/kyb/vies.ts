import { z } from 'zod';
import type { CompanyDetail, CompanyQuery } from '../../../domain/identity/kyb/company';
import { getVatCountry, parseVatNumber } from '../../../domain/identity/kyb/coverage';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { KybProvider, RegisterSearchResult } from './provider';
import { registerUnavailableError } from './register-client';
import type { RegisterClient } from './register-client';

/**
 * Response of `/ms/{state}/vat/{number}`. `userError` is VALID, INVALID, or the reason why the state could not be
 * queried.
 */
const responseSchema = z.object({
  isValid: z.boolean(),
  userError: z.string().nullish(),
  name: z.string().nullish(),
  address: z.string().nullish(),
});

/**
 * Codes that state that the number is not registered; all other codes except VALID mean that it could not be checked.
 */
const NOT_REGISTERED_CODES: ReadonlySet<string> = new Set(['INVALID', 'INVALID_INPUT']);

/** States that do not disclose names respond with hyphens. */
const undisclosedToNull = (value: string | null | undefined): string | null =>
  value == null || /^[-\s]*$/.test(value) ? null : value.trim();

const toErrorCode = (userError: string): string =>
  /^[A-Z_]{1,40}$/.test(userError) ? `vies_${userError.toLowerCase()}` : 'register_answer_invalid';

/** The Commission's VAT Information Exchange System. It only supports look-ups by number. */
export class ViesProvider implements KybProvider {
  readonly name = 'vies';

  constructor(private readonly client: RegisterClient) {}

  async search({ query }: { query: CompanyQuery }): Promise<RegisterSearchResult> {
    const vat = parseVatNumber(query);
    if (vat === null) return { candidates: [], copy: null };
    const path = `/ms/${encodeURIComponent(vat.prefix)}/vat/${encodeURIComponent(vat.number)}`;
    const response = await this.client.get(path, responseSchema);
    if (response === null) throw registerUnavailableError('register_answer_invalid');
    const { isValid, userError } = response;
    if (!isValid) {
      if (userError == null || NOT_REGISTERED_CODES.has(userError)) return { candidates: [], copy: null };
      throw registerUnavailableError(toErrorCode(userError));
    }
    const address = undisclosedToNull(response.address);
    const company = {
      legalName: undisclosedToNull(response.name),
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
