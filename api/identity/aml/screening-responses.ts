import { z } from 'zod';
import { ENTITY_TYPES } from '../../../domain/identity/aml/entry';
import { isSearchableName } from '../../../domain/identity/aml/names';
import { AML_REVIEW_STATUSES } from '../../../domain/identity/aml/review';
import { MIN_THRESHOLD, MATCH_THRESHOLD } from '../../../domain/identity/aml/thresholds';
import { CHECK_STATUSES } from '../../../domain/identity/checks/checks';
import { RISK_CODES } from '../../../domain/identity/checks/risks';
import type { AmlMonitorRecord } from '../../../models/identity/aml/aml-monitor';
import { AML_ORIGINS } from '../../../models/identity/aml/aml-screening';
import type { AmlScreeningRecord } from '../../../models/identity/aml/aml-screening';
import type { HitDetail } from '../../../services/identity/aml/screenings';
import { toReviewFields } from '../../../services/identity/aml/session-result';
import { isPartyMonitor } from '../../../services/identity/kyb/monitoring';
import { actorName } from '../../platform/access/actor-names';
import type { ActorNames } from '../../platform/access/actor-names';
import { rejectFutureBirthDate } from '../birth-date';
import { countryCode } from '../country';
import { presentHitReview } from './hit-reviews';

/** A year, a month or a day of the calendar. */
const PARTIAL_DATE = new RegExp(`^(?:\\d{4}(?:-(?:0[1-9]|1[0-2]))?|${z.regexes.date.source.replace(/^\^|\$$/g, '')})$`);

export const screeningInput = z.strictObject({
  fullName: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(300)
    .refine((name) => isSearchableName(name), 'must contain a letter or a digit of a name')
    .meta({ pattern: '[\\p{L}\\p{N}]', description: 'Name of the subject, in any script and any order of its parts.' }),
  entityType: z.enum([...ENTITY_TYPES, 'any']).default('any'),
  dateOfBirth: rejectFutureBirthDate(
    z.string().regex(PARTIAL_DATE, 'accepts a date of the calendar as YYYY, YYYY-MM or YYYY-MM-DD'),
  )
    .optional()
    .meta({ description: 'Date of birth as YYYY, YYYY-MM or YYYY-MM-DD, not in the future.' }),
  nationality: countryCode.optional(),
  country: countryCode
    .optional()
    .meta({ description: 'Country of residence or registration, ISO 3166-1 alpha-2 or alpha-3.' }),
  documentNumber: z.string().trim().min(3).max(64).optional(),
  gender: z.enum(['male', 'female']).optional(),
  threshold: z
    .number()
    .min(MIN_THRESHOLD)
    .max(100)
    .optional()
    .meta({ description: `Score from which an entry is a hit. Default: ${MATCH_THRESHOLD}.` }),
  lists: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(50)
    .optional()
    .meta({ description: 'Codes of the lists to search. Default: all loaded lists.' }),
  monitoring: z
    .boolean()
    .optional()
    .meta({ description: 'Whether to screen the subject again whenever a relevant list entry changes.' }),
});

const amlExplanationSchema = z
  .object({
    part: z.enum(['name', 'alias', 'weak_alias', 'date_of_birth', 'country', 'gender', 'document', 'limits']),
    weight: z.number(),
    queryValue: z.string().nullable(),
    listValue: z.string().nullable(),
    effect: z
      .number()
      .meta({ description: 'Effect on the score in points; the effects of all parts add up to the score.' }),
  })
  .meta({ id: 'AmlExplanation' });

const amlReviewSchema = z
  .object({
    status: z.enum(['false_positive', 'confirmed', 'inconclusive']),
    reason: z.string(),
    by: z.string().meta({ description: 'Id of the user or API key.' }),
    byName: actorName,
    at: z.iso.datetime(),
  })
  .meta({ id: 'AmlReview' });

