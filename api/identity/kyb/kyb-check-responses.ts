import type { z } from 'zod';
import type { AmlResultHit } from '../../../domain/identity/aml/aml-result';
import type { SourceResponse } from '../../../domain/identity/kyb/conclusion';
import { evaluateParties } from '../../../domain/identity/kyb/screening';
import type { KybScreening, PartyScreening } from '../../../domain/identity/kyb/screening';
import type { KybCheckRecord } from '../../../models/identity/kyb/kyb-check';
import type { JsonReply } from '../../http/route';
import type { ActorNames } from '../../platform/access/actor-names';
import { presentResultHits, readReviewers } from '../aml/hit-reviews';
import type { kybCheckSchema, kybScreeningSchema, kybSourceSchema } from './kyb-responses';
import { HOUR_MS } from '../../../domain/durations';

type KybSourceResponse = z.infer<typeof kybSourceSchema>;

function presentCopy({ copy, at }: Extract<SourceResponse, { status: 'answered' }>): KybSourceResponse['copy'] {
  if (copy === null || copy === undefined) return null;
  const ageHours = Math.max(0, Math.floor((at.getTime() - copy.publishedAt.getTime()) / HOUR_MS));
  return { version: copy.version, publishedAt: copy.publishedAt.toISOString(), ageHours };
}

function presentSource(answer: SourceResponse): KybSourceResponse {
  const { provider: name, status } = answer;
  const emptySource = { provider: name, status, outcome: null, reason: null, at: null, copy: null, dataAt: null };
  if (status === 'pending') return emptySource;
  const at = answer.at.toISOString();
  if (status === 'unavailable') return { ...emptySource, reason: answer.reason, at };
  const unmatchedOutcome = answer.candidates.length > 0 ? ('several' as const) : ('none' as const);
  const outcome = answer.detail === null ? unmatchedOutcome : ('matched' as const);
  return { ...emptySource, outcome, at, copy: presentCopy(answer), dataAt: answer.detail?.dataAt ?? null };
}

const presentParty = (
  { hits, subject, monitorId = null, ...party }: PartyScreening,
  names: ActorNames,
): z.infer<typeof kybScreeningSchema>['parties'][number] => ({
  ...party,
  monitorId,
  // Hits of earlier versions were not recorded one by one.
  hits:
    subject === undefined ? hits.map((hit) => ({ ...hit, id: null, review: null })) : presentResultHits(hits, names),
});

function presentKybScreening(screening: KybScreening, names: ActorNames): z.infer<typeof kybScreeningSchema> {
  const { status } = screening;
  const at = screening.at.toISOString();
  if (status === 'unavailable') {
    return { status, reason: screening.reason, match: null, parties: [], listsSearched: [], at };
  }
  const { parties, listsSearched } = screening;
  return {
    status,
    reason: null,
    match: evaluateParties(parties).match,
    parties: parties.map((party) => presentParty(party, names)),
    listsSearched,
    at,
  };
}

/** The hits of a business check that can be reviewed. */
const listReviewableHits = ({ screening }: KybCheckRecord): AmlResultHit[] =>
  screening?.status === 'completed'
    ? screening.parties.flatMap(({ subject, hits }) => (subject === undefined ? [] : hits))
    : [];

/** Presents business checks of one organisation with the names of their reviewers. */
export async function presentKybChecks(
  organisationId: string,
  checks: readonly KybCheckRecord[],
): Promise<z.infer<typeof kybCheckSchema>[]> {
  const names = await readReviewers(organisationId, checks.flatMap(listReviewableHits));
  return checks.map((check) => presentKybCheck(check, names));
}

/** Presents a business check with the names of its reviewers. */
export const presentNamedKybCheck = async (check: KybCheckRecord): Promise<z.infer<typeof kybCheckSchema>> =>
  presentKybCheck(check, await readReviewers(check.organisationId, listReviewableHits(check)));

