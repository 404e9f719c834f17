import type { EntityType } from '../aml/entry';
import type { ScreeningQuery } from '../aml/query';
import { MATCH_THRESHOLD } from '../aml/thresholds';
import { applyReview, assessAmlRisks, computeHitsScore } from '../aml/aml-result';
import type { AmlResult, AmlResultHit, HitReview } from '../aml/aml-result';
import { parseCountryCode } from '../countries';
import { buildRisk } from '../checks/risks';
import type { Risk, RiskCode } from '../checks/risks';
import type { CompanyDetail, PartialDate, PartyKind } from './company';
import { foldName } from './names';

/** Roles of a party in the checked company. */
export const PARTY_ROLES = ['company', 'officer', 'owner', 'parent'] as const;

export type PartyRole = (typeof PARTY_ROLES)[number];

/** A party that is screened: the company, or someone who acts for, owns or consolidates it. */
export interface Party {
  roles: PartyRole[];
  name: string;
  kind: PartyKind;
  /** Screening queries, one for each of its names, beginning with `name`. */
  queries: [ScreeningQuery, ...ScreeningQuery[]];
}

/** Screening result of a party. */
export interface PartyScreening {
  roles: PartyRole[];
  name: string;
  kind: PartyKind;
  match: boolean;
  /** Score from 0 to 100 of the best hit that counts. */
  score: number;
  hits: AmlResultHit[];
  /** What was screened; absent in checks of earlier versions, whose hits have no id. */
  subject?: PartySubject;
  /** Id of the monitor that screens the party again. */
  monitorId?: string | null;
}

/** A screened party as a subject: with the key by which reviews recognise it, and its queries. */
export interface PartySubject {
  key: string;
  /** Without undefined fields, which MongoDB stores as null. */
  queries: ScreeningQuery[];
}

type CompletedKybScreening = Extract<KybScreening, { status: 'completed' }>;

/** Screening result of a business check. `unavailable`: screening was not possible; `reason` is an error code. */
export type KybScreening =
  | { status: 'unavailable'; reason: string; at: Date }
  | { status: 'completed'; parties: PartyScreening[]; listsSearched: AmlResult['listsSearched']; at: Date };

/** Maximum number of former and trading names that are screened. */
const MAX_NAMES = 6;
/** Shorter numbers are shared by too many companies to identify one. */
const MIN_NUMBER_LENGTH = 6;

const ENTITY_TYPE: Readonly<Record<PartyKind, EntityType | 'any'>> = {
  person: 'person',
  company: 'company',
  unknown: 'any',
};

const padTwo = (value: number): string => String(value).padStart(2, '0');

function formatBirthDate(date: PartialDate | null): string | undefined {
  if (date === null) return undefined;
  const month = date.month === null ? '' : `-${padTwo(date.month)}`;
  return `${date.year}${month}${date.day === null || month === '' ? '' : `-${padTwo(date.day)}`}`;
}

/** Registers state countries as codes or names; lists use codes. */
const toCountryCode = (country: string | null): string | undefined =>
  country === null ? undefined : parseCountryCode(country);

function buildCompanyParty({ company }: CompanyDetail): Party[] {
  const [name, ...others] = [...(company.legalName === null ? [] : [company.legalName]), ...company.otherNames];
  if (name === undefined) return [];
  const number = [company.registrationNumber, company.lei].find(
    (each) => each !== null && each.length >= MIN_NUMBER_LENGTH,
  );
  const country = toCountryCode(company.country);
  const buildQuery = (fullName: string): ScreeningQuery => ({
    fullName,
    entityType: 'company',
    ...(country === undefined ? {} : { country }),
    ...(number == null ? {} : { documentNumber: number }),
  });
  const queries: Party['queries'] = [buildQuery(name), ...others.slice(0, MAX_NAMES - 1).map(buildQuery)];
  return [{ roles: ['company'], name, kind: 'company', queries }];
}

interface PartyDetails {
  name: string;
  kind: PartyKind;
  dateOfBirth: PartialDate | null;
  nationality: string | null;
  country: string | null;
}

function buildParty(role: PartyRole, { name, kind, ...details }: PartyDetails): Party {
  const dateOfBirth = formatBirthDate(details.dateOfBirth);
  const nationality = toCountryCode(details.nationality);
  const country = toCountryCode(details.country);
  const query: ScreeningQuery = {
    fullName: name,
    entityType: ENTITY_TYPE[kind],
    ...(dateOfBirth === undefined ? {} : { dateOfBirth }),
    ...(nationality === undefined ? {} : { nationality }),
    ...(country === undefined ? {} : { country }),
  };
  return { roles: [role], name, kind, queries: [query] };
}

