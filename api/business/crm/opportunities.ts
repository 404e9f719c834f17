import { z } from 'zod';
import { OPPORTUNITY_STAGES } from '../../../domain/business/crm/opportunity-stages';
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
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { idPath, line, readOnlyFields, recordId } from '../fields';
import { choicesParameter, listParameters, parseCreatedFilter, recordIdsParameter } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';
import { buildEtagHeader, parseIfMatch } from '../revisions';
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

const recordRoutes = defineRecordRoutes({
  path: '/api/crm/opportunities',
  tag: TAG,
  nouns: { one: 'opportunity', many: 'opportunities' },
  permissions: { read: 'crm:read', create: 'crm:create', update: 'crm:update' },
  ...definePresentation(opportunityDetailSchema, exampleOpportunityDetail, presentOpportunityDetail),
  get: getOpportunity,
  list: {
    operationId: 'listOpportunities',
    summary: 'List opportunities',
    query: z.strictObject({
      ...listParameters(OPPORTUNITY_SORT_FIELDS),
      stage: choicesParameter(OPPORTUNITY_STAGES),
      customerId: recordIdsParameter('a customer'),
      ownerId: recordIdsParameter('a user'),
    }),
    item: definePresentation(opportunitySchema, exampleOpportunity, presentOpportunity),
    read: (caller, query, listRequest) => {
      const { stage, customerId, ownerId } = query;
      const filter = { stage, customerId, ownerId, ...parseCreatedFilter(query, caller.company.timeZone) };
      return listOpportunities(caller, filter, listRequest);
    },
  },
  detail: {
    operationId: 'getOpportunity',
    summary: 'Opportunity detail',
    description: 'Includes every change of stage: when, by whom and why.',
    addition: true,
  },
  create: {
    operationId: 'createOpportunity',
    summary: 'Create an opportunity',
    description: 'A new opportunity is at the stage `prospecting`.',
    addition: true,
    body: z.strictObject({
      name: opportunityName,
      customerId: recordId.nullable().optional(),
      ...opportunityFields,
    }),
    bodyExample: { name: 'Fit out the Hamburg office', amount: 12_500, expectedCloseDate: '2027-01-31' },
    message: ({ id }) => `Opportunity ${id} created.`,
    exampleMessage: 'Opportunity 1 created.',
    create: (platform, caller, body, use) =>
      createOpportunity(platform, caller, parseExpectedCloseDate(body, caller.company.timeZone), use),
  },
  update: {
    operationId: 'updateOpportunity',
    summary: 'Update an opportunity',
    description:
      'Changes the fields that are sent; the stage is changed by its own operation. A won or lost opportunity keeps `amount`, `currencyCode`, `customerId` and `expectedCloseDate`. Honours If-Match.',
    addition: true,
    body: z.strictObject({
      name: opportunityName.optional(),
      customerId: recordId.nullable().optional(),
      ...opportunityFields,
      ...readOnlyFields(READ_ONLY),
    }),
    bodyExample: { amount: 14_000 },
    errors: {
      409: '`opportunity_closed`: the opportunity is won or lost, and a field that states its outcome would change.',
    },
    readOnly: READ_ONLY,
    update: (platform, caller, at, input) =>
      updateOpportunity(platform, caller, at, parseExpectedCloseDate(input, caller.company.timeZone)),
  },
});

const stage = defineRoute({
  method: 'put',
  path: '/api/crm/opportunities/:id/stage',
  operationId: 'changeOpportunityStage',
  summary: 'Change stage',
  description:
    'The stages are prospecting → qualified → proposal → negotiation → won. An open opportunity can move forward by one or more stages, back by one stage with a `reason`, or to `lost` with a `lostReason`. Won and lost are final; only administrators (`admin:update`) can reopen the opportunity, with a `reason`. Honours If-Match.',
  tag: TAG,
  permission: 'crm:update',
  idempotent: true,
  params: idPath,
  body: z.strictObject({
    stage: stageField,
    reason: line(500).optional().meta({ description: 'Reason for moving the opportunity back or reopening it.' }),
    lostReason: line(500).optional(),
  }),
  bodyExample: { stage: 'proposal' },
  replies: {
    200: {
      description: 'The updated opportunity.',
      schema: z.object({ data: opportunityDetailSchema }),
      example: { data: exampleOpportunityDetail },
    },
  },
  errors: {
    409: '`stage_transition_refused`: the opportunity would move back by more than one stage; or the Idempotency-Key is in use.',
    412: 'The record has changed since the version that If-Match names.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const record = await changeStage(context.platform, caller, at, body, context.idempotency);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: await presentOpportunityDetail(record) }, caller.company.timeZone),
    };
  },
});

export const opportunityRoutes: readonly Route[] = [...recordRoutes, stage];
