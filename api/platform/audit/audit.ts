import { z } from 'zod';
import { requireRangeOrder } from '../../../domain/date-range';
import { VERIFY_ROW_LIMITS, verifyAuditSegment } from '../../../services/platform/audit/verification';
import { readActors } from '../../../services/platform/access/actors';
import { listAuditEntries } from '../../../services/platform/audit/audit-log';
import { buildCursorQuery, cursorPageFields, wholeNumberParameter } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { findActorName } from '../access/actor-names';
import { auditEntryFields, presentAuditEntry } from './audit-responses';

const ROWS_PROBLEM = `accepts a whole number 1–${VERIFY_ROW_LIMITS.max}`;
const name = z.string().min(1).max(100);
const instant = z.iso.datetime({ offset: true, error: 'accepts a time such as 2026-11-21T10:00:00Z' });

export const auditEntrySchema = z.object({ ...auditEntryFields, at: z.iso.datetime() }).meta({ id: 'AuditEntry' });

const exampleAuditEntry: z.infer<typeof auditEntrySchema> = {
  id: 'aud_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  at: '2026-11-21T10:00:00.000Z',
  actor: 'key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  actorName: 'Checkout of the shop',
  action: 'session.decided',
  subject: 'ses_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  fields: ['status', 'decision'],
  reason: null,
  requestId: 'req_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  position: 4711,
  hash: 'k1:b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
};

const list = defineRoute({
  method: 'get',
  path: '/v1/audit-log',
  operationId: 'listAuditLog',
  summary: 'List audit log entries',
  description: 'Entries of the credential’s mode. They contain ids and names of changed fields, never values.',
  tag: 'Audit log',
  addition: true,
  permission: 'audit:read',
  query: buildCursorQuery('aud').extend({
    action: name.optional(),
    subject: name.optional(),
    actor: name.optional(),
    from: instant.optional().meta({ description: 'Start of the time range, inclusive; must not be after `to`.' }),
    to: instant.optional().meta({ description: 'End of the time range, exclusive.' }),
  }),
  replies: {
    200: {
      description: 'A page of entries, newest first; `total` counts all entries that match the filters.',
      schema: z.object({
        entries: z.array(auditEntrySchema),
        ...cursorPageFields,
      }),
      example: { entries: [exampleAuditEntry], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query }) {
    const { limit, cursor, from, to, ...filter } = query;
    const range = {
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
    requireRangeOrder({ field: 'from', sent: from, value: range.from }, { field: 'to', sent: to, value: range.to });
    const { records, ...page } = await listAuditEntries(credential, { ...filter, ...range }, { limit, cursor });
    const { names } = await readActors(
      credential.organisationId,
      records.map(({ actor }) => actor),
    );
    const entries = records.map((row) => ({
      ...presentAuditEntry(row, findActorName(names, row.actor)),
      at: row.at.toISOString(),
    }));
    return { status: 200, body: { entries, ...page } };
  },
});

/** The segment of the chain to verify. */
export const auditVerificationQuery = z.strictObject({
  from: wholeNumberParameter('accepts a position of the chain, 1 or more', 1, 999_999_999_999)
    .default(1)
    .meta({ default: 1, description: 'First position to verify.' }),
  limit: wholeNumberParameter(ROWS_PROBLEM, 1, VERIFY_ROW_LIMITS.max)
    .default(VERIFY_ROW_LIMITS.default)
    .meta({ default: VERIFY_ROW_LIMITS.default, description: 'Maximum number of rows to verify.' }),
});

/** Fields of a verification result, except for the time of the signature. */
export const auditVerificationFields = {
  valid: z.boolean().meta({ description: 'Whether the verified rows match the chain.' }),
  from: z.number().int(),
  sealed: z.number().int().meta({ description: 'Last verified position.' }),
  unsealed: z.number().int().meta({ description: 'Number of rows that are not sealed yet.' }),
  brokenAt: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Position of the first row that does not match the chain.' }),
  signedUpTo: z.number().int().nullable().meta({ description: 'Last position that is signed in the object store.' }),
  nextFrom: z.number().int().nullable().meta({
    description: 'First position of the next segment; null at the end of the chain or if a row does not match.',
  }),
};

const verify = defineRoute({
  method: 'get',
  path: '/v1/audit-log/verify',
  operationId: 'verifyAuditLog',
  summary: 'Verify the audit log',
  description:
    'Every entry carries an authentication code under a key that is not in the database. New entries are sealed within a minute: a keyed hash covers the content and the previous hash, and the head of the chain is signed and written to the object store. An entry that was inserted, rewritten, moved or deleted, a chain that was cut, and signatures that were removed are detected. One request verifies `limit` rows starting at `from`; repeat it with `nextFrom` until it is null to verify the whole chain.',
  tag: 'Audit log',
  addition: true,
  permission: 'audit:read',
  query: auditVerificationQuery,
  replies: {
    200: {
      description: 'The result of the verification.',
      schema: z.object({
        ...auditVerificationFields,
        signedAt: z.iso.datetime().nullable(),
      }),
      example: {
        valid: true,
        from: 1,
        sealed: 4711,
        unsealed: 3,
        brokenAt: null,
        signedUpTo: 4711,
        signedAt: '2026-11-21T10:00:12.000Z',
        nextFrom: null,
      },
    },
  },
  async handle({ platform, credential }, { query }) {
    const { signedAt, ...verdict } = await verifyAuditSegment(platform, credential.organisationId, query);
    return { status: 200, body: { ...verdict, signedAt: signedAt?.toISOString() ?? null } };
  },
});

export const auditRoutes: readonly Route[] = [verify, list];
