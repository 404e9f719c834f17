import { z } from 'zod';
import { notFoundError } from '../../../domain/errors';
import { CHECK_STATUSES } from '../../../domain/identity/checks/checks';
import type { AmlScreeningRecord } from '../../../models/identity/aml/aml-screening';
import { reviewHit } from '../../../services/identity/aml/reviews';
import type { EvaluatedHits } from '../../../services/identity/aml/reviews';
import {
  awaitScreening,
  getScreening,
  listScreenings,
  readScreeningHits,
  requireCompletedScreening,
  submitScreening,
} from '../../../services/identity/aml/screenings';
import type { Platform } from '../../../services/platform/platform';
import { buildCommaList } from '../../http/comma-list';
import { presentResultHits, readReviewers } from './hit-reviews';
import { buildCursorQuery, cursorPageFields, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import {
  screeningResultSchema,
  exampleScreeningResult,
  exampleScreening,
  hitSchema,
  pendingScreeningSchema,
  presentHit,
  presentScreening,
  presentScreeningSummary,
  screeningInput,
  screeningSummarySchema,
} from './screening-responses';
import { defineDeletionRoute } from '../erasure/erasures';
import { resolveGetWaitSeconds, resolveWaitSeconds, waitQuery } from '../waiting';
import { trimmedText } from '../../http/text';

const buildLocationHeader = (id: string): Record<string, string> => ({ Location: `/v1/aml/screenings/${id}` });

async function buildScreeningResult(
  platform: Platform,
  screening: AmlScreeningRecord,
): Promise<z.infer<typeof screeningResultSchema>> {
  const hits = await readScreeningHits(platform, screening);
  const names = await readReviewers(
    screening.organisationId,
    hits.map(({ record }) => record),
  );
  return {
    match: screening.match ?? false,
    score: screening.score ?? 0,
    hits: hits.map((hit) => presentHit(hit, names)),
    screening: presentScreening(screening),
  };
}

async function presentEvaluatedHits(organisationId: string, { hits, ...evaluated }: EvaluatedHits) {
  return { ...evaluated, hits: presentResultHits(hits, await readReviewers(organisationId, hits)) };
}

const examplePendingScreening = {
  screening: { ...exampleScreening, status: 'processing', listsSearched: [], completedAt: null },
};

const screen = defineRoute({
  method: 'post',
  path: '/v1/aml/screen',
  operationId: 'screenAml',
  summary: 'Screen a name against watch lists',
  description: [
    'Returns `match`, `score` and `hits`, or 503 if there is no result, which must not be treated as no match. The response is 202 only if the client requests it by `wait=0` or `Prefer: respond-async`.',
    'Every hit has an explanation of its score. A live key searches the lists that an operator has imported; a test key searches only a list of fictional names.',
  ].join('\n\n'),
  tag: 'AML',
  permission: 'aml:screen',
  idempotent: true,
  query: waitQuery,
  body: screeningInput,
  bodyExample: { fullName: 'Jane Example', entityType: 'person', dateOfBirth: '1980-01-31', nationality: 'FR' },
  replies: {
    200: {
      description: 'The result of the screening.',
      schema: screeningResultSchema,
      example: exampleScreeningResult,
    },
    202: {
      description: 'The screening, still processing; `Location` is the address of its result.',
      schema: pendingScreeningSchema,
      example: examplePendingScreening,
    },
  },
  errors: {
    422: 'The Idempotency-Key was used with another body.',
    503: 'No list is loaded (`lists_unavailable`), or the screening did not complete in time (`screening_unavailable`); see `Retry-After`.',
  },
  async handle({ platform, credential, preferences, idempotency }, { query, body }) {
    const { threshold, lists, monitoring, ...subject } = body;
    const input = { query: subject, threshold, lists, monitoring };
    const submitted = await submitScreening(platform, credential, credential.id, input, idempotency);
    const seconds = resolveWaitSeconds(query, preferences);
    if (seconds === 0 && submitted.status === 'processing') {
      return {
        status: 202,
        body: { screening: presentScreening(submitted) },
        headers: buildLocationHeader(submitted._id),
      };
    }
    const completed = requireCompletedScreening(await awaitScreening(platform, credential, submitted._id, seconds));
    return {
      status: 200,
      body: await buildScreeningResult(platform, completed),
      headers: buildLocationHeader(completed._id),
    };
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/aml/screenings/:id',
  operationId: 'getAmlScreening',
  summary: 'Get a screening with its hits',
  tag: 'AML',
  addition: true,
  permission: 'aml:read',
  params: z.object({ id: idParam('aml') }),
  query: waitQuery,
  replies: {
    200: {
      description: 'The result of the screening.',
      schema: screeningResultSchema,
      example: exampleScreeningResult,
    },
    202: {
      description: 'The screening without a result: still processing or failed, see `screening.status`.',
      schema: pendingScreeningSchema,
      example: examplePendingScreening,
    },
  },
  async handle({ platform, credential, preferences }, { params, query }) {
    const waitSeconds = resolveGetWaitSeconds(query, preferences);
    const screening = await awaitScreening(platform, credential, params.id, waitSeconds);
    return screening.status === 'completed'
      ? { status: 200, body: await buildScreeningResult(platform, screening) }
      : { status: 202, body: { screening: presentScreening(screening) } };
  },
});

const review = defineRoute({
  method: 'post',
  path: '/v1/aml/hits/:id/review',
  operationId: 'reviewAmlHit',
  summary: 'Review a hit',
  description:
    'Reviews a hit of a screening, of a session or of a party of a business check. The review applies to the same subject and entry until either changes: a false positive no longer makes a match, neither in this screening nor in later ones. In sessions an equal `externalId`, name and date of birth denote the same subject, whatever the document. A session without a decision is evaluated again, and still waits for its reviewer. The risks and the status of a business check are evaluated again, too.',
  tag: 'AML',
  addition: true,
  permission: 'aml:review',
  params: z.object({ id: idParam('hit') }),
  body: z.strictObject({
    status: z.enum(['false_positive', 'confirmed', 'inconclusive']),
    reason: trimmedText(1000),
  }),
  bodyExample: { status: 'false_positive', reason: 'Another date and place of birth.' },
  replies: {
    200: {
      description:
        'The hit, and the new evaluation of its screening, of the check of its session or of all parties of its business check.',
      schema: z.object({ hit: hitSchema, match: z.boolean(), score: z.number() }),
    },
  },
  async handle({ platform, credential }, { params, body }) {
    const reviewed = await reviewHit(platform, credential, credential.id, params.id, body);
    const { match, score, hits } =
      reviewed.of === 'check'
        ? await presentEvaluatedHits(credential.organisationId, reviewed.evaluated)
        : await buildScreeningResult(platform, await getScreening(credential, reviewed.screeningId));
    const hit = hits.find(({ id }) => id === params.id);
    if (hit === undefined) throw notFoundError('hit');
    return { status: 200, body: { hit, match, score } };
  },
});

const remove = defineDeletionRoute({
  kind: 'screening',
  prefix: 'aml',
  path: '/v1/aml/screenings/:id',
  operationId: 'deleteAmlScreening',
  summary: 'Delete a screening, its monitor and the subject',
  tag: 'AML',
  permission: 'aml:delete',
  addition: true,
  errors: {
    409: 'The screening was made by a monitor: `details.recordId` names the screening or business check to delete.',
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/aml/screenings',
  operationId: 'listAmlScreenings',
  summary: 'List screenings',
  description: 'Screenings of clients and of monitors with their outcome, without subjects and hits.',
  tag: 'AML',
  addition: true,
  permission: 'aml:read',
  query: buildCursorQuery('aml').extend({
    status: buildCommaList(CHECK_STATUSES).optional(),
    match: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional()
      .meta({ type: 'boolean' }),
    monitorId: z.string().min(1).max(64).optional(),
  }),
  replies: {
    200: {
      description: 'Screenings, newest first; `total` counts all that match the filters.',
      schema: z.object({ screenings: z.array(screeningSummarySchema), ...cursorPageFields }),
      example: {
        screenings: [{ ...exampleScreening, match: false, score: 0, hitCount: 0 }],
        total: 1,
        nextCursor: null,
      },
    },
  },
  async handle({ credential }, { query: { status: statuses, match, monitorId, ...pageRequest } }) {
    const { records, ...page } = await listScreenings(credential, { statuses, match, monitorId }, pageRequest);
    return { status: 200, body: { screenings: records.map(presentScreeningSummary), ...page } };
  },
});

export const amlRoutes: readonly Route[] = [screen, list, get, review, remove];
