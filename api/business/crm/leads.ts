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
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { email, idPath, instant, line, paragraph, readOnlyFields, recordId } from '../fields';
import { choicesParameter, listParameters, parseCreatedFilter, recordIdsParameter } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';
import { buildEtagHeader } from '../revisions';

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
  customerId: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Id of the customer into which the lead was converted.' }),
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

/** Response body of a lead; `customerId` and `opportunityId` are null until it is converted. */
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
  ownerId: recordId.nullable().optional().meta({ description: 'Id of the responsible user.' }),
  status: status.optional().meta({
    description: `Open status: ${OPEN_LEAD_STATUSES.join(', ')}. The statuses converted and lost are set by their own operations. Default: new.`,
  }),
};

const READ_ONLY = ['id', 'lostReason', 'customerId', 'opportunityId', 'createdAt', 'updatedAt'] as const;
const TAG = 'CRM';

const recordRoutes = defineRecordRoutes({
  path: '/api/crm/leads',
  tag: TAG,
  nouns: { one: 'lead', many: 'leads' },
  permissions: { read: 'crm:read', create: 'crm:create', update: 'crm:update' },
  ...definePresentation(leadSchema, exampleLead, presentLead),
  get: getLead,
  list: {
    operationId: 'listLeads',
    summary: 'List leads',
    query: z.strictObject({
      ...listParameters(LEAD_SORT_FIELDS),
      status: choicesParameter(LEAD_STATUSES),
      ownerId: recordIdsParameter('a user'),
    }),
    read: (caller, query, listRequest) => {
      const filter = {
        status: query.status,
        ownerId: query.ownerId,
        ...parseCreatedFilter(query, caller.company.timeZone),
      };
      return listLeads(caller, filter, listRequest);
    },
  },
  detail: { operationId: 'getLead', summary: 'Lead detail', addition: true },
  create: {
    operationId: 'createLead',
    summary: 'Create a lead',
    body: z.strictObject({ name: line(200), ...editableFields }),
    bodyExample: { name: 'Kim Larsen', companyName: 'Nordlicht AG', source: 'fair' },
    message: ({ id }) => `Lead ${id} created.`,
    exampleMessage: 'Lead 1 created.',
    create: createLead,
  },
  update: {
    operationId: 'updateLead',
    summary: 'Update a lead',
    description:
      'Changes the fields that are sent. Setting an open status on a lost lead reopens it. Honours If-Match.',
    addition: true,
    body: z.strictObject({ name: line(200).optional(), ...editableFields, ...readOnlyFields(READ_ONLY) }),
    bodyExample: { status: 'contacted' },
    readOnly: READ_ONLY,
    update: updateLead,
    errors: { 409: '`lead_converted`: the lead has been converted; change the customer or opportunity instead.' },
  },
});

const lose = defineRoute({
  method: 'post',
  path: '/api/crm/leads/:id/lose',
  operationId: 'loseLead',
  summary: 'Mark a lead as lost',
  tag: TAG,
  addition: true,
  permission: 'crm:update',
  params: idPath,
  body: z.strictObject({ reason: line(500) }),
  bodyExample: { reason: 'Chose a competitor' },
  replies: {
    200: {
      description: 'The updated lead.',
      schema: z.object({ data: leadSchema }),
      example: { data: { ...exampleLead, status: 'lost', lostReason: 'Chose a competitor' } },
    },
  },
  errors: { 409: '`lead_converted`: the lead has been converted.' },
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

export const leadRoutes: readonly Route[] = [...recordRoutes, lose];
