import { makeRisk } from '../checks/risks';
import type { Risk } from '../checks/risks';
import type { CompanyDetail, CompanyQuery, KybProviderName, KybStatus } from './company';
import { computeBestNameScore, mergeCompanyDetail, isSameCompany, MATCH_THRESHOLDS } from './match';
import type { NumberField, RankedCandidate } from './match';
import { assessScreeningRisks } from './screening';
import type { KybScreening } from './screening';

/** An imported copy of a register, and thereby the age of its data. */
export interface RegisterCopy {
  version: string;
  /** Publication time of the copy, or its import time if unknown. */
  publishedAt: Date;
}

/** Result of querying one register. */
export type SourceResponse =
  | { provider: KybProviderName; status: 'pending' }
  | { provider: KybProviderName; status: 'unavailable'; reason: string; at: Date }
  | {
      provider: KybProviderName;
      status: 'answered';
      candidates: RankedCandidate[];
      /** The requested company, if the register identifies it unambiguously. */
      detail: CompanyDetail | null;
      /** Null if the register itself was queried; absent in checks of earlier versions. */
      copy?: RegisterCopy | null;
      at: Date;
    };

/** A company that may be the requested one, with its source. */
export interface CompanyMatch extends RankedCandidate {
  provider: KybProviderName;
}

/** Conclusion from the responses of all registers. */
export interface KybConclusion {
  status: Exclude<KybStatus, 'processing'>;
  /** Register of the company; the others complete its data. */
  provider: KybProviderName | null;
  detail: CompanyDetail | null;
  matches: CompanyMatch[];
  risks: Risk[];
  /** Error code of a check without a conclusion. */
  failure: string | null;
}

type AnsweredSource = Extract<SourceResponse, { status: 'answered' }>;
type MatchedSource = AnsweredSource & { detail: CompanyDetail };

/** The register that is authoritative for a number: without it the number stays unconfirmed. */
const AUTHORITY: Partial<Record<KybProviderName, NumberField>> = {
  gleif: 'lei',
  companies_house: 'registrationNumber',
  vies: 'vatNumber',
};

const LEI_LAPSED: ReadonlySet<string> = new Set(['LAPSED', 'RETIRED', 'ANNULLED', 'DUPLICATE', 'MERGED', 'CANCELLED']);

const hasDetail = (answer: AnsweredSource): answer is MatchedSource => answer.detail !== null;

/** Risks of the company itself. */
function assessCompanyRisks(query: CompanyQuery, { company }: CompanyDetail): Risk[] {
  const risks: Risk[] = [];
  if (company.status !== 'active' && company.status !== 'unknown') {
    risks.push(makeRisk('kyb_not_active', { details: { status: company.status } }));
  }
  if (company.leiStatus !== null && LEI_LAPSED.has(company.leiStatus)) {
    risks.push(makeRisk('kyb_lei_lapsed', { details: { leiStatus: company.leiStatus } }));
  }
  const nameScore = computeBestNameScore(query.companyName, company);
  if (nameScore === null) risks.push(makeRisk('kyb_name_mismatch', { details: { reason: 'name_not_disclosed' } }));
  else if (nameScore < MATCH_THRESHOLDS.possible) {
    risks.push(makeRisk('kyb_name_mismatch', { details: { score: nameScore } }));
  }
  if (query.country !== null && company.country !== null && query.country !== company.country) {
    risks.push(makeRisk('kyb_country_mismatch'));
  }
  return risks;
}

/** Risks of queried numbers that their authoritative register does not know, or assigns to another company. */
function assessIdentifierRisks(query: CompanyQuery, answers: readonly AnsweredSource[]): Risk[] {
  const wrong = answers.flatMap(({ provider, candidates }) => {
    const field = AUTHORITY[provider];
    if (field === undefined || query[field] === null) return [];
    return candidates.some(({ confirmed }) => confirmed) ? [] : [field];
  });
  const contradicted = answers.flatMap(({ detail, candidates }) =>
    detail === null ? candidates.slice(0, 1).flatMap((candidate) => candidate.contradicted) : [],
  );
  return [...new Set([...wrong, ...contradicted])].map((field) =>
    makeRisk('kyb_identifier_mismatch', { details: { field } }),
  );
}

/** An outage requires a review only if the unavailable register is authoritative for the query. */
function assessOutageRisks(query: CompanyQuery, answers: readonly SourceResponse[], found: boolean): Risk[] {
  return answers.flatMap((answer) => {
    if (answer.status !== 'unavailable') return [];
    const { provider, reason } = answer;
    const field = AUTHORITY[provider];
    const spared = found && (field === undefined || query[field] === null);
    return [
      makeRisk('kyb_registry_unavailable', { action: spared ? 'ignore' : 'review', details: { provider, reason } }),
    ];
  });
}

const compareMatches = (a: CompanyMatch, b: CompanyMatch): number => b.score - a.score || b.nameScore - a.nameScore;

const listMatches = (answers: readonly AnsweredSource[]): CompanyMatch[] =>
  answers
    .flatMap(({ provider, candidates }) => candidates.map((candidate) => ({ ...candidate, provider })))
    .sort(compareMatches);

/**
 * The register whose company is used: one that confirms a queried number takes precedence over one that matches by name
 * only.
 */
function selectPrimary(matchedSources: readonly MatchedSource[]): MatchedSource | undefined {
  const named = matchedSources.filter(({ detail }) => detail.company.legalName !== null);
  const confirmed = named.find(({ candidates }) => candidates[0]?.confirmed === true);
  return confirmed ?? named[0] ?? matchedSources[0];
}

/**
 * Concludes a check from the responses of all registers, in the order of their authority. The result is `not_found`
 * only if every queried register has responded; if one was unavailable, the company may exist.
 * @param screening result of the watch lists for the company and its people; null if no screening took place
 */
export function concludeKyb(
  query: CompanyQuery,
  answers: readonly SourceResponse[],
  screening: KybScreening | null,
): KybConclusion {
  const answered = answers.filter((answer) => answer.status === 'answered');
  const matchedSources = answered.filter(hasDetail);
  const primary = selectPrimary(matchedSources);
  const matches = listMatches(answered);
  const noCompany = { provider: null, detail: null };

  if (primary === undefined) {
    const risks = [...assessIdentifierRisks(query, answered), ...assessOutageRisks(query, answers, false)];
    if (answered.length === 0) {
      const failure = answers.length === 0 ? 'no_register' : 'registry_unavailable';
      const outage = answers.length === 0 ? [makeRisk('kyb_registry_unavailable')] : [];
      return { status: 'failed', ...noCompany, matches, risks: [...risks, ...outage], failure };
    }
    const unsure = matches.length > 0 || answers.length > answered.length;
    return { status: unsure ? 'review' : 'not_found', ...noCompany, matches, risks, failure: null };
  }

  const others = matchedSources.filter((source) => source !== primary);
  const agreeing = others.filter(({ detail }) => isSameCompany(primary.detail.company, detail.company));
  const detail = agreeing.reduce<CompanyDetail>(
    (whole, other) => mergeCompanyDetail(whole, other.detail),
    primary.detail,
  );
  const risks = [
    ...assessCompanyRisks(query, detail),
    ...assessIdentifierRisks(query, answered),
    ...assessOutageRisks(query, answers, true),
    ...(screening === null ? [] : assessScreeningRisks(screening)),
  ];
  const contested = agreeing.length < others.length;
  const review = contested || risks.some(({ action }) => action !== 'ignore');
  return {
    status: review ? 'review' : 'found',
    provider: primary.provider,
    detail,
    matches,
    risks,
    failure: null,
  };
}