export const hitSchema = z
  .object({
    id: z.string(),
    list: z.string(),
    listVersion: z.string(),
    entryId: z.string(),
    entryHash: z.string().meta({
      description: 'SHA-256 of the facts that the list states about the entry, hex. A review holds until it changes.',
    }),
    entityType: z.enum([...ENTITY_TYPES, 'unknown']),
    caption: z.string(),
    matchedName: z.string(),
    score: z.number(),
    explanation: z.array(amlExplanationSchema),
    aliases: z.array(z.string()),
    datesOfBirth: z
      .array(z.string())
      .meta({ description: 'Dates of birth as YYYY, YYYY-MM or YYYY-MM-DD, prefixed with `~` if approximate.' }),
    countries: z.array(z.string()),
    genders: z.array(z.string()),
    programs: z.array(z.string()),
    identifiers: z.array(z.object({ type: z.string(), value: z.string(), country: z.string().nullable() })),
    positions: z.array(z.string()),
    addresses: z.array(z.string()),
    remarks: z.string().nullable(),
    sourceUrl: z.string().nullable(),
    firstSeen: z.iso.datetime(),
    lastChanged: z.iso.datetime(),
    reviewStatus: z.enum(AML_REVIEW_STATUSES),
    review: z.union([amlReviewSchema, z.null()]),
  })
  .meta({ id: 'AmlHit', description: 'An entry of a watch list that may be the screened subject.' });

export const AGE_DESCRIPTION =
  'Hours since the date that the publisher states in the list, or, without one, since it was last confirmed to be the newest.';

export const searchedListSchema = z
  .object({
    list: z.string(),
    title: z.string(),
    version: z.string(),
    importedAt: z.iso.datetime(),
    ageHours: z.number().int().meta({ description: AGE_DESCRIPTION }),
    stale: z.boolean(),
  })
  .meta({ id: 'AmlSearchedList' });

