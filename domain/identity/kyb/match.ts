import type { Company, CompanyDetail, CompanyQuery } from './company';
import { computeCompanyNameScore } from './names';

/** A company that a register returns for a query, under the register's own id. */
export interface Candidate {
  providerId: string;
  company: Company;
}

/** A candidate with its score (0–100) and the comparison of its numbers with the queried ones. */
export interface RankedCandidate extends Candidate {
  score: number;
  nameScore: number;
  /** Whether a queried number belongs to this company. */
  confirmed: boolean;
  /** Fields in which the queried number differs from this company's. */
  contradicted: NumberField[];
}

export type NumberField = 'lei' | 'registrationNumber' | 'vatNumber';

export const NUMBER_FIELDS: readonly NumberField[] = ['lei', 'registrationNumber', 'vatNumber'];

/**
 * `same`: names with this score are equal. `possible`: candidates below are not listed. `lead`: required distance to
 * the next candidate.
 */
export const MATCH_THRESHOLDS = { same: 90, possible: 70, lead: 5 } as const;

const COUNTRY_PENALTY = 25;

/** The best score of a company's names; null if its register states none. */
export function computeBestNameScore(name: string, company: Company): number | null {
  const names = [company.legalName, ...company.otherNames].filter((each) => each !== null);
  return names.length === 0 ? null : Math.max(...names.map((each) => computeCompanyNameScore(name, each)));
}

/** Registers differ in the number of leading zeros. */
const stripLeadingZeros = (number: string): string => number.replace(/^0+(?=.)/, '');

/** A number as registers may have it: as it is, without leading zeros, and in eight digits. */
export function listNumberSpellings(number: string): string[] {
  const bare = stripLeadingZeros(number);
  return [...new Set([number, bare, bare.padStart(8, '0')])];
}

/** Whether one number is the other with the letters of its state in front, without which VAT numbers can be written. */
const isPrefixed = (longer: string, shorter: string): boolean =>
  /^[A-Z]{2}/.test(longer) && stripLeadingZeros(longer.slice(2)) === stripLeadingZeros(shorter);

const isSameNumber = (field: NumberField, a: string, b: string): boolean =>
  stripLeadingZeros(a) === stripLeadingZeros(b) || (field === 'vatNumber' && (isPrefixed(a, b) || isPrefixed(b, a)));

/** Compares the queried number with that of a company. */
export const compareNumber = (
  query: CompanyQuery,
  company: Company,
  field: NumberField,
): 'same' | 'other' | 'unknown' => {
  const queried = query[field];
  const registered = company[field];
  if (queried === null || registered === null) return 'unknown';
  return isSameNumber(field, queried, registered) ? 'same' : 'other';
};

/** Scores a candidate by name, country and numbers. */
export function rankCandidate(query: CompanyQuery, candidate: Candidate): RankedCandidate {
  const { company } = candidate;
  const nameScore = computeBestNameScore(query.companyName, company) ?? 0;
  const confirmed = NUMBER_FIELDS.some((field) => compareNumber(query, company, field) === 'same');
  const contradicted = NUMBER_FIELDS.filter((field) => compareNumber(query, company, field) === 'other');
  const elsewhere = query.country !== null && company.country !== null && query.country !== company.country;
  const score = confirmed ? 100 : Math.max(0, nameScore - (elsewhere ? COUNTRY_PENALTY : 0));
  return { ...candidate, score, nameScore, confirmed, contradicted };
}

/** Selection among the candidates of one register. */
export interface Selection {
  /** Candidates worth listing, best first. */
  candidates: RankedCandidate[];
  /** The requested company, if it is unambiguous. */
  chosen: RankedCandidate | null;
}

/**
 * Selects the requested company. A queried number decides; otherwise the name must be equal and clearly better than the
 * next one. A company with a different number than the queried one is listed but never selected.
 */
export function selectCompany(query: CompanyQuery, candidates: readonly Candidate[]): Selection {
  const ranked = candidates
    .map((candidate) => rankCandidate(query, candidate))
    .filter(({ score }) => score >= MATCH_THRESHOLDS.possible)
    .sort((a, b) => Number(b.confirmed) - Number(a.confirmed) || b.score - a.score || b.nameScore - a.nameScore);
  const [first, second] = ranked;
  if (first === undefined) return { candidates: [], chosen: null };
  if (first.confirmed) {
    const alone = second?.confirmed !== true || first.nameScore - second.nameScore >= MATCH_THRESHOLDS.lead;
    return { candidates: ranked, chosen: alone ? first : null };
  }
  const eligible = ranked.filter(({ contradicted }) => contradicted.length === 0);
  const [best, next] = eligible;
  const clear =
    best !== undefined &&
    best.score >= MATCH_THRESHOLDS.same &&
    best.score - (next?.score ?? 0) >= MATCH_THRESHOLDS.lead;
  return { candidates: ranked, chosen: clear ? best : null };
}

/** Whether two registers describe the same company: a common number decides, otherwise name and country. */
export function isSameCompany(a: Company, b: Company): boolean {
  for (const field of NUMBER_FIELDS) {
    const left = a[field];
    const right = b[field];
    if (left === null || right === null) continue;
    // A registration number is unique only within its country.
    if (field === 'registrationNumber' && a.country !== b.country) continue;
    return stripLeadingZeros(left) === stripLeadingZeros(right);
  }
  if (a.country !== null && b.country !== null && a.country !== b.country) return false;
  if (a.legalName === null || b.legalName === null) return false;
  const score = computeBestNameScore(a.legalName, b) ?? 0;
  return score >= MATCH_THRESHOLDS.same;
}

const coalesce = <T>(primary: T | null, secondary: T | null): T | null => primary ?? secondary;

/** Completes the data of one register with the data of another about the same company. */
export function mergeCompanyDetail(primary: CompanyDetail, other: CompanyDetail): CompanyDetail {
  const a = primary.company;
  const b = other.company;
  return {
    company: {
      legalName: coalesce(a.legalName, b.legalName),
      otherNames: [...new Set([...a.otherNames, ...b.otherNames])],
      country: coalesce(a.country, b.country),
      registrationNumber: coalesce(a.registrationNumber, b.registrationNumber),
      vatNumber: coalesce(a.vatNumber, b.vatNumber),
      lei: coalesce(a.lei, b.lei),
      leiStatus: coalesce(a.leiStatus, b.leiStatus),
      status: a.status === 'unknown' ? b.status : a.status,
      legalForm: a.legalForm?.code == null ? (b.legalForm ?? a.legalForm) : a.legalForm,
      incorporationDate: coalesce(a.incorporationDate, b.incorporationDate),
      dissolutionDate: coalesce(a.dissolutionDate, b.dissolutionDate),
      registeredAddress: coalesce(a.registeredAddress, b.registeredAddress),
      headquarters: coalesce(a.headquarters, b.headquarters),
    },
    officers: primary.officers.length > 0 ? primary.officers : other.officers,
    owners: primary.owners.length > 0 ? primary.owners : other.owners,
    parents: {
      direct: coalesce(primary.parents.direct, other.parents.direct),
      ultimate: coalesce(primary.parents.ultimate, other.parents.ultimate),
    },
    dataAt: primary.dataAt,
  };
}
