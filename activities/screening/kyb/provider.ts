import type { CompanyDetail, CompanyQuery, KybProviderName } from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import type { Scope } from '../../../services/platform/platform';

/** A question to a register, and for whom it is asked. */
export interface Question {
  query: CompanyQuery;
  scope: Scope;
}

/**
 * A register of companies. Both calls throw where the register cannot be asked (`registerUnavailable`), so that the
 * question is asked again; an empty list means that it knows no such company.
 */
export interface KybProvider {
  readonly name: KybProviderName;
  /** Companies that may be meant; a number that was given is looked up before the name. */
  search(question: Question): Promise<Candidate[]>;
  /** All the register tells of one of them. */
  detail(candidate: Candidate, question: Question): Promise<CompanyDetail>;
}
