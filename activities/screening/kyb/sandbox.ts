import { buildSandboxCandidates, buildSandboxDetail, getSandboxOutcome } from '../../../domain/identity/kyb/sandbox';
import type { CompanyDetail } from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { KybProvider, RegisterRequest, RegisterSearchResult } from './provider';
import { registerUnavailableError } from '../../../lib/registers/register-client';

/** The register of test keys, whose result depends on the company's name. */
export class SandboxProvider implements KybProvider {
  readonly name = 'sandbox';

  /** Fictional candidates, or the failure of a register that does not respond. */
  search({ query }: RegisterRequest): Promise<RegisterSearchResult> {
    return getSandboxOutcome(query) === 'unavailable'
      ? Promise.reject(registerUnavailableError('register_error'))
      : Promise.resolve({ candidates: buildSandboxCandidates(query), copy: null });
  }

  /** Fictional officers and owners that go with the candidate. */
  fetchDetail({ company }: Candidate, { query }: RegisterRequest): Promise<CompanyDetail> {
    return Promise.resolve(buildSandboxDetail(query, company));
  }
}
