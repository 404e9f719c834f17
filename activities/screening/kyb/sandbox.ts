import { sandboxCandidates, sandboxDetail, sandboxOutcome } from '../../../domain/identity/kyb/sandbox';
import type { CompanyDetail } from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { KybProvider, Question, SearchAnswer } from './provider';
import { registerUnavailable } from './register-client';

/** The register that test keys ask: it answers what the company's name says. */
export class SandboxProvider implements KybProvider {
  readonly name = 'sandbox';

  search({ query }: Question): Promise<SearchAnswer> {
    return sandboxOutcome(query) === 'unavailable'
      ? Promise.reject(registerUnavailable('register_error'))
      : Promise.resolve({ candidates: sandboxCandidates(query), copy: null });
  }

  detail({ company }: Candidate, { query }: Question): Promise<CompanyDetail> {
    return Promise.resolve(sandboxDetail(query, company));
  }
}
