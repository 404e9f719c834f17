import { buildRisk } from '../checks/risks';
import type { Risk } from '../checks/risks';
import type { Company, CompanyDetail, CompanyQuery, KybProviderName, KybStatus } from './company';
import { findResponsibility } from './coverage';
import {
  compareNumber,
  computeBestNameScore,
  isSameCompany,
  MATCH_THRESHOLDS,
  mergeCompanyDetail,
  NUMBER_FIELDS,
} from './match';
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

const LEI_LAPSED: ReadonlySet<string> = new Set(['LAPSED', 'RETIRED', 'ANNULLED', 'DUPLICATE', 'MERGED', 'CANCELLED']);

const hasDetail = (answer: AnsweredSource): answer is MatchedSource => answer.detail !== null;

/** Risks of the company itself. */
function assessCompanyRisks(query: CompanyQuery, { company }: CompanyDetail): Risk[] {
  const risks: Risk[] = [];
  if (company.status !== 'active' && company.status !== 'unknown') {
    risks.push(buildRisk('kyb_not_active', { details: { status: company.status } }));
  }
  if (company.leiStatus !== null && LEI_LAPSED.has(company.leiStatus)) {
    risks.push(buildRisk('kyb_lei_lapsed', { details: { leiStatus: company.leiStatus } }));
  }
  const nameScore = computeBestNameScore(query.companyName, company);
  if (nameScore === null) risks.push(buildRisk('kyb_name_mismatch', { details: { reason: 'name_not_disclosed' } }));
  else if (nameScore < MATCH_THRESHOLDS.possible) {
    risks.push(buildRisk('kyb_name_mismatch', { details: { score: nameScore } }));
  }
  if (query.country !== null && company.country !== null && query.country !== company.country) {
    risks.push(buildRisk('kyb_country_mismatch'));
  }
  return risks;
}

/** Whether a company has a queried number. A registration number is unique only within its country. */
function confirms(query: CompanyQuery, company: Company, field: NumberField): boolean {
  if (compareNumber(query, company, field) !== 'same') return false;
  return field !== 'registrationNumber' || query.country === null || company.country === query.country;
}

/** Fields in which a register's company, or the most similar one if it has none, differs from the query. */
const listContradicted = (query: CompanyQuery, { detail, candidates }: AnsweredSource): NumberField[] =>
  detail === null
    ? (candidates[0]?.contradicted ?? [])
    : NUMBER_FIELDS.filter((field) => compareNumber(query, detail.company, field) === 'other');

/**
 * Risks of queried numbers that the company of no register has, and that the responsible register does not know or some
 * register assigns to another company.
 */
function assessIdentifierRisks(
  query: CompanyQuery,
  answers: readonly AnsweredSource[],
  found: readonly Company[],
): Risk[] {
  const wrong = answers.flatMap(({ provider, candidates }) => {
    const field = findResponsibility(provider, query, found);
    return field === null || candidates.some(({ confirmed }) => confirmed) ? [] : [field];
  });
  const contradicted = answers.flatMap((answer) => listContradicted(query, answer));
  return [...new Set([...wrong, ...contradicted])]
    .filter((field) => !found.some((company) => confirms(query, company, field)))
    .map((field) => buildRisk('kyb_identifier_mismatch', { details: { field } }));
}

/** An outage requires a review only if nothing was found, or the unavailable register had to confirm a number. */
function assessOutageRisks(query: CompanyQuery, answers: readonly SourceResponse[], found: readonly Company[]): Risk[] {
  return answers.flatMap((answer) => {
    if (answer.status !== 'unavailable') return [];
    const { provider, reason } = answer;
    const field = findResponsibility(provider, query, found);
    const isConfirmed = field === null || found.some((company) => confirms(query, company, field));
    const spared = found.length > 0 && isConfirmed;
    return [
      buildRisk('kyb_registry_unavailable', { action: spared ? 'ignore' : 'review', details: { provider, reason } }),
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
  const found = matchedSources.map(({ detail }) => detail.company);
  const primary = selectPrimary(matchedSources);
  const matches = listMatches(answered);
  const noCompany = { provider: null, detail: null };

  if (primary === undefined) {
    const risks = [...assessIdentifierRisks(query, answered, found), ...assessOutageRisks(query, answers, found)];
    if (answered.length === 0) {
      const failure = answers.length === 0 ? 'no_register' : 'registry_unavailable';
      const outage = answers.length === 0 ? [buildRisk('kyb_registry_unavailable')] : [];
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
    ...assessIdentifierRisks(query, answered, found),
    ...assessOutageRisks(query, answers, found),
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
