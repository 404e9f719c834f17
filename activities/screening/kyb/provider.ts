import type { CompanyDetail, CompanyQuery, KybProviderName } from '../../../domain/identity/kyb/company';
import type { RegisterCopy } from '../../../domain/identity/kyb/conclusion';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { Scope } from '../../../services/platform/platform';

/** A query to a register, and the organisation that makes it. */
export interface RegisterRequest {
  query: CompanyQuery;
  scope: Scope;
}

/**
 * Companies that may be the requested one, and the copy in which they were found; null if the register itself was
 * queried.
 */
export interface RegisterSearchResult {
  candidates: Candidate[];
  copy: RegisterCopy | null;
}

/**
 * A register of companies. Both calls throw `registerUnavailableError` if the register cannot be queried, so that the query
 * is retried; an empty result means that the register does not contain the company.
 */
export interface KybProvider {
  readonly name: KybProviderName;
  /** Companies that may be the requested one; a queried number is looked up before the name. */
  search(request: RegisterRequest): Promise<RegisterSearchResult>;
  /** All facts of the register about one of them. */
  fetchDetail(candidate: Candidate, request: RegisterRequest): Promise<CompanyDetail>;
}

/** A text of a register; null for one that is absent or empty. */
export const emptyToNull = (value: string | null | undefined): string | null =>
  value == null || value === '' ? null : value;
