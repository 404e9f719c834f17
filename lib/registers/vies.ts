import { z } from 'zod';
import type { VatNumber } from '../../domain/platform/vat-numbers';
import { registerUnavailableError } from './register-client';
import type { RegisterClient } from './register-client';

/** Response of `/check-vat-number`: the result, or why there is none. */
const responseSchema = z.union([
  z.object({
    valid: z.boolean(),
    name: z.string().nullish(),
    address: z.string().nullish(),
    requestIdentifier: z.string().nullish(),
  }),
  z.object({ errorWrappers: z.array(z.object({ error: z.string() })).min(1) }),
]);

/** What VIES knows about a VAT number. */
export interface ViesResult {
  valid: boolean;
  /** Null if the state does not disclose it. */
  name: string | null;
  address: string | null;
  /** Proof of the query; null without the VAT number of the requester. */
  consultationNumber: string | null;
}

const NOT_REGISTERED: ViesResult = { valid: false, name: null, address: null, consultationNumber: null };

/** A text that a state discloses; null for the hyphens of one that does not. */
const readDisclosed = (value: string | null | undefined): string | null =>
  value == null || /^[-\s]*$/.test(value) ? null : value.trim();

const toErrorCode = (error: string): string =>
  /^[A-Z_]{1,40}$/.test(error) ? `vies_${error.toLowerCase()}` : 'register_answer_invalid';

/** Client of the Commission's VAT Information Exchange System. */
export class ViesClient {
  constructor(private readonly client: RegisterClient) {}

  /**
   * Queries one number. A wrong number of the requester costs the consultation number, not the result.
   * @throws AppError 503 `vies_…` if the state could not be queried, or `register_…`; both may be retried
   */
  async check(vat: VatNumber, requester: VatNumber | null = null): Promise<ViesResult> {
    const query = {
      countryCode: vat.prefix,
      vatNumber: vat.number,
      ...(requester && { requesterMemberStateCode: requester.prefix, requesterNumber: requester.number }),
    };
    const response = await this.client.post('/check-vat-number', query, responseSchema);
    if (response === null) throw registerUnavailableError('register_answer_invalid');
    if (!('errorWrappers' in response)) {
      const { valid, name, address, requestIdentifier } = response;
      const consultationNumber = readDisclosed(requestIdentifier);
      if (!valid) return { ...NOT_REGISTERED, consultationNumber };
      return { valid, name: readDisclosed(name), address: readDisclosed(address), consultationNumber };
    }
    const error = response.errorWrappers[0]?.error ?? '';
    if (error === 'INVALID_REQUESTER_INFO' && requester !== null) return this.check(vat);
    if (error === 'INVALID_INPUT') return NOT_REGISTERED;
    throw registerUnavailableError(toErrorCode(error));
  }
}
