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
import { answer } from '../responses';
import { callerOf } from '../caller';
import { idPath, line, recordId, unread } from '../fields';
import { createdFilter, listAnswer, listParameters, listQuery, listShape, numberParameter } from '../listing';
import { etag, ifMatch, withoutReadOnly } from '../revisions';
import {
  exampleOpportunity,
  exampleOpportunityDetail,
  opportunityDetailShape,
  opportunityDetailView,
  opportunityFields,
  opportunityName,
  opportunityShape,
  opportunityView,
  stageField,
  withStoredDay,
} from './opportunity-fields';

const READ_ONLY = ['id', 'leadId', 'stage', 'lostReason', 'closedAt', 'history', 'createdAt', 'updatedAt'] as const;
const TAG = 'CRM';
const one = { schema: z.object({ data: opportunityDetailShape }), example: { data: exampleOpportunityDetail } };

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
    customerId: numberParameter('a customer'),
    ownerId: numberParameter('a user'),
  }),
  replies: {
    200: {
      description: 'A page of opportunities and the exact total.',
      schema: listShape(opportunityShape),
      example: { data: [exampleOpportunity], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const asked = listQuery(query, { by: 'id', dir: 'asc' });
    const { stage, customerId, ownerId } = query;
    const filter = { stage, customerId, ownerId, ...createdFilter(query, timeZone) };
    const { rows, totalCount } = await listOpportunities(caller, filter, asked);
    return { status: 200, body: answer(listAnswer(rows.map(opportunityView), totalCount, asked), timeZone) };
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
  replies: { 200: { description: 'The opportunity.', ...one } },
  async handle(context, { params }) {
    const caller = await callerOf(context);
    const record = await getOpportunity(caller, params.id);
    return {
      status: 200,
      headers: etag(record.version),
      body: answer({ data: opportunityDetailView(record) }, caller.company.timeZone),
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
      schema: z.object({ data: opportunityDetailShape, message: z.string() }),
      example: { data: exampleOpportunityDetail, message: 'Opportunity 1 created.' },
    },
  },
  async handle(context, { body }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const input = withStoredDay(body, timeZone);
    const record = await createOpportunity(context.platform, caller, input, context.idempotency);
    const message = `Opportunity ${record.id} created.`;
    return {
      status: 201,
      headers: { ...etag(record.version), Location: `/api/crm/opportunities/${record.id}` },
      body: answer({ data: opportunityDetailView(record), message }, timeZone),
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
    id: unread,
    leadId: unread,
    stage: unread,
    lostReason: unread,
    closedAt: unread,
    history: unread,
    createdAt: unread,
    updatedAt: unread,
  }),
  bodyExample: { amount: 14_000 },
  replies: { 200: { description: 'The opportunity as it is now.', ...one } },
  errors: { 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const current = answer(opportunityDetailView(await getOpportunity(caller, params.id)), timeZone);
    const input = withStoredDay(withoutReadOnly(body, current, READ_ONLY), timeZone);
    const at = { id: params.id, ifMatch: ifMatch(context) };
    const record = await updateOpportunity(context.platform, caller, at, input);
    return {
      status: 200,
      headers: etag(record.version),
      body: answer({ data: opportunityDetailView(record) }, timeZone),
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
  replies: { 200: { description: 'The opportunity as it is now.', ...one } },
  errors: {
    409: '`stage_transition_refused`: more than one stage back.',
    412: 'The record has changed since If-Match.',
  },
  async handle(context, { params, body }) {
    const caller = await callerOf(context);
    const at = { id: params.id, ifMatch: ifMatch(context) };
    const record = await changeStage(context.platform, caller, at, body);
    return {
      status: 200,
      headers: etag(record.version),
      body: answer({ data: opportunityDetailView(record) }, caller.company.timeZone),
    };
  },
});

export const opportunityRoutes: readonly Route[] = [list, detail, create, update, stage];
