import { z } from 'zod';
import { KYB_STATUSES } from '../../../domain/identity/kyb/company';
import { awaitKybCheck, listKybChecks, submitKybCheck } from '../../../services/identity/kyb/checks';
import { buildCursorQuery, cursorPageFields, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { countryCode } from '../country';
import { buildCommaList } from '../../http/comma-list';
import { defineDeletionRoute } from '../erasure/erasures';
import { exampleKybCheck, buildKybCheckReply, presentKybChecks, presentNamedKybCheck } from './kyb-check-responses';
import { kybRequest, kybCheckSchema } from './kyb-responses';
import { createdRangeFields, parseTimeRange } from '../time-range';
import { resolveGetWaitSeconds, resolveWaitSeconds, waitQuery } from '../waiting';

const kybCheckReplySchema = z.object({ check: kybCheckSchema });

const create = defineRoute({
  method: 'post',
  path: '/v1/kyb',
  operationId: 'createKybCheck',
  summary: 'Run a business check',
  description: [
    'Queries every register that may contain the company: the organisation’s own, Companies House, GLEIF, and VIES if a VAT number is given. A given number decides which company is selected; otherwise its name must be equal and match clearly better than the next one.',
    'An unavailable register is queried again for a limited time and then reported as `kyb_registry_unavailable`; it never counts as proof that the company does not exist.',
    'The company that was found, its officers, owners and parents are screened against the watch lists (`aml`); a match, or lists that could not be searched, require a review. Hits are reviewed with `POST /v1/aml/hits/:id/review`; with `monitoring` every screened party is screened again when a list changes (`monitorId`, event `aml.alert`). GLEIF is queried in its golden copy if the installation imported one (`copy` of the source).',
  ].join('\n\n'),
  tag: 'Business checks',
  permission: 'kyb:write',
  idempotent: true,
  query: waitQuery,
  body: kybRequest,
  bodyExample: { companyName: 'Harbour Lights', country: 'GB', registrationNumber: '01234567' },
  replies: {
    201: {
      description: 'The completed check.',
      schema: kybCheckReplySchema,
      example: { check: exampleKybCheck },
    },
    202: { description: 'The check, still processing; `Location` is its address.', schema: kybCheckReplySchema },
  },
  async handle({ platform, credential, preferences, idempotency }, { query, body }) {
    const requested = {
      companyName: body.companyName,
      country: body.country ?? null,
      registrationNumber: body.registrationNumber ?? null,
      vatNumber: body.vatNumber ?? null,
      lei: body.lei ?? null,
    };
    const input = { query: requested, monitoring: body.monitoring ?? false };
    const check = await submitKybCheck(platform, credential, credential.id, input, idempotency);
    return buildKybCheckReply(
      await awaitKybCheck(platform, credential, check._id, resolveWaitSeconds(query, preferences)),
    );
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/kyb/:id',
  operationId: 'getKybCheck',
  summary: 'Get a business check',
  description: 'With `wait`, the response is delayed until the check has completed or the time has elapsed.',
  tag: 'Business checks',
  permission: 'kyb:read',
  params: z.object({ id: idParam('kyb') }),
  query: waitQuery,
  replies: { 200: { description: 'The check.', schema: kybCheckReplySchema, example: { check: exampleKybCheck } } },
  async handle({ platform, credential, preferences }, { params, query }) {
    const waitSeconds = resolveGetWaitSeconds(query, preferences);
    const check = await awaitKybCheck(platform, credential, params.id, waitSeconds);
    return { status: 200, body: { check: await presentNamedKybCheck(check) } };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/kyb',
  operationId: 'listKybChecks',
  summary: 'List business checks',
  tag: 'Business checks',
  permission: 'kyb:read',
  query: buildCursorQuery('kyb').extend({
    status: buildCommaList(KYB_STATUSES).optional(),
    country: countryCode
      .optional()
      .meta({ type: 'string', description: 'Requested country, ISO 3166-1 alpha-2 or alpha-3.' }),
    ...createdRangeFields,
  }),
  replies: {
    200: {
      description: 'A page of checks, newest first; `total` counts all checks that match the filters.',
      schema: z.object({ checks: z.array(kybCheckSchema), ...cursorPageFields }),
      example: { checks: [exampleKybCheck], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query }) {
    const filter = { statuses: query.status, country: query.country, ...parseTimeRange(query) };
    const { records, ...page } = await listKybChecks(credential, filter, query);
    return { status: 200, body: { checks: await presentKybChecks(credential.organisationId, records), ...page } };
  },
});

export const kybRoutes: readonly Route[] = [
  create,
  list,
  get,
  defineDeletionRoute({
    kind: 'kyb',
    prefix: 'kyb',
    path: '/v1/kyb/:id',
    operationId: 'deleteKybCheck',
    summary: 'Delete a business check with the people in it, their hits and monitors',
    tag: 'Business checks',
    permission: 'kyb:write',
    addition: true,
  }),
];
