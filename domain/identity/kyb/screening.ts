import type { EntityType } from '../aml/entry';
import type { ScreeningQuery } from '../aml/query';
import { MATCH_THRESHOLD } from '../aml/thresholds';
import { assessAmlRisks, computeHitsScore } from '../aml/aml-result';
import type { AmlResult, AmlResultHit } from '../aml/aml-result';
import { parseCountryCode } from '../countries';
import { makeRisk } from '../checks/risks';
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
  /** Screening queries, one for each of its names. */
  queries: ScreeningQuery[];
}

/** A hit of a party; its status includes earlier reviews of the same subject. */
export type PartyHit = Omit<AmlResultHit, 'id' | 'review'>;

/** Screening result of a party. */
export interface PartyScreening {
  roles: PartyRole[];
  name: string;
  kind: PartyKind;
  match: boolean;
  /** Score from 0 to 100 of the best hit that counts. */
  score: number;
  hits: PartyHit[];
}

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
  const queries = [name, ...others].slice(0, MAX_NAMES).map((fullName): ScreeningQuery => ({
    fullName,
    entityType: 'company',
    country: toCountryCode(company.country),
    documentNumber: number ?? undefined,
  }));
  return [{ roles: ['company'], name, kind: 'company', queries }];
}

interface PartyDetails {
  name: string;
  kind: PartyKind;
  dateOfBirth: PartialDate | null;
  nationality: string | null;
  country: string | null;
}

const buildParty = (role: PartyRole, { name, kind, dateOfBirth, nationality, country }: PartyDetails): Party => ({
  roles: [role],
  name,
  kind,
  queries: [
    {
      fullName: name,
      entityType: ENTITY_TYPE[kind],
      dateOfBirth: formatBirthDate(dateOfBirth),
      nationality: toCountryCode(nationality),
      country: toCountryCode(country),
    },
  ],
});

/** A party with several roles is screened once. */
function mergeParties(parties: readonly Party[]): Party[] {
  const partiesByKey = new Map<string, Party>();
  for (const party of parties) {
    const key = [party.kind, foldName(party.name), party.queries[0]?.dateOfBirth ?? ''].join('|');
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

/** Merges the results of a party's names; an entry found under several names keeps the better hit. */
export function buildPartyScreening({ roles, name, kind }: Party, results: readonly AmlResult[]): PartyScreening {
  const best = new Map<string, PartyHit>();
  for (const { id: _id, review: _review, ...hit } of results.flatMap(({ hits }) => hits)) {
    const key = JSON.stringify([hit.list, hit.entryId]);
    if ((best.get(key)?.score ?? -1) < hit.score) best.set(key, hit);
  }
  const hits = [...best.values()].sort((a, b) => b.score - a.score);
  const score = computeHitsScore(hits);
  return { roles, name, kind, match: score >= MATCH_THRESHOLD, score, hits };
}

/** One risk per code, with the best score and the number of parties concerned. */
function assessMatchRisks(parties: readonly PartyScreening[]): Risk[] {
  const scores = new Map<RiskCode, number[]>();
  for (const { score } of parties) {
    for (const { code } of assessAmlRisks(score)) scores.set(code, [...(scores.get(code) ?? []), score]);
  }
  return [...scores].map(([code, all]) =>
    makeRisk(code, { details: { score: Math.max(...all), parties: all.length } }),
  );
}

/** Risks that follow from a screening: matches, outdated lists, and an unavailable screening, which is not a pass. */
export function assessScreeningRisks(screening: KybScreening): Risk[] {
  if (screening.status === 'unavailable') {
    return [makeRisk('processing_failed', { feature: 'aml', action: 'review', details: { reason: screening.reason } })];
  }
  const stale = screening.listsSearched.filter((list) => list.stale).map(({ list }) => list);
  return [
    ...assessMatchRisks(screening.parties),
    ...(stale.length === 0 ? [] : [makeRisk('aml_list_stale', { details: { lists: stale.join(', ') } })]),
  ];
}
