import { z } from 'zod';
import { AUDIT_SORT_FIELDS, listAuditEntries } from '../../../services/business/access/audit-log';
import type { AuditEntryDetail } from '../../../services/business/access/audit-log';
import { verifyAuditSegment } from '../../../services/platform/audit/verification';
import { auditEntryFields, presentAuditEntry } from '../../platform/audit/audit-responses';
import { auditVerificationFields, auditVerificationQuery } from '../../platform/audit/audit';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { instant } from '../fields';
import { parseCreatedFilter, buildListResponse, listParameters, toListRequest, buildListSchema } from '../listing';

const exactFilter = z.string({ error: 'must be given once' }).min(1, 'must not be empty').max(100).optional();

const auditEntrySchema = z.object({
  ...auditEntryFields,
  at: instant,
  actorUserId: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Id of the actor as in the list of users; null if it is no user.' }),
  subjectUserId: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Id of the subject as in the list of users; null if it is no user.' }),
});

const exampleAuditEntry = {
  id: 'aud_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  at: '2026-11-21T10:00:00.000+01:00',
  actor: 'usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  actorName: 'Alex Kim',
  actorUserId: 1,
  subjectUserId: null,
  action: 'period.locked',
  subject: 'period:2026-10-31',
  fields: ['lockedThrough'],
  reason: null,
  requestId: 'req_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  position: 4711,
  hash: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
};

const presentNamedEntry = ({ record, actorName, ...users }: AuditEntryDetail) => ({
  ...presentAuditEntry(record, actorName),
  ...users,
});

const list = defineRoute({
  method: 'get',
  path: '/api/admin/audit-log',
  operationId: 'listAuditLog',
  summary: 'List the audit log',
  description:
    'Who did what, newest first. Entries contain ids and names of fields, never values. `dateFrom` and `dateTo` filter by time; every word of `search` must be a prefix of the action, the subject or the actor. `actor` accepts the id of a user in the list of users, too.',
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
      body: serializeResponse(buildListResponse(rows.map(presentNamedEntry), totalCount, listRequest), timeZone),
    };
  },
});

const verify = defineRoute({
  method: 'get',
  path: '/api/admin/audit-log/verify',
  operationId: 'verifyAuditLog',
  summary: 'Verify the chain of the audit log',
  description:
    'The hash of every row of the organisation covers the contents of the row and the hash of the row before it. New rows are sealed within a minute, and the end of the chain is signed once a day. One request verifies up to `limit` rows starting at `from`; repeat it with `nextFrom` until that is null.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:read',
  query: auditVerificationQuery,
  replies: {
    200: {
      description: 'Result of the verification and the extent of the chain.',
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
          signedUpTo: 4711,
          signedAt: '2026-11-21T11:00:12.000+01:00',
          nextFrom: null,
        },
      },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const data = await verifyAuditSegment(context.platform, caller.organisationId, query);
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

export const auditLogRoutes: readonly Route[] = [verify, list];
