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

/** What someone is to the company that is checked. */
export const PARTY_ROLES = ['company', 'officer', 'owner', 'parent'] as const;

export type PartyRole = (typeof PARTY_ROLES)[number];

/** Who is put to the watch lists: the company, or someone who acts for, owns or consolidates it. */
export interface Party {
  roles: PartyRole[];
  name: string;
  kind: PartyKind;
  /** the questions to ask, one for each of its names */
  queries: ScreeningQuery[];
}

/** An entry found for a party; what reviewers said of it before, of the same subject, stands in its status. */
export type PartyHit = Omit<AmlResultHit, 'id' | 'review'>;

/** What the watch lists say of a party. */
export interface PartyScreening {
  roles: PartyRole[];
  name: string;
  kind: PartyKind;
  match: boolean;
  /** 0–100, of the best hit that counts */
  score: number;
  hits: PartyHit[];
}

/** The screening of a business check. `unavailable`: nothing was found out; `reason` is an error code. */
export type KybScreening =
  | { status: 'unavailable'; reason: string; at: Date }
  | { status: 'completed'; parties: PartyScreening[]; listsSearched: AmlResult['listsSearched']; at: Date };

/** Former and trading names are asked about too, as far as so many. */
const MAX_NAMES = 6;
/** Shorter numbers are too many companies' to tell one of them. */
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

/** Registers write countries as codes or in words; lists know codes. */
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

/** One who is several things to the company is asked about once. */
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

/** Whom a business check screens: the company under all its names, its officers, owners and parents of today. */
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

/** What was found under each of a party's names, as one: of an entry found twice the better hit. */
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

/** Of each code one risk, with the best score and how many parties it is about. */
function assessMatchRisks(parties: readonly PartyScreening[]): Risk[] {
  const scores = new Map<RiskCode, number[]>();
  for (const { score } of parties) {
    for (const { code } of assessAmlRisks(score)) scores.set(code, [...(scores.get(code) ?? []), score]);
  }
  return [...scores].map(([code, all]) =>
    makeRisk(code, { details: { score: Math.max(...all), parties: all.length } }),
  );
}

/** What a screening means for the check: matches, old lists, or that nothing could be found out, which is no pass. */
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