export const screeningSchema = z
  .object({
    id: z.string(),
    mode: z.enum(['live', 'test']),
    status: z.enum(CHECK_STATUSES),
    origin: z.enum(AML_ORIGINS),
    monitorId: z.string().nullable(),
    threshold: z.number(),
    lists: z.array(z.string()).nullable(),
    listsSearched: z.array(searchedListSchema),
    listsNotLoaded: z.array(z.string()).meta({ description: 'Requested lists that are not loaded.' }),
    risks: z.array(z.enum(RISK_CODES)),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AmlScreening' });

export const screeningResultSchema = z.object({
  match: z.boolean().meta({ description: 'Whether there is a hit that no reviewer has marked as a false positive.' }),
  score: z.number().meta({ description: 'Score of the best such hit, 0–100.' }),
  hits: z.array(hitSchema),
  screening: screeningSchema,
});

export const pendingScreeningSchema = z.object({ screening: screeningSchema });

/** A screening in lists: its outcome without the hits. */
export const screeningSummarySchema = screeningSchema
  .extend({
    match: z.boolean().nullable().meta({ description: 'Null until the screening is completed.' }),
    score: z.number().nullable(),
    hitCount: z.number().int().nullable().meta({ description: 'Number of hits, reviewed ones among them.' }),
  })
  .meta({ id: 'AmlScreeningSummary' });

/** A screening in lists; match, score and number of hits are null until it is completed. */
export const presentScreeningSummary = (screening: AmlScreeningRecord): z.infer<typeof screeningSummarySchema> => ({
  ...presentScreening(screening),
  match: screening.match,
  score: screening.score,
  hitCount: screening.hitCount,
});

/**
 * Response body of a hit: the entry as the list stated it at the time of the screening, and the review of it.
 * @param names of the reviewers
 */
export function presentHit({ record, found }: HitDetail, names: ActorNames): z.infer<typeof hitSchema> {
  const { entry } = found;
  return {
    id: found.id,
    list: found.list,
    listVersion: found.listVersion,
    entryId: entry.id,
    entryHash: entry.hash,
    entityType: entry.type,
    caption: entry.caption,
    matchedName: found.matchedName,
    score: found.score,
    explanation: found.explanation,
    aliases: entry.aliases.map(({ name }) => name),
    datesOfBirth: entry.datesOfBirth,
    countries: entry.countries,
    genders: entry.genders,
    programs: entry.programs,
    identifiers: entry.identifiers,
    positions: entry.positions,
    addresses: entry.addresses,
    remarks: entry.remarks,
    sourceUrl: entry.sourceUrl,
    firstSeen: entry.firstSeen,
    lastChanged: entry.lastChanged,
    ...presentHitReview(toReviewFields(record.review), names),
  };
}

/** Response body of a screening without its subject and hits. Lists count as not loaded only once it is completed. */
export function presentScreening(screening: AmlScreeningRecord): z.infer<typeof screeningSchema> {
  const { lists, listsSearched, status, failure } = screening;
  const searched = listsSearched.map(({ list }) => list);
  return {
    id: screening._id,
    mode: screening.mode,
    status,
    origin: screening.origin,
    monitorId: screening.monitorId,
    threshold: screening.threshold,
    lists,
    listsSearched: listsSearched.map((list) => ({ ...list, importedAt: list.importedAt.toISOString() })),
    listsNotLoaded: status === 'completed' ? (lists ?? []).filter((code) => !searched.includes(code)) : [],
    risks: RISK_CODES.filter((code) => screening.risks.includes(code)),
    error: failure === null ? null : { code: failure, message: 'The screening failed and has no result.' },
    createdAt: screening.createdAt.toISOString(),
    completedAt: screening.completedAt?.toISOString() ?? null,
  };
}

export const monitorSchema = z
  .object({
    id: z.string(),
    screeningId: z.string().nullable().meta({
      description:
        'Screening that started the monitor; deleting it ends the monitor. Null for a party of a business check.',
    }),
    kybId: z.string().nullable().meta({
      description: 'Business check whose party is monitored; deleting it ends the monitor. Null for other subjects.',
    }),
    threshold: z.number(),
    lists: z.array(z.string()).nullable(),
    lastScreeningId: z.string().nullable().meta({
      description: 'Last screening; null until a party of a business check is screened again.',
    }),
    lastScreenedAt: z.iso.datetime(),
    alerts: z.number().int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AmlMonitor' });

/**
 * Response body of a monitor without its subject. It belongs to a screening or to a business check, and its last
 * screening is null while it is that business check itself.
 */
export function presentMonitor(monitor: AmlMonitorRecord): z.infer<typeof monitorSchema> {
  const { recordId, lastScreeningId } = monitor;
  const kybId = isPartyMonitor(monitor) ? recordId : null;
  return {
    id: monitor._id,
    screeningId: kybId === null ? recordId : null,
    kybId,
    threshold: monitor.threshold,
    lists: monitor.lists,
    lastScreeningId: lastScreeningId === kybId ? null : lastScreeningId,
    lastScreenedAt: monitor.lastScreenedAt.toISOString(),
    alerts: monitor.alerts,
    createdAt: monitor.createdAt.toISOString(),
  };
}

export const exampleScreening = {
  id: 'aml_01JQZ7A1B3C5D7E9F1G3H5J7K9',
  mode: 'live',
  status: 'completed',
  origin: 'client',
  monitorId: null,
  threshold: 70,
  lists: null,
  listsSearched: [
    {
      list: 'un',
      title: 'United Nations Security Council consolidated list',
      version: 'alv_01JQZ5S1T3V5W7X9Y1Z3A5B7C9',
      importedAt: '2026-11-21T06:00:00.000Z',
      ageHours: 4,
      stale: false,
    },
  ],
  listsNotLoaded: [],
  risks: [],
  error: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  completedAt: '2026-11-21T10:00:00.060Z',
};

export const exampleScreeningResult = { match: false, score: 0, hits: [], screening: exampleScreening };

export const exampleMonitor = {
  id: 'mon_01JQZ7B1C3D5E7F9G1H3J5K7M9',
  screeningId: exampleScreening.id,
  kybId: null,
  threshold: 70,
  lists: null,
  lastScreeningId: exampleScreening.id,
  lastScreenedAt: '2026-11-21T10:00:00.060Z',
  alerts: 0,
  createdAt: '2026-11-21T10:00:00.000Z',
};
