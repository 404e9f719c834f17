import { Types } from 'mongoose';
import { isOpenLead } from '../../../domain/business/crm/leads';
import type { LeadStatus } from '../../../domain/business/crm/leads';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import { Lead } from '../../../models/business/crm/lead';
import type { LeadRecord } from '../../../models/business/crm/lead';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { buildChoiceCondition, buildCreatedFilter, readPage } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { getRecord, omitUndefined, prepareAndCreateRecord, updateRecord } from '../records/records';
import type { RecordKind, RecordReference } from '../records/records';
import { requireReferences } from './references';

export const LEAD_KIND: RecordKind<LeadRecord> = {
  model: Lead,
  name: 'lead',
  counter: 'leads',
  unique: null,
  where: (key) => key,
};

export const LEAD_SORT_FIELDS = ['id', 'name', 'createdAt'] as const;

/** The fields that a client can set; undefined leaves a field as it is, or at its default. */
export interface LeadInput {
  name?: string | undefined;
  companyName?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  source?: string | null | undefined;
  notes?: string | null | undefined;
  ownerId?: number | null | undefined;
  /** An open status, or the current one. */
  status?: LeadStatus | undefined;
}

function apply(record: LeadRecord, input: LeadInput, now: Date): LeadRecord {
  const changed: LeadRecord = { ...record, ...omitUndefined(input), updatedAt: now };
  return { ...changed, tokens: buildSearchTokens([changed.name, changed.companyName]) };
}

/** @throws AppError 400 for a status that is set by converting or losing the lead */
function requireSettable(status: LeadStatus | undefined, current: LeadStatus | null): void {
  if (status === undefined || status === current || isOpenLead(status)) return;
  throw invalidFieldError(
    'status',
    status === 'lost'
      ? 'becomes lost by POST /api/crm/leads/:id/lose'
      : 'becomes converted by POST /api/crm/leads/:id/convert',
  );
}

const buildBlankLead = ({ organisationId }: BusinessCaller, id: number, name: string, now: Date): LeadRecord => ({
  _id: new Types.ObjectId(),
  organisationId,
  id,
  name,
  companyName: null,
  email: null,
  phone: null,
  source: null,
  notes: null,
  ownerId: null,
  status: 'new',
  lostReason: null,
  customerId: null,
  opportunityId: null,
  tokens: [],
  version: 1,
  createdAt: now,
  updatedAt: now,
});

/** @throws AppError 400 */
export async function createLead(
  platform: Platform,
  caller: BusinessCaller,
  input: LeadInput & { name: string },
  use: IdempotentUse | undefined,
): Promise<LeadRecord> {
  requireSettable(input.status, null);
  return prepareAndCreateRecord(platform, caller, LEAD_KIND, use, async () => {
    await requireReferences(caller, input);
    return (id, now) => apply(buildBlankLead(caller, id, input.name, now), input, now);
  });
}

/** @throws AppError 404, also for the id of another organisation */
export const getLead = (caller: BusinessCaller, id: number): Promise<LeadRecord> => getRecord(caller, LEAD_KIND, id);

/** @throws AppError 409 `lead_converted` with the customer and opportunity */
export function requireNotConverted(lead: LeadRecord): void {
  if (lead.status !== 'converted') return;
  const { customerId, opportunityId } = lead;
  throw conflictError(
    'lead_converted',
    `The lead was converted into customer ${customerId ?? ''} and opportunity ${opportunityId ?? ''}; change those instead.`,
    { customerId, opportunityId },
  );
}

/**
 * Changes the fields that are sent. Setting an open status on a lost lead reopens it.
 * @throws AppError 400, 404, 409 `lead_converted`, 412
 */
export async function updateLead(
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  input: LeadInput,
): Promise<LeadRecord> {
  const before = await getLead(caller, at.id);
  await requireReferences(caller, { ownerId: input.ownerId === before.ownerId ? null : input.ownerId });
  const entry = { fields: Object.keys(omitUndefined(input)) };
  return updateRecord(platform, caller, LEAD_KIND, at, entry, (current, now) => {
    requireNotConverted(current);
    requireSettable(input.status, current.status);
    const changed = apply(current, input, now);
    return isOpenLead(changed.status) ? { ...changed, lostReason: null } : changed;
  });
}

/** Marks a lead as lost. If it is lost already, the first reason is kept. @throws AppError 404, 409 `lead_converted` */
export const loseLead = (platform: Platform, caller: BusinessCaller, id: number, reason: string): Promise<LeadRecord> =>
  updateRecord(
    platform,
    caller,
    LEAD_KIND,
    { id, ifMatch: undefined },
    { action: 'lead.lost', fields: ['status', 'lostReason'] },
    (current, now) => {
      requireNotConverted(current);
      return current.status === 'lost' ? null : { ...current, status: 'lost', lostReason: reason, updatedAt: now };
    },
  );

export interface LeadFilter extends CreatedFilter {
  status?: readonly LeadStatus[] | undefined;
  ownerId?: readonly number[] | undefined;
}

/** One page of leads with the exact total. */
export function listLeads(caller: BusinessCaller, filter: LeadFilter, query: ListQuery): Promise<ListPage<LeadRecord>> {
  const { status, ownerId } = filter;
  return readPage(
    Lead,
    {
      organisationId: caller.organisationId,
      ...(status === undefined ? {} : { status: buildChoiceCondition(status) }),
      ...(ownerId === undefined ? {} : { ownerId: buildChoiceCondition(ownerId) }),
      ...buildCreatedFilter(filter),
    },
    query,
  );
}
