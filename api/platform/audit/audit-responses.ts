import { z } from 'zod';
import type { AuditRecord } from '../../../models/platform/audit/audit';
import { actorNameOrSystem } from '../access/actor-names';

/** The fields of an audit entry in both APIs, other than its time. */
export const auditEntryFields = {
  id: z.string(),
  actor: z.string().meta({ description: 'Id of the user or API key; `system` for the service itself.' }),
  actorName: actorNameOrSystem,
  action: z.string().meta({ description: 'Action as `resource.action`, such as `session.decided`.' }),
  subject: z.string().meta({ description: 'Id of the record on which the action was performed.' }),
  fields: z.array(z.string()).meta({ description: 'Names of the written fields, never their values.' }),
  reason: z.string().nullable(),
  requestId: z.string().nullable(),
  position: z.number().int().nullable().meta({ description: 'Position in the chain; null until the entry is sealed.' }),
  hash: z.string().nullable(),
};

/**
 * An audit entry with its time as a `Date`; each API formats the time in its own way.
 * @param actorName current name of the actor
 */
export const presentAuditEntry = (row: AuditRecord, actorName: string | null) => ({
  id: row._id,
  at: row.at,
  actor: row.actor,
  actorName,
  action: row.action,
  subject: row.subject,
  fields: row.fields,
  reason: row.reason ?? null,
  requestId: row.requestId ?? null,
  position: row.position ?? null,
  hash: row.hash ?? null,
});
