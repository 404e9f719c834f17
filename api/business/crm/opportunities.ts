import { z } from 'zod';
import {
  changeStage,
  createOpportunity,
  getOpportunity,
  listOpportunities,
  OPPORTUNITY_SORT_FIELDS,
  updateOpportunity,
} from '../../../services/business/crm/opportunities';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import { idPath, line, recordId, readOnlyField } from '../fields';
import {
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
  recordIdParameter,
} from '../listing';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';
import {
  exampleOpportunity,
  exampleOpportunityDetail,
  opportunityDetailSchema,
  presentOpportunityDetail,
  opportunityFields,
  opportunityName,
  opportunitySchema,
  presentOpportunity,
  stageField,
  parseExpectedCloseDate,
} from './opportunity-fields';

const READ_ONLY = ['id', 'leadId', 'stage', 'lostReason', 'closedAt', 'history', 'createdAt', 'updatedAt'] as const;
const TAG = 'CRM';
const opportunityReply = {
  schema: z.object({ data: opportunityDetailSchema }),
  example: { data: exampleOpportunityDetail },
};

const list = defineRoute({
  method: 'get',
  path: '/api/crm/opportunities',
  operationId: 'listOpportunities',
  summary: 'List opportunities',
  tag: TAG,
  permission: 'crm:read',
  query: z.strictObject({
    ...listParameters(OPPORTUNITY_SORT_FIELDS),
    stage: stageField.optional().meta({ 'x-addition': true }),
    customerId: recordIdParameter('a customer'),
    ownerId: recordIdParameter('a user'),
  }),
  replies: {
    200: {
      description: 'A page of opportunities and the exact total.',
      schema: buildListSchema(opportunitySchema),
      example: { data: [exampleOpportunity], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const { stage, customerId, ownerId } = query;
    const filter = { stage, customerId, ownerId, ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listOpportunities(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentOpportunity), totalCount, listRequest), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/crm/opportunities/:id',
  operationId: 'getOpportunity',
  summary: 'Opportunity detail',
  description: 'With every change of stage: when, by whom and why.',
  tag: TAG,
  addition: true,
  permission: 'crm:read',
  params: idPath,
  replies: { 200: { description: 'The opportunity.', ...opportunityReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await getOpportunity(caller, params.id);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentOpportunityDetail(record) }, caller.company.timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/crm/opportunities',
  operationId: 'createOpportunity',
  summary: 'Create an opportunity',
  description: 'It begins at the stage prospecting.',
  tag: TAG,
  addition: true,
  permission: 'crm:create',
  idempotent: true,
  body: z.strictObject({
    name: opportunityName,
    customerId: recordId.nullable().optional(),
    ...opportunityFields,
  }),
  bodyExample: { name: 'Fit out the Hamburg office', amount: 12_500, expectedCloseDate: '2027-01-31' },
  replies: {
    201: {
      description: 'The opportunity.',
      schema: z.object({ data: opportunityDetailSchema, message: z.string() }),
      example: { data: exampleOpportunityDetail, message: 'Opportunity 1 created.' },
    },
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input = parseExpectedCloseDate(body, timeZone);
    const record = await createOpportunity(context.platform, caller, input, context.idempotency);
    const message = `Opportunity ${record.id} created.`;
    return {
      status: 201,
      headers: { ...buildEtagHeader(record.version), Location: `/api/crm/opportunities/${record.id}` },
      body: serializeResponse({ data: presentOpportunityDetail(record), message }, timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/crm/opportunities/:id',
  operationId: 'updateOpportunity',
  summary: 'Update an opportunity',
  description: 'Changes what is sent; the stage is changed by its own operation. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'crm:update',
  params: idPath,
  body: z.strictObject({
    name: opportunityName.optional(),
    customerId: recordId.nullable().optional(),
    ...opportunityFields,
    id: readOnlyField,
    leadId: readOnlyField,
    stage: readOnlyField,
    lostReason: readOnlyField,
    closedAt: readOnlyField,
    history: readOnlyField,
    createdAt: readOnlyField,
    updatedAt: readOnlyField,
  }),
  bodyExample: { amount: 14_000 },
  replies: { 200: { description: 'The opportunity as it is now.', ...opportunityReply } },
  errors: { 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = serializeResponse(presentOpportunityDetail(await getOpportunity(caller, params.id)), timeZone);
    const input = parseExpectedCloseDate(stripReadOnlyFields(body, current, READ_ONLY), timeZone);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const record = await updateOpportunity(context.platform, caller, at, input);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentOpportunityDetail(record) }, timeZone),
    };
  },
});

const stage = defineRoute({
  method: 'put',
  path: '/api/crm/opportunities/:id/stage',
  operationId: 'changeOpportunityStage',
  summary: 'Change stage',
  description:
    'prospecting → qualified → proposal → negotiation → won. Forward by one stage or more, and to lost with a lostReason, from any open stage; back by one stage with a reason. Won and lost are final, except for administrators (`admin:update`), who give a reason. Honours If-Match.',
  tag: TAG,
  permission: 'crm:update',
  params: idPath,
  body: z.strictObject({
    stage: stageField,
    reason: line(500).optional().meta({ description: 'Why it goes back or is opened again.' }),
    lostReason: line(500).optional(),
  }),
  bodyExample: { stage: 'proposal' },
  replies: { 200: { description: 'The opportunity as it is now.', ...opportunityReply } },
  errors: {
    409: '`stage_transition_refused`: more than one stage back.',
    412: 'The record has changed since If-Match.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const record = await changeStage(context.platform, caller, at, body);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentOpportunityDetail(record) }, caller.company.timeZone),
    };
  },
});

export const opportunityRoutes: readonly Route[] = [list, detail, create, update, stage];