/** A party with several roles is screened once. */
function mergeParties(parties: readonly Party[]): Party[] {
  const partiesByKey = new Map<string, Party>();
  for (const party of parties) {
    const key = [party.kind, foldName(party.name), party.queries[0].dateOfBirth ?? ''].join('|');
    const before = partiesByKey.get(key);
    if (before === undefined) partiesByKey.set(key, party);
    else partiesByKey.set(key, { ...before, roles: [...new Set([...before.roles, ...party.roles])] });
  }
  return [...partiesByKey.values()];
}

/** The parties of a business check: the company under all its names, and its current officers, owners and parents. */
export function listParties(detail: CompanyDetail): Party[] {
  const { officers, owners, parents } = detail;
  const unknownDetails = { dateOfBirth: null, nationality: null };
  return mergeParties([
    ...buildCompanyParty(detail),
    ...officers.filter(({ resignedOn }) => resignedOn === null).map((officer) => buildParty('officer', officer)),
    ...owners.filter(({ ceasedOn }) => ceasedOn === null).map((owner) => buildParty('owner', owner)),
    ...[parents.direct, parents.ultimate].flatMap((parent) =>
      parent === null || parent.legalName === null
        ? []
        : [
            buildParty('parent', {
              ...unknownDetails,
              name: parent.legalName,
              kind: 'company',
              country: parent.country,
            }),
          ],
    ),
  ]).filter(({ name }) => name.trim() !== '');
}

/** The evaluation of the hits of a party. */
export const evaluateHits = (hits: AmlResultHit[]): Pick<PartyScreening, 'match' | 'score' | 'hits'> => {
  const score = computeHitsScore(hits);
  return { match: score >= MATCH_THRESHOLD, score, hits };
};

/** The result of a party that was screened under all its names. */
export const buildPartyScreening = (
  { roles, name, kind, queries }: Party,
  subjectKey: string,
  hits: AmlResultHit[],
): PartyScreening => ({ roles, name, kind, ...evaluateHits(hits), subject: { key: subjectKey, queries } });

/**
 * The parties with as many of their hits as fit into a size. The best hit of every party comes first, then the second
 * best, and so on; what was found of a party without its lesser hits still counts (`match` and `score`).
 * @param measure bytes of a hit when it is stored
 */
export function limitPartyHits(
  parties: readonly PartyScreening[],
  maxBytes: number,
  measure: (hit: AmlResultHit) => number,
): PartyScreening[] {
  const kept = parties.map(() => 0);
  const ranks = Math.max(0, ...parties.map(({ hits }) => hits.length));
  let bytes = 0;
  for (let rank = 0; rank < ranks; rank += 1) {
    const found = parties
      .flatMap(({ hits }, party) => {
        const hit = hits[rank];
        // A hit is not kept without the better ones of its party.
        return hit === undefined || kept[party] !== rank ? [] : [{ party, hit }];
      })
      .sort((a, b) => b.hit.score - a.hit.score);
    for (const { party, hit } of found) {
      const size = measure(hit);
      if (bytes + size > maxBytes) continue;
      bytes += size;
      kept[party] = rank + 1;
    }
  }
  return parties.map((party, at) => ({ ...party, hits: party.hits.slice(0, kept[at]) }));
}

/** The screening with the review of one of its hits: its party is evaluated again. */
export const applyPartyReview = (
  screening: CompletedKybScreening,
  hitId: string,
  review: HitReview,
): CompletedKybScreening => ({
  ...screening,
  parties: screening.parties.map((party) =>
    party.hits.some(({ id }) => id === hitId)
      ? { ...party, ...evaluateHits(applyReview(party.hits, hitId, review)) }
      : party,
  ),
});

/** The hits of all parties with their overall evaluation. */
export const evaluateParties = (
  parties: readonly PartyScreening[],
): Pick<PartyScreening, 'match' | 'score' | 'hits'> => ({
  match: parties.some(({ match }) => match),
  score: Math.max(0, ...parties.map(({ score }) => score)),
  hits: parties.flatMap(({ hits }) => hits),
});

/** One risk per code, with the best score and the number of parties concerned. */
function assessMatchRisks(parties: readonly PartyScreening[]): Risk[] {
  const scores = new Map<RiskCode, number[]>();
  for (const { score } of parties) {
    for (const { code } of assessAmlRisks(score)) scores.set(code, [...(scores.get(code) ?? []), score]);
  }
  return [...scores].map(([code, all]) =>
    buildRisk(code, { details: { score: Math.max(...all), parties: all.length } }),
  );
}

/** Risks that follow from a screening: matches, outdated lists, and an unavailable screening, which is not a pass. */
export function assessScreeningRisks(screening: KybScreening): Risk[] {
  if (screening.status === 'unavailable') {
    return [
      buildRisk('processing_failed', { feature: 'aml', action: 'review', details: { reason: screening.reason } }),
    ];
  }
  const stale = screening.listsSearched.filter((list) => list.stale).map(({ list }) => list);
  return [
    ...assessMatchRisks(screening.parties),
    ...(stale.length === 0 ? [] : [buildRisk('aml_list_stale', { details: { lists: stale.join(', ') } })]),
  ];
}
