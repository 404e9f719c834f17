import { z } from 'zod';
import { AUDIT_SORT_FIELDS, listAuditEntries } from '../../../services/business/access/audit-log';
import type { AuditEntryDetail } from '../../../services/business/access/audit-log';
import { verifyAuditSegment } from '../../../services/platform/audit/verification';
import { auditVerificationFields, auditVerificationQuery } from '../../platform/audit/audit';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import { instant } from '../fields';
import { parseCreatedFilter, buildListResponse, listParameters, toListRequest, buildListSchema } from '../listing';

const exactFilter = z.string({ error: 'must be given once' }).min(1, 'must not be empty').max(100).optional();

const auditEntrySchema = z.object({
  id: z.string(),
  at: instant,
  actor: z.string().meta({ description: 'Id of the user or key; `system` for the service itself.' }),
  actorName: z.string().nullable().meta({ description: 'The name of the user or key today.' }),
  action: z.string().meta({ description: '`resource.action`, such as `invoice.issued`.' }),
  subject: z.string().meta({ description: 'The record acted upon.' }),
  fields: z.array(z.string()).meta({ description: 'Names of what was written, never values.' }),
  reason: z.string().nullable(),
  requestId: z.string().nullable(),
  position: z.number().int().nullable().meta({ description: 'Place in the chain; null until it is sealed.' }),
  hash: z.string().nullable(),
});

const exampleAuditEntry = {
  id: 'aud_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  at: '2026-11-21T10:00:00.000+01:00',
  actor: 'usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  actorName: 'Alex Kim',
  action: 'period.locked',
  subject: 'period:2026-10-31',
  fields: ['lockedThrough'],
  reason: null,
  requestId: 'req_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  position: 4711,
  hash: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
};

const presentAuditEntry = ({ record, actorName }: AuditEntryDetail) => ({
  id: record._id,
  at: record.at,
  actor: record.actor,
  actorName,
  action: record.action,
  subject: record.subject,
  fields: record.fields,
  reason: record.reason ?? null,
  requestId: record.requestId ?? null,
  position: record.position ?? null,
  hash: record.hash ?? null,
});

const list = defineRoute({
  method: 'get',
  path: '/api/admin/audit-log',
  operationId: 'listAuditLog',
  summary: 'Who did what',
  description:
    'Newest first: ids and names of fields, never values. dateFrom and dateTo filter the time; every word of search must begin the action, the subject or the actor.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:read',
  query: z.strictObject({
    ...listParameters(AUDIT_SORT_FIELDS),
    action: exactFilter,
    subject: exactFilter,
    actor: exactFilter,
  }),
  replies: {
    200: {
      description: 'A page of entries and the exact total.',
      schema: buildListSchema(auditEntrySchema),
      example: { data: [exampleAuditEntry], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'at', dir: 'desc' });
    const { action, subject, actor } = query;
    const filter = { action, subject, actor, ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listAuditEntries(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentAuditEntry), totalCount, listRequest), timeZone),
    };
  },
});

const verify = defineRoute({
  method: 'get',
  path: '/api/admin/audit-log/verify',
  operationId: 'verifyAuditLog',
  summary: 'Recompute the chain of the audit log',
  description:
    'Every row of the organisation is hashed over what it says and the hash before it. New rows are sealed within a minute, and the end of the chain is signed once a day. One look covers `limit` rows from `from` on; go on with `nextFrom` until it is null.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:read',
  query: auditVerificationQuery,
  replies: {
    200: {
      description: 'Whether the chain is whole, and how far it reaches.',
      schema: z.object({
        data: z.object({ ...auditVerificationFields, signedAt: instant.nullable() }),
      }),
      example: {
        data: {
          valid: true,
          from: 1,
          sealed: 4711,
          unsealed: 3,
          brokenAt: null,
          signedUpTo: 4600,
          signedAt: '2026-11-21T01:00:12.000+01:00',
          nextFrom: null,
        },
      },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const data = await verifyAuditSegment(caller.organisationId, query);
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

export const auditLogRoutes: readonly Route[] = [verify, list];
