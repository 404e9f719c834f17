import { z } from 'zod';
import { LEAD_STATUSES, OPEN_LEAD_STATUSES } from '../../../domain/business/crm/leads';
import type { LeadRecord } from '../../../models/business/crm/lead';
import {
  createLead,
  getLead,
  LEAD_SORT_FIELDS,
  listLeads,
  loseLead,
  updateLead,
} from '../../../services/business/crm/leads';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import { email, idPath, instant, line, paragraph, recordId, readOnlyField } from '../fields';
import {
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
  recordIdParameter,
} from '../listing';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

const status = z.enum(LEAD_STATUSES, { error: `must be one of ${LEAD_STATUSES.join(', ')}` });

export const leadSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  companyName: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  source: z.string().nullable(),
  notes: z.string().nullable(),
  ownerId: z.number().int().nullable(),
  status,
  lostReason: z.string().nullable(),
  customerId: z.number().int().nullable().meta({ description: 'What it was converted into.' }),
  opportunityId: z.number().int().nullable(),
  createdAt: instant,
  updatedAt: instant,
});

export const exampleLead = {
  id: 1,
  name: 'Kim Larsen',
  companyName: 'Nordlicht AG',
  email: 'kim@nordlicht.example',
  phone: null,
  source: 'fair',
  notes: null,
  ownerId: 2,
  status: 'qualified' as const,
  lostReason: null,
  customerId: null,
  opportunityId: null,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

export const presentLead = (record: LeadRecord) => ({
  id: record.id,
  name: record.name,
  companyName: record.companyName,
  email: record.email,
  phone: record.phone,
  source: record.source,
  notes: record.notes,
  ownerId: record.ownerId,
  status: record.status,
  lostReason: record.lostReason,
  customerId: record.customerId,
  opportunityId: record.opportunityId,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const editableFields = {
  companyName: line(200).nullable().optional(),
  email: email.nullable().optional(),
  phone: line(40).nullable().optional(),
  source: line(60).nullable().optional(),
  notes: paragraph(2000).nullable().optional(),
  ownerId: recordId.nullable().optional().meta({ description: 'The user who works on it.' }),
  status: status.optional().meta({
    description: `${OPEN_LEAD_STATUSES.join(', ')}; converted and lost are reached by their own operations. Default: new.`,
  }),
};

const READ_ONLY = ['id', 'lostReason', 'customerId', 'opportunityId', 'createdAt', 'updatedAt'] as const;
const TAG = 'CRM';
const leadReply = { schema: z.object({ data: leadSchema }), example: { data: exampleLead } };

const list = defineRoute({
  method: 'get',
  path: '/api/crm/leads',
  operationId: 'listLeads',
  summary: 'List leads',
  tag: TAG,
  permission: 'crm:read',
  query: z.strictObject({
    ...listParameters(LEAD_SORT_FIELDS),
    status: status.optional().meta({ 'x-addition': true }),
    ownerId: recordIdParameter('a user'),
  }),
  replies: {
    200: {
      description: 'A page of leads and the exact total.',
      schema: buildListSchema(leadSchema),
      example: { data: [exampleLead], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const filter = { status: query.status, ownerId: query.ownerId, ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listLeads(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentLead), totalCount, listRequest), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/crm/leads/:id',
  operationId: 'getLead',
  summary: 'Lead detail',
  tag: TAG,
  addition: true,
  permission: 'crm:read',
  params: idPath,
  replies: { 200: { description: 'The lead.', ...leadReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await getLead(caller, params.id);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentLead(record) }, caller.company.timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/crm/leads',
  operationId: 'createLead',
  summary: 'Create a lead',
  tag: TAG,
  permission: 'crm:create',
  idempotent: true,
  body: z.strictObject({ name: line(200), ...editableFields }),
  bodyExample: { name: 'Kim Larsen', companyName: 'Nordlicht AG', source: 'fair' },
  replies: {
    201: {
      description: 'The lead.',
      schema: z.object({ data: leadSchema, message: z.string() }),
      example: { data: exampleLead, message: 'Lead 1 created.' },
    },
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const record = await createLead(context.platform, caller, body, context.idempotency);
    return {
      status: 201,
      headers: { ...buildEtagHeader(record.version), Location: `/api/crm/leads/${record.id}` },
      body: serializeResponse(
        { data: presentLead(record), message: `Lead ${record.id} created.` },
        caller.company.timeZone,
      ),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/crm/leads/:id',
  operationId: 'updateLead',
  summary: 'Update a lead',
  description: 'Changes what is sent. A lost lead comes back by setting an open status. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'crm:update',
  params: idPath,
  body: z.strictObject({
    name: line(200).optional(),
    ...editableFields,
    id: readOnlyField,
    lostReason: readOnlyField,
    customerId: readOnlyField,
    opportunityId: readOnlyField,
    createdAt: readOnlyField,
    updatedAt: readOnlyField,
  }),
  bodyExample: { status: 'contacted' },
  replies: { 200: { description: 'The lead as it is now.', ...leadReply } },
  errors: { 409: '`lead_converted`: go on with what it became.', 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = serializeResponse(presentLead(await getLead(caller, params.id)), timeZone);
    const input = stripReadOnlyFields(body, current, READ_ONLY);
    const record = await updateLead(context.platform, caller, { id: params.id, ifMatch: parseIfMatch(context) }, input);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentLead(record) }, timeZone),
    };
  },
});

const lose = defineRoute({
  method: 'post',
  path: '/api/crm/leads/:id/lose',
  operationId: 'loseLead',
  summary: 'Lose a lead',
  tag: TAG,
  addition: true,
  permission: 'crm:update',
  params: idPath,
  body: z.strictObject({ reason: line(500) }),
  bodyExample: { reason: 'Chose a competitor' },
  replies: {
    200: {
      description: 'The lead as it is now.',
      schema: z.object({ data: leadSchema }),
      example: { data: { ...exampleLead, status: 'lost', lostReason: 'Chose a competitor' } },
    },
  },
  errors: { 409: '`lead_converted`: go on with what it became.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const record = await loseLead(context.platform, caller, params.id, body.reason);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentLead(record) }, caller.company.timeZone),
    };
  },
});

export const leadRoutes: readonly Route[] = [list, detail, create, update, lose];