function presentKybCheck(check: KybCheckRecord, names: ActorNames): z.infer<typeof kybCheckSchema> {
  const { detail, failure, screening = null } = check;
  return {
    id: check._id,
    mode: check.mode,
    status: check.status,
    query: check.query,
    provider: check.provider,
    dataAt: detail?.dataAt ?? null,
    company: detail?.company ?? null,
    officers: detail?.officers ?? [],
    owners: detail?.owners ?? [],
    parents: detail?.parents ?? { direct: null, ultimate: null },
    aml: screening === null ? null : presentKybScreening(screening, names),
    matches: check.matches.map(({ provider: name, score, confirmed, contradicted, company: one }) => ({
      provider: name,
      score,
      confirmed,
      contradicted,
      company: one,
    })),
    sources: check.sources.map(presentSource),
    risks: check.risks,
    error:
      failure === null
        ? null
        : { code: failure, message: 'No register could be queried, so that the check has no result.' },
    createdAt: check.createdAt.toISOString(),
    completedAt: check.completedAt?.toISOString() ?? null,
  };
}

/** Response to the creation of a check: 201 if it has completed, otherwise 202. */
export async function buildKybCheckReply(
  check: KybCheckRecord,
): Promise<JsonReply<201 | 202, { check: z.infer<typeof kybCheckSchema> }>> {
  return {
    status: check.status === 'processing' ? 202 : 201,
    body: { check: await presentNamedKybCheck(check) },
    headers: { Location: `/v1/kyb/${check._id}` },
  };
}

export const exampleKybCheck: z.infer<typeof kybCheckSchema> = {
  id: 'kyb_01JQZ7E5X8Z1C4F7J0M3P6R9T2',
  mode: 'live',
  status: 'found',
  query: { companyName: 'Harbour Lights', country: 'GB', registrationNumber: '01234567', vatNumber: null, lei: null },
  provider: 'companies_house',
  dataAt: null,
  company: {
    legalName: 'HARBOUR LIGHTS LIMITED',
    otherNames: [],
    country: 'GB',
    registrationNumber: '01234567',
    vatNumber: null,
    lei: null,
    leiStatus: null,
    status: 'active',
    legalForm: { code: null, name: 'Private limited company' },
    incorporationDate: '1988-04-12',
    dissolutionDate: null,
    registeredAddress: {
      lines: ['4 Quay Street'],
      city: 'Whitby',
      region: 'North Yorkshire',
      postalCode: 'YO21 1AA',
      country: 'United Kingdom',
    },
    headquarters: null,
  },
  officers: [
    {
      name: 'Edith QUAYLE',
      kind: 'person',
      role: 'director',
      appointedOn: '2011-02-01',
      resignedOn: null,
      nationality: 'British',
      country: 'United Kingdom',
      dateOfBirth: { year: 1971, month: 8, day: null },
    },
  ],
  owners: [
    {
      name: 'Edith Quayle',
      kind: 'person',
      sharesPercent: { from: 75, to: 100 },
      control: ['ownership-of-shares-75-to-100-percent'],
      registrationNumber: null,
      country: 'United Kingdom',
      nationality: 'British',
      dateOfBirth: { year: 1971, month: 8, day: null },
      notifiedOn: '2016-04-06',
      ceasedOn: null,
    },
  ],
  parents: { direct: null, ultimate: null },
  aml: {
    status: 'completed',
    reason: null,
    match: false,
    parties: [
      {
        roles: ['company'],
        name: 'HARBOUR LIGHTS LIMITED',
        kind: 'company',
        match: false,
        score: 0,
        hits: [],
        monitorId: null,
      },
      {
        roles: ['officer', 'owner'],
        name: 'Edith QUAYLE',
        kind: 'person',
        match: false,
        score: 0,
        hits: [],
        monitorId: null,
      },
    ],
    listsSearched: [{ list: 'un', version: 'alv_01JQZ7E5X8Z1C4F7J0M3P6R9T2', ageHours: 5, stale: false }],
    at: '2026-11-21T10:30:00.000Z',
  },
  matches: [],
  sources: [
    {
      provider: 'companies_house',
      status: 'answered',
      outcome: 'matched',
      reason: null,
      at: '2026-11-21T10:30:00.000Z',
      copy: null,
      dataAt: null,
    },
  ],
  risks: [],
  error: null,
  createdAt: '2026-11-21T10:29:59.000Z',
  completedAt: '2026-11-21T10:30:00.000Z',
};
