import type { CompanyDetail, CompanyQuery, KybProviderName } from '../../../domain/identity/kyb/company';
import type { RegisterCopy } from '../../../domain/identity/kyb/conclusion';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { Scope } from '../../../services/platform/platform';

/** A question to a register, and for whom it is asked. */
export interface RegisterRequest {
  query: CompanyQuery;
  scope: Scope;
}

/** Companies that may be meant, and the copy they were found in; null where the register itself was asked. */
export interface RegisterSearchResult {
  candidates: Candidate[];
  copy: RegisterCopy | null;
}

/**
 * A register of companies. Both calls throw where the register cannot be asked (`registerUnavailable`), so that the
 * question is asked again; no candidates means that it knows no such company.
 */
export interface KybProvider {
  readonly name: KybProviderName;
  /** Companies that may be meant; a number that was given is looked up before the name. */
  search(request: RegisterRequest): Promise<RegisterSearchResult>;
  /** All the register tells of one of them. */
  fetchDetail(candidate: Candidate, request: RegisterRequest): Promise<CompanyDetail>;
}
